// SPDX-License-Identifier: Apache-2.0
// MiniGrid FourRooms: find the goal somewhere in four rooms that are joined by gaps in their walls.
//
// Reproduces https://github.com/Farama-Foundation/Minigrid 3.2.0, minigrid/envs/fourrooms.py (Sutton, Precup,
// Singh 1999); envs/minigrid.hpp lists the differences.
#include "core/env/env_registry.hpp"
#include "envs/minigrid.hpp"

namespace seedbed::minigrid {
namespace {

constexpr Rules kRules{19, 100, false};
constexpr int kMiddle = kRules.size / 2;

class FourRooms final : public GridEnv {
public:
    struct Params {
        static const Description<Params>& describe() {
            static const Description<Params> description("minigrid_four_rooms",
                                                         "MiniGrid FourRooms has no parameters.");
            return description;
        }
    };
    static EnvSpec spec(const Params&) {
        EnvSpec spec =
            gridSpec("FourRooms", "Find the goal in four rooms that are joined by gaps in their walls.",
                     kRules, Mission::reach_goal);
        spec.difficulty = "hard";
        spec.references = {{"SB3-zoo PPO", 0.573, 5'000'000, "rl-baselines3-zoo benchmark.md"}};
        return spec;
    }

    explicit FourRooms(const Params&) : GridEnv(kRules, Mission::reach_goal) {}

private:
    void generate(Rng& rng) override {
        grid_.verticalWall(kMiddle, 0, kRules.size);
        grid_.horizontalWall(0, kMiddle, kRules.size);
        // One gap in each of the four wall segments between the crossing and the edge.
        for (const int begin : {1, kMiddle + 1}) {
            const auto gap = [&] {
                return begin + static_cast<int>(rng.below(static_cast<std::uint32_t>(kMiddle - 1)));
            };
            grid_.set({kMiddle, gap()}, kEmptyCell);
            grid_.set({gap(), kMiddle}, kEmptyCell);
        }
        agent_ = {-1, -1};
        placeAgent(rng, kRules.size);
        grid_.set(freeCell(rng, kRules.size), kGoalCell);
    }
};

}  // namespace
SEEDBED_REGISTER_ENV(minigrid_four_rooms, FourRooms, "MiniGrid-FourRooms-v0")
}  // namespace seedbed::minigrid
