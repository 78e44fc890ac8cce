// SPDX-License-Identifier: Apache-2.0
// The uniformly random player.
#include "core/env/random_policy.hpp"
#include "core/env/scripted_player.hpp"

namespace seedbed {
namespace {

class RandomPlayer final : public ScriptedPlayer {
public:
    explicit RandomPlayer(Spaces spaces) : spaces_(std::move(spaces)) {}
    void act(const SeatView& view, Rng& rng, float* action) const override {
        randomActions(spaces_, 1, view.mask, rng, action);
    }

private:
    Spaces spaces_;
};

}  // namespace

SEEDBED_REGISTER_PLAYER(random,
                        {.id = "random",
                         .summary = "Takes every legal action with the same probability.",
                         .make = [](const EnvSpec& env, int) -> Result<std::unique_ptr<ScriptedPlayer>> {
                             return std::make_unique<RandomPlayer>(env.spaces);
                         }})
}  // namespace seedbed
