// SPDX-License-Identifier: Apache-2.0
// MiniGrid Empty: walk through an empty room to the goal in its corner.
//
// Reproduces https://github.com/Farama-Foundation/Minigrid 3.2.0, minigrid/envs/empty.py; envs/minigrid.hpp
// lists the differences.
#include "core/env/env_registry.hpp"
#include "envs/minigrid.hpp"

namespace seedbed::minigrid {
namespace {

class Empty final : public GridEnv {
public:
    struct Params {
        int size = 8;
        bool random_start = false;
        bool one_hot = false;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("minigrid_empty", "Parameters of MiniGrid Empty.")
                    .field(&Params::size, "size", "Width and height of the map, including walls.",
                           {.unit = "cells", .min = 4, .max = kMaxSize})
                    .field(&Params::random_start, "random_start",
                           "Start at a random position instead of the corner.")
                    .field(&Params::one_hot, "one_hot", kOneHotHelp);
            return description;
        }
    };
    static Rules rules(const Params& params) {
        return {params.size, 4 * params.size * params.size, true, params.one_hot};
    }
    static EnvSpec spec(const Params& params) {
        const std::string size = gridSize(params.size);
        const std::string title = "Empty room, " + size + (params.random_start ? ", random start" : "");
        const std::string name = (params.random_start ? "Empty-Random-" : "Empty-") + size;
        EnvSpec spec = gridSpec(name, title, "Walk through an empty room to the green goal.", rules(params),
                                Mission::green_goal);
        spec.difficulty = params.size > 8 ? "medium" : "easy";
        spec.solved = 0.9;
        if (params.size == 5 && params.random_start)
            spec.references = {{"SB3-zoo PPO", 0.968, 100'000, "rl-baselines3-zoo benchmark.md"}};
        return spec;
    }

    explicit Empty(const Params& params)
        : GridEnv(rules(params), Mission::green_goal), random_start_(params.random_start) {}

private:
    void generate(Rng& rng) override {
        const int size = rules_.size;
        grid_.set({size - 2, size - 2}, kGoalCell);
        agent_ = {1, 1};
        if (random_start_) {
            agent_ = {-1, -1};
            placeAgent(rng, size);
        }
    }

    bool random_start_;
};

}  // namespace
SEEDBED_REGISTER_ENV_AS(minigrid_empty_5x5, Empty, (Json{{"size", 5}}), "MiniGrid-Empty-5x5-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_empty_random_5x5, Empty, (Json{{"size", 5}, {"random_start", true}}),
                        "MiniGrid-Empty-Random-5x5-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_empty_6x6, Empty, (Json{{"size", 6}}), "MiniGrid-Empty-6x6-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_empty_random_6x6, Empty, (Json{{"size", 6}, {"random_start", true}}),
                        "MiniGrid-Empty-Random-6x6-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_empty_8x8, Empty, (Json{{"size", 8}}), "MiniGrid-Empty-8x8-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_empty_16x16, Empty, (Json{{"size", 16}}), "MiniGrid-Empty-16x16-v0")
}  // namespace seedbed::minigrid
