// SPDX-License-Identifier: Apache-2.0
// Catch: move a paddle under a falling ball.
//
// Reproduces https://github.com/google-deepmind/bsuite 0.3.5, bsuite/environments/catch.py. Differences:
// a different random stream; the board is u8 instead of f32.
#include <algorithm>
#include <array>

#include "core/env/env_registry.hpp"
#include "envs/pixels.hpp"

namespace seedbed {
namespace {

constexpr int kRows = 10, kColumns = 5;

class Catch final : public Env {
public:
    struct Params {
        bool pixels = false;
        int stack = 1;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("catch", "Parameters of Catch.")
                    .field(&Params::pixels, "pixels",
                           "Observe the board as a greyscale image of 84 x 84 pixels.")
                    .field(&Params::stack, "stack", "Consecutive images that are passed to the network.",
                           {.unit = "frames", .min = 1, .max = 16});
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "catch";
        spec.title = "Catch";
        spec.sentence = "Move the paddle under the falling ball.";
        spec.upstream =
            "https://github.com/google-deepmind/bsuite 0.3.5 catch/0 (10 x 5); the board is u8, different "
            "random stream";
        spec.difficulty = "easy";
        ObsLeaf board;
        board.name = "board";
        board.kind = ObsLeaf::Kind::image;
        board.dtype = DType::u8;
        board.shape = {1, kRows, kColumns};
        board.low = 0;
        board.high = 1;
        board.labels = {"ball and paddle"};
        board.stack = params.stack;
        spec.spaces.obs = {params.pixels ? pixelLeaf(params.stack) : board};
        ActionLeaf move;
        move.n = 3;
        move.labels = {"left", "stay", "right"};
        spec.spaces.actions = {move};
        spec.reward_low = -1;
        spec.reward_high = 1;
        spec.solved = 0.95;
        spec.random_return = -0.6;
        spec.references = {{"optimum", 1, 0, "bsuite: one point for each ball"},
                           {"random", -0.6, 0, "bsuite, base regret 1.6"}};
        if (params.pixels) {
            spec.title = "Catch in pixels";
            spec.sentence =
                "Move the paddle under the falling ball; observations are images of 84 x 84 pixels.";
            spec.upstream += "; drawn to pixels";
        }
        return spec;
    }

    explicit Catch(const Params& params) : pixels_(params.pixels) {}

    void reset(Rng& rng) override {
        ball_x_ = static_cast<int>(rng.below(kColumns));
        ball_y_ = 0;
        paddle_x_ = kColumns / 2;
    }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        paddle_x_ = std::clamp(paddle_x_ + static_cast<int>(actions[0]) - 1, 0, kColumns - 1);
        ++ball_y_;
        StepResult result;
        result.terminated = ball_y_ == kPaddleY;
        if (result.terminated) result.reward = paddle_x_ == ball_x_ ? 1.0f : -1.0f;
        rewards[0] = result.reward;
        return result;
    }
    void observe(int, ObsOut out) const override {
        auto* board = out.leaf<std::uint8_t>(0);
        if (pixels_) return paint(board);
        std::fill_n(board, kRows * kColumns, std::uint8_t{0});
        board[ball_y_ * kColumns + ball_x_] = 1;
        board[kPaddleY * kColumns + paddle_x_] = 1;
    }
    void draw(Scene& scene) const override {
        if (pixels_) {
            std::array<std::uint8_t, kFrameSize * kFrameSize> frame;
            paint(frame.data());
            return drawPixels(scene, frame.data());
        }
        scene.clear(-0.25f, -0.25f, kColumns + 0.25f, kRows + 0.25f, {24, 28, 38});
        scene.rectangle(kColumns / 2.0f, kRows / 2.0f, kColumns, kRows, {38, 44, 58});
        const auto column = [](int x) { return static_cast<float>(x) + 0.5f; };
        scene.rectangle(column(paddle_x_), 0.35f, 1, 0.5f, {92, 172, 238});
        scene.circle(column(ball_x_), static_cast<float>(kRows - ball_y_) - 0.5f, 0.42f, {246, 190, 70});
    }
    void archive(Archive& archive) override {
        archive.field("ball_x", ball_x_, range(0, kColumns - 1));
        archive.field("ball_y", ball_y_, range(0, kPaddleY - 1));  // the episode ends when the ball reaches
                                                                   // the paddle
        archive.field("paddle_x", paddle_x_, range(0, kColumns - 1));
    }
    Json state() const override {
        return {{"ball_x", ball_x_}, {"ball_y", ball_y_}, {"paddle_x", paddle_x_}, {"paddle_y", kPaddleY}};
    }
    Result<> setState(const Json& state) override {
        const auto read = [&](const char* name, int bound) {
            const int value = state.is_object() && state.contains(name) && state[name].is_number_integer()
                                  ? state[name].get<int>()
                                  : -1;
            return value < bound ? value : -1;
        };
        const int ball_x = read("ball_x", kColumns), ball_y = read("ball_y", kRows),
                  paddle_x = read("paddle_x", kColumns);
        if (ball_x < 0 || ball_y < 0 || paddle_x < 0)
            return fail("the state of catch must have ball_x, ball_y and paddle_x on the 10 x 5 board");
        ball_x_ = ball_x;
        ball_y_ = ball_y;
        paddle_x_ = paddle_x;
        return {};
    }

private:
    static constexpr int kPaddleY = kRows - 1;

    // Draws eight pixels per cell, centred between two walls.
    void paint(std::uint8_t* pixels) const {
        constexpr int kCell = 8, kLeft = (kFrameSize - kCell * kColumns) / 2,
                      kTop = (kFrameSize - kCell * kRows) / 2;
        PixelFrame frame(pixels);
        for (const int wall : {kLeft - 2, kLeft + kCell * kColumns}) frame.fill(wall, 0, 2, kFrameSize, 80);
        frame.fill(kLeft + kCell * ball_x_ + 1, kTop + kCell * ball_y_ + 1, kCell - 2, kCell - 2, 255);
        frame.fill(kLeft + kCell * paddle_x_, kTop + kCell * kPaddleY + 2, kCell, kCell - 4, 180);
    }

    bool pixels_;
    int ball_x_ = 0, ball_y_ = 0, paddle_x_ = kColumns / 2;
};

}  // namespace
SEEDBED_REGISTER_ENV(catch, Catch, "catch/0")
SEEDBED_REGISTER_ENV_AS(catch_pixels, Catch, (Json{{"pixels", true}, {"stack", 4}}))
}  // namespace seedbed
