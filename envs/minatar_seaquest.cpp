// SPDX-License-Identifier: Apache-2.0
// MinAtar Seaquest: a submarine shoots fish and enemy submarines, picks up divers, and must surface for air
// with a diver aboard.
//
// Implements the rules of https://github.com/kenjyoung/MinAtar 1.0.15, game seaquest, from their description.
// Difference: a different random stream. In the original, the number of divers can drop below zero after six
// are rescued, and surfacing then costs nothing; published scores include this bug. `surfacing` = exact
// reproduces it; with fixed, the number never drops below zero.
#include "envs/minatar.hpp"

namespace seedbed::minatar {
namespace {

constexpr int kMaxOxygen = 200, kMaxDivers = 6, kEnemySpawnInterval = 20, kDiverSpawnInterval = 30,
              kDiverMoveInterval = 5;
constexpr int kEnemyMoveInterval = 5, kFastestMove = 2, kShotInterval = 5, kEnemyShotInterval = 10,
              kSeabed = kSide - 2;

struct Bullet {
    std::int8_t x = 0, y = 0;
    bool rightwards = false;

    template <class Visitor>
    void visit(Visitor& v) {
        v.integer("x", x, 0, kSide - 1);
        v.integer("y", y, 0, kSeabed);
        v.flag("lr", rightwards);
    }
};

// A fish or diver.
struct Swimmer : Bullet {
    std::int8_t move_timer = 0;

    template <class Visitor>
    void visit(Visitor& v) {
        Bullet::visit(v);
        v.integer("move_timer", move_timer, 0, kEnemyMoveInterval);
    }
};

struct EnemySub : Swimmer {
    std::int8_t shot_timer = 0;

    template <class Visitor>
    void visit(Visitor& v) {
        Swimmer::visit(v);
        v.integer("shot_timer", shot_timer, 0, kEnemyShotInterval);
    }
};

// Moves one cell; returns false if it left the board.
template <class T>
bool advance(T& thing) {
    thing.x = static_cast<std::int8_t>(thing.x + (thing.rightwards ? 1 : -1));
    return thing.x >= 0 && thing.x < kSide;
}

struct Seaquest {
    enum Plane {
        kFront,
        kBack,
        kFriendlyBullet,
        kTrail,
        kEnemyBullet,
        kFish,
        kEnemySub,
        kOxygen,
        kDiverBar,
        kDiver
    };

    struct Params : CommonParams {
        bool ramping = true;
        std::string surfacing = "exact";

        static const Description<Params>& describe() {
            static const auto description =
                withCommonParams(Description<Params>("minatar_seaquest", "Parameters of MinAtar Seaquest."))
                    .field(&Params::ramping, "ramping", "The game speeds up whenever the submarine surfaces.",
                           {})
                    .field(&Params::surfacing, "surfacing",
                           "exact: surfacing is free after a rescue of six divers, as in the original; "
                           "fixed: it always costs a diver.",
                           {.choices = {"exact", "fixed"}});
            return description;
        }
    };
    static const std::vector<Action>& minimalActions() {
        static const std::vector<Action> actions = {noop, left, up, right, down, fire};
        return actions;
    }
    static EnvSpec spec(const Params& params) {
        EnvSpec spec =
            commonSpec("seaquest", "Seaquest",
                       {"submarine front", "submarine back", "friendly bullet", "trail", "enemy bullet",
                        "enemy fish", "enemy submarine", "oxygen", "divers aboard", "diver"},
                       params, minimalActions());
        spec.sentence = "Shoot fish and submarines, pick up divers, and surface before the air runs out.";
        spec.difficulty = "hard";
        spec.reward_low = 0;
        spec.reward_high = 11;  // a rescue gives at most 9, plus two bullet hits
        if (params.sticky_actions == 0.1) {
            spec.random_return = 0.096;
            spec.random_return_error = 0.002;
        }
        spec.references = {
            {"DQN", 20, 5'000'000, "MinAtar repository, learning curves, six actions"},
            {"AC(lambda 0.8)", 15.5, 5'000'000, "MinAtar repository, learning curves, six actions"},
            {"pgx PPO", 54, 20'000'000, "pgx, examples/minatar-ppo, plot"}};
        return spec;
    }

    explicit Seaquest(const Params& params) : Seaquest(params.ramping, params.surfacing == "exact") {}

    void reset(Rng&) { *this = Seaquest(ramping, exact); }

    float step(int action, Rng& rng) {
        float reward = 0;
        if (enemy_spawn_timer == 0) {
            spawnEnemy(rng);
            enemy_spawn_timer = enemy_spawn_interval;
        }
        if (diver_spawn_timer == 0) {
            spawnDiver(rng);
            diver_spawn_timer = kDiverSpawnInterval;
        }
        act(action);
        reward += moveBullets();
        moveDivers();
        reward += moveEnemySubs();
        moveEnemyBullets();
        reward += moveFish();

        if (enemy_spawn_timer > 0) --enemy_spawn_timer;
        if (diver_spawn_timer > 0) --diver_spawn_timer;
        if (shot_timer > 0) --shot_timer;
        if (oxygen <= 0) terminal = true;
        if (y > 0) {
            --oxygen;
            at_surface = false;
        } else if (!at_surface) {
            if (divers_aboard == 0) terminal = true;
            else reward += surface();
        }
        return reward;
    }

    void observe(std::uint8_t* planes) const {
        mark(planes, kFront, y, x);
        mark(planes, kBack, y, x - (facing_right ? 1 : -1));
        for (int i = 0; i < oxygen * kSide / kMaxOxygen; ++i) mark(planes, kOxygen, kSide - 1, i);
        for (int i = kSide - 1 - std::max(divers_aboard, 0); i < kSide - 1; ++i)
            mark(planes, kDiverBar, kSide - 1, i);
        for (const Bullet& bullet : friendly_bullets) mark(planes, kFriendlyBullet, bullet.y, bullet.x);
        for (const Bullet& bullet : enemy_bullets) mark(planes, kEnemyBullet, bullet.y, bullet.x);
        const auto trailing = [&](const auto& things, Plane plane) {
            for (const auto& thing : things) {
                mark(planes, plane, thing.y, thing.x);
                mark(planes, kTrail, thing.y, thing.x - (thing.rightwards ? 1 : -1));
            }
        };
        trailing(fish, kFish);
        trailing(enemy_subs, kEnemySub);
        trailing(divers, kDiver);
    }

    template <class Visitor>
    void visit(Visitor& v) {
        v.integer("oxygen", oxygen, -1, kMaxOxygen);
        v.integer("diver_count", divers_aboard, -1'000'000, kMaxDivers);
        v.integer("sub_x", x, 0, kSide - 1);
        v.integer("sub_y", y, 0, kSeabed);
        v.flag("sub_or", facing_right);
        v.list("f_bullets", friendly_bullets);
        v.list("e_bullets", enemy_bullets);
        v.list("e_fish", fish);
        v.list("e_subs", enemy_subs);
        v.list("divers", divers);
        v.integer("e_spawn_speed", enemy_spawn_interval, 1, kEnemySpawnInterval);
        v.integer("e_spawn_timer", enemy_spawn_timer, 0, kEnemySpawnInterval);
        v.integer("d_spawn_timer", diver_spawn_timer, 0, kDiverSpawnInterval);
        v.integer("move_speed", move_interval, kFastestMove, kEnemyMoveInterval);
        v.integer("ramp_index", ramp_index, 0, 1'000'000);
        v.integer("shot_timer", shot_timer, 0, kShotInterval);
        v.flag("surface", at_surface);
        v.flag("terminal", terminal);
    }

    void draw(Scene& scene) const {
        scene.rectangle(kSide / 2.0f, centreY(4) - 0.5f, kSide, 8, {24, 58, 104});
        scene.rectangle(kSide / 2.0f, centreY(0), kSide, 1, {120, 180, 220});
        for (const Swimmer& diver : divers) {
            scene.circle(centreX(diver.x), centreY(diver.y), 0.2f, {240, 220, 190});
            cell(scene, diver.y, diver.x, {240, 120, 160}, 0.6f, 0.2f);
        }
        for (const Swimmer& one : fish) {
            const int direction = one.rightwards ? 1 : -1;
            arrow(scene, one.y, one.x, -direction, {110, 200, 120});
            scene.circle(centreX(one.x), centreY(one.y), 0.3f, {110, 200, 120});
        }
        for (const EnemySub& sub : enemy_subs) drawSub(scene, sub.y, sub.x, sub.rightwards, {214, 84, 72});
        for (const Bullet& bullet : enemy_bullets)
            cell(scene, bullet.y, bullet.x, {250, 160, 90}, 0.4f, 0.14f);
        for (const Bullet& bullet : friendly_bullets)
            cell(scene, bullet.y, bullet.x, {250, 250, 250}, 0.4f, 0.14f);
        drawSub(scene, y, x, facing_right, {240, 206, 70});
        const float air = static_cast<float>(std::max(oxygen, 0)) * kSide / kMaxOxygen;
        scene.rectangle(air / 2, centreY(kSide - 1) + 0.2f, air, 0.4f, {96, 170, 240});
        for (int i = 0; i < divers_aboard; ++i)
            scene.circle(0.5f + 0.6f * static_cast<float>(i), centreY(kSide - 1) - 0.25f, 0.18f,
                         {240, 120, 160});
    }

private:
    Seaquest(bool ramps, bool is_exact) : ramping(ramps), exact(is_exact) {}

    bool onSub(const Bullet& thing) const { return thing.x == x && thing.y == y; }

    // Does not spawn in a row with something that moves in the opposite direction.
    void spawnEnemy(Rng& rng) {
        EnemySub enemy;
        enemy.rightwards = rng.below(2) == 1;
        const bool is_sub = rng.below(3) == 0;
        enemy.y = static_cast<std::int8_t>(1 + rng.below(kSeabed));
        enemy.x = enemy.rightwards ? 0 : kSide - 1;
        enemy.move_timer = static_cast<std::int8_t>(move_interval);
        enemy.shot_timer = kEnemyShotInterval;
        const auto against = [&](const Bullet& other) {
            return other.y == enemy.y && other.rightwards != enemy.rightwards;
        };
        if (std::any_of(fish.begin(), fish.end(), against) ||
            std::any_of(enemy_subs.begin(), enemy_subs.end(), against))
            return;
        if (is_sub) enemy_subs.push(enemy);
        else fish.push(enemy);
    }
    void spawnDiver(Rng& rng) {
        Swimmer diver;
        diver.rightwards = rng.below(2) == 1;
        diver.y = static_cast<std::int8_t>(1 + rng.below(kSeabed));
        diver.x = diver.rightwards ? 0 : kSide - 1;
        diver.move_timer = kDiverMoveInterval;
        divers.push(diver);
    }

    void act(int action) {
        if (action == fire && shot_timer == 0) {
            Bullet bullet;
            bullet.x = static_cast<std::int8_t>(x);
            bullet.y = static_cast<std::int8_t>(y);
            bullet.rightwards = facing_right;
            friendly_bullets.push(bullet);
            shot_timer = kShotInterval;
        } else if (action == left) {
            x = std::max(x - 1, 0);
            facing_right = false;
        } else if (action == right) {
            x = std::min(x + 1, kSide - 1);
            facing_right = true;
        } else if (action == up) {
            y = std::max(y - 1, 0);
        } else if (action == down) {
            y = std::min(y + 1, kSeabed);
        }
    }
    float surface() {
        float reward = 0;
        at_surface = true;
        if (divers_aboard == kMaxDivers) {
            divers_aboard = 0;
            const int points = oxygen * 10 / kMaxOxygen;
            reward = static_cast<float>(points);
            if (exact) --divers_aboard;
        } else {
            --divers_aboard;
        }
        oxygen = kMaxOxygen;
        if (ramping && (enemy_spawn_interval > 1 || move_interval > kFastestMove)) {
            if (move_interval > kFastestMove && ramp_index % 2 == 1) --move_interval;
            if (enemy_spawn_interval > 1) --enemy_spawn_interval;
            ++ramp_index;
        }
        return reward;
    }

    // Removes the oldest element of `things` in the cell of `other`.
    template <class L>
    static bool removeAt(L& things, const Bullet& other) {
        for (int i = 0; i < things.size(); ++i) {
            if (things[i].x != other.x || things[i].y != other.y) continue;
            things.erase(i);
            return true;
        }
        return false;
    }
    float moveBullets() {
        float reward = 0;
        for (int i = friendly_bullets.size() - 1; i >= 0; --i) {
            Bullet& bullet = friendly_bullets[i];
            const bool aboard = advance(bullet);
            const bool hit = aboard && (removeAt(fish, bullet) || removeAt(enemy_subs, bullet));
            if (hit) reward += 1;
            if (!aboard || hit) friendly_bullets.erase(i);
        }
        return reward;
    }
    void moveDivers() {
        for (int i = divers.size() - 1; i >= 0; --i) {
            Swimmer& diver = divers[i];
            if (onSub(diver) && divers_aboard < kMaxDivers) {
                divers.erase(i);
                ++divers_aboard;
            } else if (diver.move_timer == 0) {
                diver.move_timer = kDiverMoveInterval;
                if (!advance(diver)) {
                    divers.erase(i);
                } else if (onSub(diver) && divers_aboard < kMaxDivers) {
                    divers.erase(i);
                    ++divers_aboard;
                }
            } else {
                --diver.move_timer;
            }
        }
    }
    // Moves enemy i if its timer has expired. Returns whether a bullet hit it; sets `gone` if it left the
    // board.
    bool moveEnemy(Swimmer& enemy, bool& gone) {
        gone = false;
        if (onSub(enemy)) terminal = true;
        if (enemy.move_timer > 0) {
            --enemy.move_timer;
            return false;
        }
        enemy.move_timer = static_cast<std::int8_t>(move_interval);
        if (!advance(enemy)) {
            gone = true;
        } else if (onSub(enemy)) {
            terminal = true;
        } else if (removeAt(friendly_bullets, enemy)) {
            gone = true;
            return true;
        }
        return false;
    }
    float moveEnemySubs() {
        float reward = 0;
        for (int i = enemy_subs.size() - 1; i >= 0; --i) {
            EnemySub& sub = enemy_subs[i];
            bool gone = false;
            if (moveEnemy(sub, gone)) reward += 1;
            // An enemy that has just left the board still shoots if its timer has expired.
            if (sub.shot_timer == 0) {
                sub.shot_timer = kEnemyShotInterval;
                enemy_bullets.push(sub);
            } else {
                --sub.shot_timer;
            }
            if (gone) enemy_subs.erase(i);
        }
        return reward;
    }
    void moveEnemyBullets() {
        for (int i = enemy_bullets.size() - 1; i >= 0; --i) {
            Bullet& bullet = enemy_bullets[i];
            if (onSub(bullet)) terminal = true;
            if (!advance(bullet)) enemy_bullets.erase(i);
            else if (onSub(bullet)) terminal = true;
        }
    }
    float moveFish() {
        float reward = 0;
        for (int i = fish.size() - 1; i >= 0; --i) {
            bool gone = false;
            if (moveEnemy(fish[i], gone)) reward += 1;
            if (gone) fish.erase(i);
        }
        return reward;
    }

    static void drawSub(Scene& scene, int row, int column, bool rightwards, Colour colour) {
        const float direction = rightwards ? 1.0f : -1.0f;
        cell(scene, row, column, colour, 1.5f, 0.42f).x -= 0.35f * direction;
        cell(scene, row, column, colour, 0.3f, 0.7f).x -= 0.3f * direction;
        scene.circle(centreX(column) + 0.3f * direction, centreY(row), 0.21f, colour);
    }

public:
    int oxygen = kMaxOxygen, divers_aboard = 0, x = 5, y = 0;
    int enemy_spawn_interval = kEnemySpawnInterval, enemy_spawn_timer = kEnemySpawnInterval,
        diver_spawn_timer = kDiverSpawnInterval;
    int move_interval = kEnemyMoveInterval, ramp_index = 0, shot_timer = 0;
    // Capacities: a bullet is fired every 5 steps and lasts at most 10; an enemy lasts at most 60 steps,
    // spawns every 30 steps (more often late in the game), and shoots every 11; a diver appears every 30
    // steps and lasts at most 60.
    List<Bullet, 4> friendly_bullets;
    List<Bullet, 96> enemy_bullets;
    List<Swimmer, 64> fish;
    List<EnemySub, 64> enemy_subs;
    List<Swimmer, 4> divers;
    bool facing_right = false, at_surface = true, terminal = false;
    bool ramping = true, exact = true;
};

}  // namespace
SEEDBED_REGISTER_ENV(minatar_seaquest, Batch<Seaquest>, "MinAtar/Seaquest-v0")
}  // namespace seedbed::minatar
