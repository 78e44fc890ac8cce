// SPDX-License-Identifier: Apache-2.0
// MiniGrid DoorKey: fetch the key, unlock the door, and reach the goal in the room behind it.
//
// Reproduces https://github.com/Farama-Foundation/Minigrid 3.2.0, minigrid/envs/doorkey.py; envs/minigrid.hpp
// lists the differences.
#include "core/env/env_registry.hpp"
#include "core/env/task_traits.hpp"
#include "envs/minigrid.hpp"

namespace seedbed::minigrid {
namespace {

class DoorKey final : public GridEnv {
public:
    struct Params {
        int size = 8;
        bool one_hot = false;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("minigrid_door_key", "Parameters of MiniGrid DoorKey.")
                    .field(&Params::size, "size", "Width and height of the map, including walls.",
                           {.unit = "cells", .min = 5, .max = kMaxSize})
                    .field(&Params::one_hot, "one_hot", kOneHotHelp);
            return description;
        }
    };
    static Rules rules(const Params& params) {
        return {params.size, 10 * params.size * params.size, false, params.one_hot};
    }
    static EnvSpec spec(const Params& params) {
        const std::string size = gridSize(params.size);
        EnvSpec spec = gridSpec("DoorKey-" + size, "Door and key, " + size,
                                "Fetch the key, unlock the door and reach the green goal behind it.",
                                rules(params), Mission::key_and_door);
        spec.difficulty = params.size <= 6 ? "medium" : "hard";
        spec.solved = 0.9;
        if (params.size == 5)
            spec.references = {{"SB3-zoo PPO", 0.964, 100'000, "rl-baselines3-zoo benchmark.md"}};
        return spec;
    }

    explicit DoorKey(const Params& params) : GridEnv(rules(params), Mission::key_and_door) {}

private:
    void generate(Rng& rng) override {
        const int size = rules_.size;
        grid_.set({size - 2, size - 2}, kGoalCell);
        const int split = 2 + static_cast<int>(rng.below(static_cast<std::uint32_t>(size - 4)));
        grid_.verticalWall(split, 0, size);
        agent_ = {-1, -1};
        placeAgent(rng, split);
        const int door = 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(size - 3)));
        grid_.set({split, door}, cellOf(Kind::locked_door, Paint::yellow));
        grid_.set(freeCell(rng, split), cellOf(Kind::key, Paint::yellow));
    }
};

}  // namespace
SEEDBED_REGISTER_ENV_AS(minigrid_door_key_5x5, DoorKey, (Json{{"size", 5}}), "MiniGrid-DoorKey-5x5-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_door_key_6x6, DoorKey, (Json{{"size", 6}}), "MiniGrid-DoorKey-6x6-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_door_key_8x8, DoorKey, (Json{{"size", 8}}), "MiniGrid-DoorKey-8x8-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_door_key_16x16, DoorKey, (Json{{"size", 16}}), "MiniGrid-DoorKey-16x16-v0")
SEEDBED_TASK_TRAITS(door_key, (TaskTraits{.sparse_reward = true}), "minigrid_door_key_5x5",
                    "minigrid_door_key_6x6", "minigrid_door_key_8x8", "minigrid_door_key_16x16")
}  // namespace seedbed::minigrid
