// SPDX-License-Identifier: Apache-2.0
// A Pong player whose paddle follows the ball, by at most one row per step, like all paddles of
// envs/pong.cpp.
//
// It moves towards the row that an approaching ball will have LOOKAHEAD steps later, but not beyond the
// paddle's column, and towards the middle while the ball recedes; it stays where it is within one row of its
// target. LOOKAHEAD 0 is the opponent of pong_alone, which misses balls whose vertical speed exceeds its own;
// with 40 it predicts where each ball arrives.
#include <algorithm>
#include <cstdlib>

#include "core/env/scripted_player.hpp"

namespace seedbed::tracker {
namespace {

// The values of envs/pong.cpp.
constexpr int kWidth = 40, kHeight = 30, kPaddleColumn = 1;
constexpr int kUp = 0, kStay = 1, kDown = 2;

// The row after `steps` steps with the vertical speed `dy`, with reflections at the walls.
int rowAfter(int y, int dy, int steps) {
    for (int step = 0; step < steps; ++step) {
        y += dy;
        if (y < 0) {
            y = -y;
            dy = -dy;
        }
        if (y >= kHeight) {
            y = 2 * (kHeight - 1) - y;
            dy = -dy;
        }
    }
    return y;
}

class Tracker final : public ScriptedPlayer {
public:
    explicit Tracker(int lookahead) : lookahead_(lookahead) {}
    bool needsState() const override { return true; }
    void act(const SeatView& view, Rng&, float* action) const override {
        const Json& state = *view.state;
        const Json &ball = state.at("ball"), &speed = state.at("speed");
        const int x = ball[0], dx = speed[0];
        const int paddle = state.at("paddles")[static_cast<std::size_t>(view.seat)];
        const bool is_left = view.seat == 0;
        const int distance = is_left ? x - kPaddleColumn : kWidth - 1 - kPaddleColumn - x;
        int target = kHeight / 2;
        if ((dx < 0) == is_left) target = rowAfter(ball[1], speed[1], std::clamp(distance, 0, lookahead_));
        *action = static_cast<float>(std::abs(target - paddle) <= 1 ? kStay : target > paddle ? kDown : kUp);
    }

private:
    int lookahead_;
};

}  // namespace

SEEDBED_REGISTER_PLAYER(
    tracker, {.id = "tracker",
              .summary = "Follows the ball; with LOOKAHEAD it aims at the row of the ball that number of "
                         "steps later.",
              .parameter = "LOOKAHEAD",
              .low = 0,
              .high = 40,
              .has_default = true,
              .default_value = 0,
              .envs = {"pong", "pong_alone", "pong_pixels"},
              .make = [](const EnvSpec&, int lookahead) -> Result<std::unique_ptr<ScriptedPlayer>> {
                  return std::make_unique<Tracker>(lookahead);
              }})
}  // namespace seedbed::tracker
