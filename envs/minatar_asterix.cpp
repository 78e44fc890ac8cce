// SPDX-License-Identifier: Apache-2.0
// MinAtar Asterix: collect gold and avoid enemies that come from both sides at increasing speed.
//
// Implements the rules of https://github.com/kenjyoung/MinAtar 1.0.15, game asterix, from their description.
// Difference: a different random stream.
#include "envs/minatar.hpp"

namespace seedbed::minatar {
namespace {

constexpr int kSpawnInterval = 10, kMoveInterval = 5, kRampInterval = 100, kSlots = 8;

struct Asterix {
    enum Plane { kPlayer, kEnemy, kTrail, kGold };

    // An enemy or a piece of gold that crosses the board in the row of its slot.
    struct Thing {
        int x = 0, y = 0;
        bool rightwards = false, gold = false, present = false;

        template <class Visitor>
        void visit(Visitor& v) {
            v.integer("x", x, 0, kSide - 1);
            v.integer("y", y, 1, kSlots);
            v.flag("lr", rightwards);
            v.flag("is_gold", gold);
        }
    };

    struct Params : CommonParams {
        bool ramping = true;

        static const Description<Params>& describe() {
            static const auto description =
                withCommonParams(Description<Params>("minatar_asterix", "Parameters of MinAtar Asterix."))
                    .field(&Params::ramping, "ramping", "The game becomes faster over time.", {});
            return description;
        }
    };
    static const std::vector<Action>& minimalActions() {
        static const std::vector<Action> actions = {noop, left, up, right, down};
        return actions;
    }
    static EnvSpec spec(const Params& params) {
        EnvSpec spec =
            commonSpec("asterix", "Asterix", {"player", "enemy", "trail", "gold"}, params, minimalActions());
        spec.sentence = "Collect the gold and avoid the enemies.";
        spec.difficulty = "medium";
        spec.reward_low = 0;
        spec.reward_high = 1;
        if (params.sticky_actions == 0.1 && params.ramping) {
            spec.random_return = params.minimal_actions ? 0.505 : 0.492;
            spec.random_return_error = params.minimal_actions ? 0.006 : 0.007;
        }
        spec.references = {
            {"DQN", 17, 5'000'000, "MinAtar repository, learning curves, six actions"},
            {"AC(lambda 0.8)", 19, 5'000'000, "MinAtar repository, learning curves, six actions"},
            {"gymnax PPO", 15, 0, "gymnax README"},
            {"pgx PPO", 23.5, 20'000'000, "pgx, examples/minatar-ppo, plot"}};
        return spec;
    }

    explicit Asterix(const Params& params) : Asterix(params.ramping) {}

    void reset(Rng&) { *this = Asterix(ramping); }

    float step(int action, Rng& rng) {
        if (spawn_timer == 0) {
            spawn(rng);
            spawn_timer = spawn_interval;
        }
        if (action == left) player_x = std::max(player_x - 1, 0);
        if (action == right) player_x = std::min(player_x + 1, kSide - 1);
        if (action == up) player_y = std::max(player_y - 1, 1);
        if (action == down) player_y = std::min(player_y + 1, kSlots);
        float reward = touch();
        if (move_timer == 0) {
            move_timer = move_interval;
            for (Thing& thing : things) {
                thing.x += thing.rightwards ? 1 : -1;
                thing.present = thing.present && thing.x >= 0 && thing.x < kSide;
            }
            reward += touch();
        }
        --spawn_timer;
        --move_timer;
        if (ramping && (spawn_interval > 1 || move_interval > 1)) ramp();
        return reward;
    }

    void observe(std::uint8_t* planes) const {
        mark(planes, kPlayer, player_y, player_x);
        for (const Thing& thing : things) {
            if (!thing.present) continue;
            mark(planes, thing.gold ? kGold : kEnemy, thing.y, thing.x);
            mark(planes, kTrail, thing.y, thing.x - (thing.rightwards ? 1 : -1));
        }
    }

    template <class Visitor>
    void visit(Visitor& v) {
        v.integer("player_x", player_x, 0, kSide - 1);
        v.integer("player_y", player_y, 1, kSlots);
        v.slots("entities", things);
        v.integer("shot_timer", shot_timer, 0, 0);
        v.integer("spawn_speed", spawn_interval, 1, kSpawnInterval);
        v.integer("spawn_timer", spawn_timer, 0, kSpawnInterval);
        v.integer("move_speed", move_interval, 1, kMoveInterval);
        v.integer("move_timer", move_timer, 0, kMoveInterval);
        v.integer("ramp_timer", ramp_timer, -1, kRampInterval);
        v.integer("ramp_index", ramp_index, 0, 1000);
        v.flag("terminal", terminal);
    }

    void draw(Scene& scene) const {
        for (const Thing& thing : things) {
            if (!thing.present) continue;
            const int direction = thing.rightwards ? 1 : -1;
            cell(scene, thing.y, thing.x, {60, 66, 86}, 0.5f, 0.16f).x -=
                0.7f * static_cast<float>(direction);
            if (thing.gold) scene.circle(centreX(thing.x), centreY(thing.y), 0.36f, {240, 200, 60});
            else arrow(scene, thing.y, thing.x, direction, {220, 76, 70});
        }
        cell(scene, player_y, player_x, {92, 172, 238}, 0.8f, 0.8f);
        scene.circle(centreX(player_x), centreY(player_y) + 0.1f, 0.18f, {250, 250, 250});
    }

private:
    explicit Asterix(bool ramps) : ramping(ramps) {}

    // Spawns an enemy or gold in a random free row, from either side; does nothing if no row is free.
    void spawn(Rng& rng) {
        std::array<int, kSlots> free;
        int count = 0;
        for (int slot = 0; slot < kSlots; ++slot)
            if (!things[static_cast<std::size_t>(slot)].present)
                free[static_cast<std::size_t>(count++)] = slot;
        Thing thing{.present = true};
        thing.rightwards = rng.below(2) == 1;
        thing.gold = rng.below(3) == 0;
        if (count == 0) return;
        const int slot = free[rng.below(static_cast<std::uint32_t>(count))];
        thing.x = thing.rightwards ? 0 : kSide - 1;
        thing.y = slot + 1;
        things[static_cast<std::size_t>(slot)] = thing;
    }

    // The player collects gold in its cell; an enemy there ends the game.
    float touch() {
        Thing& thing = things[static_cast<std::size_t>(player_y - 1)];
        if (!thing.present || thing.x != player_x) return 0;
        if (!thing.gold) {
            terminal = true;
            return 0;
        }
        thing.present = false;
        return 1;
    }

    void ramp() {
        if (ramp_timer >= 0) {
            --ramp_timer;
            return;
        }
        if (move_interval > 1 && ramp_index % 2 == 1) --move_interval;
        if (spawn_interval > 1) --spawn_interval;
        ++ramp_index;
        ramp_timer = kRampInterval;
    }

public:
    int player_x = 5, player_y = 5;
    int spawn_interval = kSpawnInterval, spawn_timer = kSpawnInterval, move_interval = kMoveInterval,
        move_timer = kMoveInterval;
    int ramp_timer = kRampInterval, ramp_index = 0;
    int shot_timer = 0;  // exists in the original, but is unused
    std::array<Thing, kSlots> things{};
    bool ramping = true, terminal = false;
};

}  // namespace
SEEDBED_REGISTER_ENV(minatar_asterix, Batch<Asterix>, "MinAtar/Asterix-v0")
}  // namespace seedbed::minatar
