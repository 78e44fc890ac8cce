// SPDX-License-Identifier: Apache-2.0
// MiniGrid LavaCrossing: cross the map through the only gap in each river of lava; touching lava ends the
// episode without a reward.
//
// Reproduces https://github.com/Farama-Foundation/Minigrid 3.2.0, minigrid/envs/crossing.py;
// envs/minigrid.hpp lists the differences.
#include <algorithm>
#include <array>

#include "core/env/env_registry.hpp"
#include "core/env/task_traits.hpp"
#include "envs/minigrid.hpp"

namespace seedbed::minigrid {
namespace {

template <class T, std::size_t kSize>
void shuffle(std::array<T, kSize>& values, int count, Rng& rng) {
    for (int i = count - 1; i > 0; --i)
        std::swap(values[static_cast<std::size_t>(i)], values[rng.below(static_cast<std::uint32_t>(i + 1))]);
}

class LavaCrossing final : public GridEnv {
public:
    struct Params {
        int size = 9;
        int crossings = 1;
        bool one_hot = false;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("minigrid_lava_crossing", "Parameters of MiniGrid LavaCrossing.")
                    .field(&Params::size, "size",
                           "Width and height of the map, including walls; an even size is rounded up.",
                           {.unit = "cells", .min = 5, .max = kMaxSize})
                    .field(&Params::crossings, "crossings", "Maximum number of rivers of lava to cross.",
                           {.min = 0, .max = kMaxSize})
                    .field(&Params::one_hot, "one_hot", kOneHotHelp);
            return description;
        }
    };
    static Rules rules(const Params& params) {
        const int size = params.size | 1;
        return {size, 4 * size * size, false, params.one_hot};
    }
    static EnvSpec spec(const Params& params) {
        const std::string name =
            "LavaCrossingS" + std::to_string(params.size | 1) + "N" + std::to_string(params.crossings);
        const std::string title = "Lava crossing, " + gridSize(params.size | 1) + ", " +
                                  std::to_string(params.crossings) +
                                  (params.crossings == 1 ? " river" : " rivers");
        EnvSpec spec =
            gridSpec(name, title, "Cross the rivers of lava through their gaps and reach the green goal.",
                     rules(params), Mission::avoid_lava);
        spec.difficulty = params.crossings <= 1 ? "medium" : "hard";
        spec.solved = 0.9;
        return spec;
    }

    explicit LavaCrossing(const Params& params)
        : GridEnv(rules(params), Mission::avoid_lava), crossings_(params.crossings) {}

private:
    // Rivers are on even columns and rows, sampled without replacement. A path to the goal, which crosses
    // them in a random order, determines the gap of each river.
    void generate(Rng& rng) override {
        const int size = rules_.size;
        agent_ = {1, 1};
        direction_ = 0;
        grid_.set({size - 2, size - 2}, kGoalCell);

        const int lines = (size - 3) / 2;  // 2, 4, ..., size - 3
        std::array<int, 2 * kMaxSize> order{};
        for (int i = 0; i < 2 * lines; ++i) order[static_cast<std::size_t>(i)] = i;
        shuffle(order, 2 * lines, rng);
        const int count = std::min(crossings_, 2 * lines);
        std::sort(order.begin(), order.begin() + count);
        std::array<int, kMaxSize> columns{}, rows{};  // including the walls at both ends
        std::size_t vertical = 1, horizontal = 1;
        for (int i = 0; i < count; ++i) {
            const int river = order[static_cast<std::size_t>(i)];
            if (river < lines) columns[vertical++] = 2 + 2 * river;
            else rows[horizontal++] = 2 + 2 * (river - lines);
        }
        columns[vertical] = rows[horizontal] = size - 1;
        for (int i = 1; i < size - 1; ++i) {
            for (std::size_t k = 1; k < vertical; ++k) grid_.set({columns[k], i}, cellOf(Kind::lava));
            for (std::size_t k = 1; k < horizontal; ++k) grid_.set({i, rows[k]}, cellOf(Kind::lava));
        }

        std::array<bool, kMaxSize> across{};  // whether the next river on the path is vertical
        std::fill_n(across.begin(), vertical - 1, true);
        shuffle(across, count, rng);
        const auto between = [&](int low, int high) {
            return low + 1 + static_cast<int>(rng.below(static_cast<std::uint32_t>(high - low - 1)));
        };
        std::size_t column = 0, row = 0;
        for (int i = 0; i < count; ++i) {
            if (across[static_cast<std::size_t>(i)]) {
                grid_.set({columns[column + 1], between(rows[row], rows[row + 1])}, kEmptyCell);
                ++column;
            } else {
                grid_.set({between(columns[column], columns[column + 1]), rows[row + 1]}, kEmptyCell);
                ++row;
            }
        }
    }

    int crossings_;
};

}  // namespace
SEEDBED_REGISTER_ENV_AS(minigrid_lava_crossing_s9n1, LavaCrossing, (Json{{"size", 9}, {"crossings", 1}}),
                        "MiniGrid-LavaCrossingS9N1-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_lava_crossing_s9n2, LavaCrossing, (Json{{"size", 9}, {"crossings", 2}}),
                        "MiniGrid-LavaCrossingS9N2-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_lava_crossing_s9n3, LavaCrossing, (Json{{"size", 9}, {"crossings", 3}}),
                        "MiniGrid-LavaCrossingS9N3-v0")
SEEDBED_REGISTER_ENV_AS(minigrid_lava_crossing_s11n5, LavaCrossing, (Json{{"size", 11}, {"crossings", 5}}),
                        "MiniGrid-LavaCrossingS11N5-v0")
SEEDBED_TASK_TRAITS(lava_crossing, (TaskTraits{.sparse_reward = true}), "minigrid_lava_crossing_s9n1",
                    "minigrid_lava_crossing_s9n2", "minigrid_lava_crossing_s9n3",
                    "minigrid_lava_crossing_s11n5")
}  // namespace seedbed::minigrid
