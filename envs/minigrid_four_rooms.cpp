// SPDX-License-Identifier: Apache-2.0
// MiniGrid FourRooms: find the goal somewhere in four rooms that are joined by gaps in their walls.
//
// Reproduces https://github.com/Farama-Foundation/Minigrid 3.2.0, minigrid/envs/fourrooms.py (Sutton, Precup,
// Singh 1999); envs/minigrid.hpp lists the differences.
#include "core/env/env_registry.hpp"
#include "core/env/task_traits.hpp"
#include "envs/minigrid.hpp"

namespace seedbed::minigrid {
namespace {

constexpr int kSize = 19, kMiddle = kSize / 2;

class FourRooms final : public GridEnv {
public:
    struct Params {
        bool one_hot = false;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("minigrid_four_rooms", "Parameters of MiniGrid FourRooms.")
                    .field(&Params::one_hot, "one_hot", kOneHotHelp);
            return description;
        }
    };
    static Rules rules(const Params& params) { return {kSize, 100, false, params.one_hot}; }
    static EnvSpec spec(const Params& params) {
        EnvSpec spec = gridSpec("FourRooms", "Four rooms",
                                "Find the goal in four rooms that are joined by gaps in their walls.",
                                rules(params), Mission::reach_goal);
        spec.difficulty = "hard";
        spec.references = {{"SB3-zoo PPO", 0.573, 5'000'000, "rl-baselines3-zoo benchmark.md"}};
        return spec;
    }

    explicit FourRooms(const Params& params) : GridEnv(rules(params), Mission::reach_goal) {}

private:
    void generate(Rng& rng) override {
        grid_.verticalWall(kMiddle, 0, kSize);
        grid_.horizontalWall(0, kMiddle, kSize);
        // One gap in each of the four wall segments between the crossing and the edge.
        for (const int begin : {1, kMiddle + 1}) {
            const auto gap = [&] {
                return begin + static_cast<int>(rng.below(static_cast<std::uint32_t>(kMiddle - 1)));
            };
            grid_.set({kMiddle, gap()}, kEmptyCell);
            grid_.set({gap(), kMiddle}, kEmptyCell);
        }
        agent_ = {-1, -1};
        placeAgent(rng, kSize);
        grid_.set(freeCell(rng, kSize), kGoalCell);
    }
};

}  // namespace
SEEDBED_REGISTER_ENV(minigrid_four_rooms, FourRooms, "MiniGrid-FourRooms-v0")
SEEDBED_TASK_TRAITS(four_rooms, (TaskTraits{.sparse_reward = true}), "minigrid_four_rooms")
}  // namespace seedbed::minigrid
