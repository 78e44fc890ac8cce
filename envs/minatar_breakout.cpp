// SPDX-License-Identifier: Apache-2.0
// MinAtar Breakout: bounce a ball with a paddle and break bricks.
//
// Implements the rules of https://github.com/kenjyoung/MinAtar 1.0.15, game breakout, from their description.
// Difference: a different random stream.
#include "envs/minatar.hpp"

namespace seedbed::minatar {
namespace {

constexpr Board kWall = Board::block(1, 4, 0, kSide);

struct Breakout {
    enum Plane { kPaddle, kBall, kTrail, kBrick };
    enum Direction : std::int8_t { up_left, up_right, down_right, down_left };
    static constexpr int kDx[] = {-1, 1, 1, -1}, kDy[] = {-1, -1, 1, 1};

    struct Params : CommonParams {
        static const Description<Params>& describe() {
            static const auto description =
                withCommonParams(Description<Params>("minatar_breakout", "Parameters of MinAtar Breakout."));
            return description;
        }
    };
    static const std::vector<Action>& minimalActions() {
        static const std::vector<Action> actions = {noop, left, right};
        return actions;
    }
    static EnvSpec spec(const Params& params) {
        EnvSpec spec = commonSpec("breakout", "Breakout", {"paddle", "ball", "trail", "brick"}, params,
                                  minimalActions());
        spec.sentence = "Bounce the ball with the paddle and break the bricks.";
        spec.difficulty = "medium";
        spec.reward_low = 0;
        spec.reward_high = 1;
        if (params.sticky_actions == 0.1) {
            spec.random_return = params.minimal_actions ? 0.388 : 0.510;
            spec.random_return_error = 0.002;
        }
        spec.references = {
            {"DQN", 10, 5'000'000, "MinAtar repository, learning curves, six actions"},
            {"AC(lambda 0.8)", 17.5, 5'000'000, "MinAtar repository, learning curves, six actions"},
            {"gymnax PPO", 28, 0, "gymnax README"},
            {"PureJaxRL PPO", 40, 10'000'000, "PureJaxRL README, plot"},
            {"pgx PPO", 50, 20'000'000, "pgx, examples/minatar-ppo, plot"}};
        return spec;
    }

    explicit Breakout(const Params&) {}

    void reset(Rng& rng) {
        const bool from_left = rng.below(2) == 0;
        ball_y = 3;
        ball_x = from_left ? 0 : kSide - 1;
        direction = from_left ? down_right : down_left;
        paddle = 4;
        bricks = kWall;
        strike = false;
        last_y = ball_y;
        last_x = ball_x;
        terminal = false;
    }

    float step(int action, Rng&) {
        if (action == left) paddle = std::max(paddle - 1, 0);
        if (action == right) paddle = std::min(paddle + 1, kSide - 1);
        last_y = ball_y;
        last_x = ball_x;
        int y = ball_y + kDy[direction], x = ball_x + kDx[direction];
        if (x < 0 || x >= kSide) {
            x = std::clamp(x, 0, kSide - 1);
            flipHorizontal();
        }
        float reward = 0;
        bool in_brick = false;
        if (y < 0) {
            y = 0;
            flipVertical();
        } else if (bricks.at(y, x)) {
            // If the ball enters a second consecutive brick, it does not break it.
            in_brick = true;
            if (!strike) {
                reward = 1;
                strike = true;
                bricks.clear(y, x);
                y = last_y;
                flipVertical();
            }
        } else if (y == kSide - 1) {
            if (!bricks.any()) bricks = kWall;
            if (ball_x == paddle) {
                y = last_y;
                flipVertical();
            } else if (x == paddle) {
                y = last_y;
                flipVertical();
                flipHorizontal();
            } else {
                terminal = true;
            }
        }
        if (!in_brick) strike = false;
        ball_y = y;
        ball_x = x;
        return reward;
    }

    void observe(std::uint8_t* planes) const {
        mark(planes, kPaddle, kSide - 1, paddle);
        mark(planes, kBall, ball_y, ball_x);
        mark(planes, kTrail, last_y, last_x);
        bricks.write(planes + kBrick * kCells);
    }

    template <class Visitor>
    void visit(Visitor& v) {
        v.integer("ball_y", ball_y, 0, kSide - 1);
        v.integer("ball_x", ball_x, 0, kSide - 1);
        v.integer("ball_dir", direction, up_left, down_left);
        v.integer("pos", paddle, 0, kSide - 1);
        v.board("brick_map", bricks);
        v.flag("strike", strike);
        v.integer("last_x", last_x, 0, kSide - 1);
        v.integer("last_y", last_y, 0, kSide - 1);
        v.flag("terminal", terminal);
        // A ball that continues below the paddle would leave the board.
        v.require("ball_y", terminal || ball_y < kSide - 1);
        v.require("brick_map", !bricks.without(kWall).any());
    }

    void draw(Scene& scene) const {
        constexpr Colour kRows[] = {{214, 84, 72}, {230, 158, 66}, {110, 190, 96}};
        for (int y = 0; y < kSide; ++y)
            for (int x = 0; x < kSide; ++x)
                if (bricks.at(y, x)) cell(scene, y, x, kRows[std::clamp(y - 1, 0, 2)], 0.94f, 0.84f);
        cell(scene, kSide - 1, paddle, {92, 172, 238}, 1.0f, 0.5f);
        scene.circle(centreX(last_x), centreY(last_y), 0.2f, {120, 122, 134});
        scene.circle(centreX(ball_x), centreY(ball_y), 0.35f, {246, 246, 250});
    }

    void flipHorizontal() { direction = static_cast<Direction>(direction ^ 1); }
    void flipVertical() { direction = static_cast<Direction>(3 - direction); }

    int ball_y = 3, ball_x = 0, paddle = 4, last_y = 3, last_x = 0;
    Direction direction = down_right;
    bool strike = false, terminal = false;
    Board bricks = kWall;
};

}  // namespace
SEEDBED_REGISTER_ENV(minatar_breakout, Batch<Breakout>, "MinAtar/Breakout-v0")
}  // namespace seedbed::minatar
