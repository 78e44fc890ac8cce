// SPDX-License-Identifier: Apache-2.0
// A player for all seats of simple tag. An adversary runs towards the prey, along the axis on which it is
// farther away. The prey chooses the action after which the nearest adversary is farthest away, and stays
// within the square.
#include <algorithm>
#include <cmath>

#include "core/env/scripted_player.hpp"

namespace seedbed::chase {
namespace {

// The layout of observations and the order of actions of envs/simple_tag.cpp.
constexpr int kOwnPosition = 2, kOthers = 8, kOthersEnd = 14, kPrey = 12;
constexpr float kMoves[][2] = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
constexpr float kReach = 0.3f;   // distance that the prey looks ahead
constexpr float kBorder = 0.9f;  // beyond it the prey is penalised

class Chase final : public ScriptedPlayer {
public:
    void act(const SeatView& view, Rng&, float* action) const override {
        const auto* obs = reinterpret_cast<const float*>(view.leaves[0]);
        const bool is_prey = *reinterpret_cast<const std::int32_t*>(view.leaves[1]) != 0;
        *action = static_cast<float>(is_prey ? flee(obs) : follow(obs[kPrey], obs[kPrey + 1]));
    }

private:
    static int follow(float x, float y) {
        if (std::abs(x) > std::abs(y)) return x < 0 ? 1 : 2;
        return y < 0 ? 3 : 4;
    }
    static int flee(const float* obs) {
        int best = 0;
        float best_value = -1e9f;
        for (int action = 0; action < static_cast<int>(std::size(kMoves)); ++action) {
            const float x = kReach * kMoves[action][0], y = kReach * kMoves[action][1];
            float value = 1e9f;
            for (int other = kOthers; other < kOthersEnd; other += 2)
                value = std::min(value, std::hypot(obs[other] - x, obs[other + 1] - y));
            const float own[] = {obs[kOwnPosition] + x, obs[kOwnPosition + 1] + y};
            for (const float position : own) value -= 3 * std::max(0.0f, std::abs(position) - kBorder);
            if (value <= best_value) continue;
            best = action;
            best_value = value;
        }
        return best;
    }
};

Result<std::unique_ptr<ScriptedPlayer>> make(const EnvSpec& env, int) {
    const auto& obs = env.spaces.obs;
    const bool fits = obs.size() >= 2 && obs[0].shape == std::vector<int>{16} && obs[1].name == "role";
    if (!fits) return fail(ErrorCode::config, "needs the observations of simple_tag");
    return std::make_unique<Chase>();
}

}  // namespace

SEEDBED_REGISTER_PLAYER(chase,
                        {.id = "chase",
                         .summary = "Adversaries run towards the prey, which runs away from the nearest one.",
                         .envs = {"simple_tag"},
                         .make = make})
}  // namespace seedbed::chase
