// SPDX-License-Identifier: Apache-2.0
// Two-player Pong: keep the ball out of your side and send it past the other paddle.
//
// An original game on a field of 40 x 30 cells. The paddles, five cells high, are in the columns next to the
// edges and move by one cell; the ball moves one column per step. The vertical speed of a returned ball is
// its offset from the middle of the paddle (-2 to 2) plus the paddle's motion. A ball that passes a paddle
// scores a point: +1 for one player and -1 for the other. The next ball is served from the middle with random
// height, speed and direction. Each agent sees the field as if it played on the left, so that one policy can
// play both sides.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "core/env/env_registry.hpp"
#include "envs/pixels.hpp"

namespace seedbed {
namespace {

constexpr int kWidth = 40, kHeight = 30, kReach = 2, kMaxSpeed = 3;
constexpr Colour kSides[] = {{92, 172, 238}, {240, 120, 90}};
constexpr int kLeft = 1, kRight = kWidth - 2;  // columns of the paddles

class Pong final : public Env {
public:
    struct Params {
        std::string opponent = "self";
        std::string observation = "vector";
        int points = 5;
        int stack = 4;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("pong", "Parameters of two-player Pong.")
                    .field(&Params::opponent, "opponent",
                           "The right player: the second agent, or a script that follows the ball.",
                           {.choices = {"self", "scripted"}})
                    .field(&Params::observation, "observation",
                           "Positions and speeds as six numbers, or a greyscale image of 84 x 84 pixels.",
                           {.choices = {"vector", "image"}})
                    .field(&Params::points, "points", "The episode ends when a player has this many points.",
                           {.unit = "points", .min = 1, .max = 100})
                    .field(&Params::stack, "stack", "Consecutive images that are passed to the network.",
                           {.unit = "frames", .min = 1, .max = 16});
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        const bool alone = params.opponent == "scripted", image = params.observation == "image";
        EnvSpec spec;
        spec.id = "pong";
        spec.title = std::string("Pong") + (alone ? " alone" : " for two") + (image ? " in pixels" : "");
        spec.sentence = alone ? "Send the ball past a scripted paddle that follows it"
                              : "Two agents send the ball past each other's paddle";
        spec.sentence += image ? "; observations are images of 84 x 84 pixels." : ".";
        spec.upstream = "original to Seedbed";
        spec.difficulty = image ? "hard" : "medium";
        if (image) {
            spec.spaces.obs = {pixelLeaf(params.stack)};
        } else {
            ObsLeaf leaf;
            leaf.shape = {6};
            leaf.low = -1;
            leaf.high = 1;
            // Rows count from the top, as on the screen.
            leaf.labels = {"own row",  "other's row",        "ball forward",
                           "ball row", "ball forward speed", "ball downward speed"};
            spec.spaces.obs = {leaf};
        }
        ActionLeaf move;
        move.n = 3;
        move.labels = {"up", "stay", "down"};
        spec.spaces.actions = {move};
        spec.agents = alone ? 1 : 2;
        spec.seat_colours = {kSides[0], kSides[1]};
        spec.horizon = 500 * params.points;
        spec.reward_low = -1;
        spec.reward_high = 1;
        if (alone) spec.solved = 0.8 * params.points;
        if (alone && params.points == 5) {
            spec.random_return = -3.575;
            spec.random_return_error = 0.005;
        }
        if (!alone) {
            spec.random_return = 0;
            spec.references = {{"random against random", 0, 0, "exact, by symmetry"}};
        }
        return spec;
    }

    explicit Pong(const Params& params)
        : scripted_(params.opponent == "scripted"),
          image_(params.observation == "image"),
          points_(params.points) {}

    void reset(Rng& rng) override {
        paddles_ = {kHeight / 2, kHeight / 2};
        score_ = {0, 0};
        serve(rng);
    }
    StepResult step(const float* actions, float* rewards, Rng& rng) override {
        std::array<int, 2> moves = {static_cast<int>(actions[0]) - 1, 0};
        moves[1] = scripted_ ? script() : static_cast<int>(actions[1]) - 1;
        for (std::size_t side = 0; side < 2; ++side) {
            const int before = paddles_[side];
            paddles_[side] = std::clamp(before + moves[side], kReach, kHeight - 1 - kReach);
            moves[side] = paddles_[side] - before;
        }
        fly(moves);
        StepResult result;
        if (x_ == 0 || x_ == kWidth - 1) {
            const bool left_scored = x_ != 0;
            result.reward = left_scored ? 1.0f : -1.0f;
            result.terminated = ++score_[left_scored ? 0 : 1] == points_;
            serve(rng);
        }
        rewards[0] = result.reward;
        if (!scripted_) rewards[1] = -result.reward;
        return result;
    }
    void observe(int agent, ObsOut out) const override {
        // The right player sees the field mirrored.
        const int own = paddles_[static_cast<std::size_t>(agent)],
                  other = paddles_[static_cast<std::size_t>(1 - agent)];
        const int forward = agent == 0 ? x_ : kWidth - 1 - x_, speed = agent == 0 ? dx_ : -dx_;
        if (image_) return paint(out.leaf<std::uint8_t>(0), own, other, forward);
        const auto scaled = [](int value, int extent) {
            return static_cast<float>(2 * value - extent) / static_cast<float>(extent);
        };
        auto* obs = out.leaf<float>(0);
        obs[0] = scaled(own, kHeight - 1);
        obs[1] = scaled(other, kHeight - 1);
        obs[2] = scaled(forward, kWidth - 1);
        obs[3] = scaled(y_, kHeight - 1);
        obs[4] = static_cast<float>(speed);
        obs[5] = static_cast<float>(dy_) / static_cast<float>(kMaxSpeed);
    }
    void draw(Scene& scene) const override {
        if (image_) {
            std::array<std::uint8_t, kFrameSize * kFrameSize> frame;
            paint(frame.data(), paddles_[0], paddles_[1], x_);
            return drawPixels(scene, frame.data());
        }
        scene.clear(-1, -1, kWidth + 1, kHeight + 1, {18, 22, 30});
        scene.rectangle(kWidth / 2.0f, kHeight + 0.3f, kWidth, 0.6f, {200, 206, 216});
        scene.rectangle(kWidth / 2.0f, -0.3f, kWidth, 0.6f, {200, 206, 216});
        for (int dash = 0; dash < 10; ++dash)
            scene.rectangle(kWidth / 2.0f, 3.0f * static_cast<float>(dash) + 1.5f, 0.4f, 1.5f, {86, 94, 110});
        const auto up = [](int y) { return static_cast<float>(kHeight - y) - 0.5f; };
        for (std::size_t side = 0; side < 2; ++side) {
            const float x = static_cast<float>(side == 0 ? kLeft : kRight) + 0.5f;
            scene.rectangle(x, up(paddles_[side]), 1, 2 * kReach + 1, kSides[side]);
            scene.label(kWidth / 2.0f + (side == 0 ? -5.0f : 5.0f), kHeight - 3.5f, 4,
                        std::to_string(score_[side]), kSides[side]);
        }
        scene.circle(static_cast<float>(x_) + 0.5f, up(y_), 0.7f, {250, 240, 210});
    }
    void archive(Archive& archive) override {
        archive.field("paddles", paddles_, range(kReach, kHeight - 1 - kReach));
        archive.field("score", score_, range(0, points_ - 1));
        archive.field("ball x", x_, range(1, kWidth - 2)).field("ball y", y_, range(0, kHeight - 1));
        archive.field("speed x", dx_, range(-1, 1)).field("speed y", dy_, range(-kMaxSpeed, kMaxSpeed));
    }
    Json state() const override {
        return {{"paddles", paddles_}, {"score", score_}, {"ball", {x_, y_}}, {"speed", {dx_, dy_}}};
    }
    Result<> setState(const Json& state) override {
        if (!state.is_object()) return fail("the state of pong must be an object");
        const auto pair = [&](const char* name, std::array<int, 2> low,
                              std::array<int, 2> high) -> Result<std::array<int, 2>> {
            const Json list = state.value(name, Json());
            std::array<int, 2> values{};
            for (std::size_t i = 0; i < 2; ++i) {
                const bool given = list.is_array() && list.size() == 2 && list[i].is_number_integer();
                const std::int64_t value = given ? list[i].get<std::int64_t>() : 0;
                if (!given || value < low[i] || value > high[i])
                    return fail(std::string("'") + name + "' must be a pair of integers in range");
                values[i] = static_cast<int>(value);
            }
            return values;
        };
        SEEDBED_ASSIGN(const auto paddles,
                       pair("paddles", {kReach, kReach}, {kHeight - 1 - kReach, kHeight - 1 - kReach}));
        SEEDBED_ASSIGN(const auto score, pair("score", {0, 0}, {points_, points_}));
        SEEDBED_ASSIGN(const auto ball, pair("ball", {1, 0}, {kWidth - 2, kHeight - 1}));
        SEEDBED_ASSIGN(const auto speed, pair("speed", {-1, -kMaxSpeed}, {1, kMaxSpeed}));
        if (speed[0] == 0) return fail("the ball must move one column per step");
        paddles_ = paddles;
        score_ = score;
        x_ = ball[0];
        y_ = ball[1];
        dx_ = speed[0];
        dy_ = speed[1];
        return {};
    }

private:
    void serve(Rng& rng) {
        dx_ = rng.below(2) == 0 ? -1 : 1;
        x_ = dx_ < 0 ? kWidth / 2 - 1 : kWidth / 2;  // at the same distance from both paddles
        y_ = static_cast<int>(rng.below(kHeight));
        dy_ = static_cast<int>(rng.below(2 * kReach + 1)) - kReach;
    }

    // Moves the ball; `moves` are the paddles' moves in this step.
    void fly(const std::array<int, 2>& moves) {
        x_ += dx_;
        y_ += dy_;
        if (y_ < 0) {
            y_ = -y_;
            dy_ = -dy_;
        }
        if (y_ >= kHeight) {
            y_ = 2 * (kHeight - 1) - y_;
            dy_ = -dy_;
        }
        const std::size_t side = dx_ < 0 ? 0 : 1;
        const int offset = y_ - paddles_[side];
        if (x_ != (side == 0 ? kLeft : kRight) || std::abs(offset) > kReach) return;
        dx_ = -dx_;
        dy_ = offset + moves[side];
    }

    // Follows an approaching ball and otherwise returns to the middle. Balls with a steep angle are too fast
    // for it.
    int script() const {
        const int target = dx_ > 0 ? y_ : kHeight / 2;
        return std::abs(target - paddles_[1]) <= 1 ? 0 : target > paddles_[1] ? 1 : -1;
    }

    // Two pixels per cell, centred.
    static constexpr int kCell = 2, kTop = (kFrameSize - kCell * kHeight) / 2,
                         kSide = (kFrameSize - kCell * kWidth) / 2;
    void paint(std::uint8_t* pixels, int own, int other, int forward) const {
        PixelFrame frame(pixels);
        for (const int wall : {kTop - 4, kTop + kCell * kHeight}) frame.fill(0, wall, kFrameSize, 4, 80);
        const auto paddle = [&](int column, int y, std::uint8_t grey) {
            frame.fill(kSide + kCell * column, kTop + kCell * (y - kReach), kCell, kCell * (2 * kReach + 1),
                       grey);
        };
        paddle(kLeft, own, 200);
        paddle(kRight, other, 140);
        frame.fill(kSide + kCell * forward, kTop + kCell * y_, kCell, kCell, 255);
    }

    bool scripted_, image_;
    int points_;
    std::array<int, 2> paddles_ = {kHeight / 2, kHeight / 2};  // row of the centre, from the top
    std::array<int, 2> score_{};
    int x_ = kWidth / 2, y_ = kHeight / 2, dx_ = 1, dy_ = 0;  // position and speed of the ball
};

}  // namespace
SEEDBED_REGISTER_ENV(pong, Pong)
SEEDBED_REGISTER_ENV_AS(pong_alone, Pong, (Json{{"opponent", "scripted"}}))
SEEDBED_REGISTER_ENV_AS(pong_pixels, Pong, (Json{{"opponent", "scripted"}, {"observation", "image"}}))
}  // namespace seedbed
