// SPDX-License-Identifier: Apache-2.0
// MinAtar Space Invaders: shoot the aliens before they land; each wave is faster than the previous one.
//
// Implements the rules of https://github.com/kenjyoung/MinAtar 1.0.15, game space_invaders, from their
// description. Differences: none, since the reset is always the same and nothing afterwards is random.
#include "envs/minatar.hpp"

namespace seedbed::minatar::space_invaders {
namespace {

constexpr int kShotInterval = 5, kAlienShotInterval = 10, kMoveInterval = 12, kFastest = 6,
              kLastRow = kSide - 1;
constexpr Board kWave = Board::block(0, 4, 2, 8);
constexpr Board kLeftEdge = Board::column(0), kRightEdge = Board::column(kSide - 1),
                kBottom = Board::row(kLastRow);

struct SpaceInvaders {
    enum Plane { kCannon, kAlien, kAlienLeft, kAlienRight, kFriendlyBullet, kEnemyBullet };

    struct Params : CommonParams {
        bool ramping = true;

        static const Description<Params>& describe() {
            static const auto description =
                withCommonParams(
                    Description<Params>("minatar_space_invaders", "Parameters of MinAtar Space Invaders."))
                    .field(&Params::ramping, "ramping", "Each wave of aliens moves faster than the last.",
                           {});
            return description;
        }
    };
    static const std::vector<Action>& minimalActions() {
        static const std::vector<Action> actions = {noop, left, right, fire};
        return actions;
    }
    static EnvSpec spec(const Params& params) {
        EnvSpec spec = commonSpec(
            "space_invaders", "Space Invaders",
            {"cannon", "alien", "alien moving left", "alien moving right", "friendly bullet", "enemy bullet"},
            params, minimalActions());
        spec.sentence = "Shoot the aliens before they arrive.";
        spec.difficulty = "medium";
        spec.reward_low = 0;
        spec.reward_high = 2;
        if (params.sticky_actions == 0.1 && params.ramping) {
            spec.random_return = params.minimal_actions ? 4.14 : 2.93;
            spec.random_return_error = params.minimal_actions ? 0.07 : 0.05;
        }
        spec.references = {
            {"DQN", 43, 5'000'000, "MinAtar repository, learning curves, six actions"},
            {"AC(lambda 0.8)", 185, 5'000'000, "MinAtar repository, learning curves, six actions"},
            {"gymnax PPO", 131, 0, "gymnax README"},
            {"pgx PPO", 148.5, 20'000'000, "pgx, examples/minatar-ppo, plot"}};
        return spec;
    }

    explicit SpaceInvaders(const Params& params) : SpaceInvaders(params.ramping) {}

    void reset(Rng&) { *this = SpaceInvaders(ramping); }

    float step(int action, Rng&) {
        if (action == fire && shot_timer == 0) {
            friendly_bullets.set(kLastRow, cannon);
            shot_timer = kShotInterval;
        } else if (action == left) {
            cannon = std::max(cannon - 1, 0);
        } else if (action == right) {
            cannon = std::min(cannon + 1, kSide - 1);
        }
        friendly_bullets = friendly_bullets.up();
        enemy_bullets = enemy_bullets.down();
        if (enemy_bullets.at(kLastRow, cannon) || aliens.at(kLastRow, cannon)) terminal = true;
        if (move_timer == 0) moveAliens();
        if (alien_shot_timer == 0) {
            alien_shot_timer = kAlienShotInterval;
            shootBack();
        }
        const Board hit = aliens & friendly_bullets;
        aliens = aliens.without(hit);
        friendly_bullets = friendly_bullets.without(hit);
        if (shot_timer > 0) --shot_timer;
        --move_timer;
        --alien_shot_timer;
        if (!aliens.any()) {
            if (ramping && move_interval > kFastest) {
                --move_interval;
                ++ramp_index;
            }
            aliens = kWave;
        }
        return static_cast<float>(hit.count());
    }

    void observe(std::uint8_t* planes) const {
        mark(planes, kCannon, kLastRow, cannon);
        aliens.write(planes + kAlien * kCells);
        aliens.write(planes + (direction < 0 ? kAlienLeft : kAlienRight) * kCells);
        friendly_bullets.write(planes + kFriendlyBullet * kCells);
        enemy_bullets.write(planes + kEnemyBullet * kCells);
    }

    template <class Visitor>
    void visit(Visitor& v) {
        v.integer("pos", cannon, 0, kSide - 1);
        v.board("f_bullet_map", friendly_bullets);
        v.board("e_bullet_map", enemy_bullets);
        v.board("alien_map", aliens);
        v.integer("alien_dir", direction, -1, 1);
        v.integer("enemy_move_interval", move_interval, kFastest, kMoveInterval);
        v.integer("alien_move_timer", move_timer, 0, kMoveInterval);
        v.integer("alien_shot_timer", alien_shot_timer, 0, kAlienShotInterval);
        v.integer("ramp_index", ramp_index, 0, kMoveInterval - kFastest);
        v.integer("shot_timer", shot_timer, 0, kShotInterval);
        v.flag("terminal", terminal);
        v.require("alien_map", aliens.any());  // their number resets the move timer, so it must not be 0
    }

    void draw(Scene& scene) const {
        constexpr Colour kRows[] = {{226, 96, 150}, {196, 110, 226}, {110, 150, 236}, {96, 200, 190}};
        for (int y = 0; y < kSide; ++y) {
            for (int x = 0; x < kSide; ++x) {
                if (aliens.at(y, x)) {
                    cell(scene, y, x, kRows[y % 4], 0.74f, 0.44f);
                    for (const float side : {-0.25f, 0.25f})
                        cell(scene, y, x, kRows[y % 4], 0.14f, 0.76f).x += side;
                }
                if (friendly_bullets.at(y, x)) cell(scene, y, x, {246, 246, 250}, 0.16f, 0.7f);
                if (enemy_bullets.at(y, x)) cell(scene, y, x, {240, 110, 70}, 0.22f, 0.6f);
            }
        }
        cell(scene, kLastRow, cannon, {96, 210, 110}, 0.94f, 0.36f).y -= 0.25f;
        cell(scene, kLastRow, cannon, {96, 210, 110}, 0.24f, 0.6f);
    }

private:
    explicit SpaceInvaders(bool ramps) : ramping(ramps) {}

    // Moves the aliens by one cell: sideways, or down at a wall.
    void moveAliens() {
        move_timer = std::min(aliens.count(), move_interval);
        if ((aliens & (direction < 0 ? kLeftEdge : kRightEdge)).any()) {
            direction = -direction;
            if ((aliens & kBottom).any()) terminal = true;
            aliens = aliens.downAround();
        } else {
            aliens = direction < 0 ? aliens.left() : aliens.right();
        }
        if (aliens.at(kLastRow, cannon)) terminal = true;
    }

    // The lowest alien of the column nearest to the cannon shoots; if two columns are equally near, the left
    // one counts.
    void shootBack() {
        for (int distance = 0; distance < kSide; ++distance) {
            for (const int x : {cannon - distance, cannon + distance}) {
                if (x < 0 || x >= kSide || !(aliens & Board::column(x)).any()) continue;
                int y = kLastRow;
                while (!aliens.at(y, x)) --y;
                enemy_bullets.set(y, x);
                return;
            }
        }
    }

public:
    int cannon = 5, direction = -1, move_interval = kMoveInterval, move_timer = kMoveInterval;
    int alien_shot_timer = kAlienShotInterval, shot_timer = 0, ramp_index = 0;
    Board friendly_bullets, enemy_bullets, aliens = kWave;
    bool ramping = true, terminal = false;
};

}  // namespace
SEEDBED_REGISTER_ENV(minatar_space_invaders, Batch<SpaceInvaders>, "MinAtar/SpaceInvaders-v0")
}  // namespace seedbed::minatar::space_invaders
