// SPDX-License-Identifier: Apache-2.0
// Scripted players, which choose the actions of one seat (agent) of an environment without a network. One
// file per player in envs/players registers itself. Evaluations, matches and the command line create them by
// name.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/registry.hpp"
#include "core/env/env_registry.hpp"

namespace seedbed {

// The information available to a player at a decision.
struct SeatView {
    int seat = 0;                                 // agent of the environment
    const std::uint8_t* const* leaves = nullptr;  // observation of the seat, one pointer per leaf
    const std::uint8_t* mask = nullptr;           // mask of the seat, or null
    const Json* state = nullptr;                  // EnvBatch::state(), if ScriptedPlayer::needsState()
};

// Has no state of its own, so one object can play many seats. Thread: any.
class ScriptedPlayer {
public:
    virtual ~ScriptedPlayer() = default;
    virtual bool needsState() const { return false; }
    // Writes the action, f32 [A], which depends on the view and on `rng` only.
    virtual void act(const SeatView& view, Rng& rng, float* action) const = 0;
};

struct ScriptedPlayerEntry {
    std::string id;
    std::vector<std::string> aliases{};
    std::string summary;  // one sentence: how it plays
    // Players have at most one whole number as a parameter, ID:NUMBER.
    std::string parameter{};  // its name in the help, "DEPTH"; empty: none
    int low = 0, high = 0;
    bool has_default = false;  // whether ID alone means ID:default_value
    int default_value = 0;
    std::vector<std::string> envs{};  // ids of the environments that it plays; empty: all
    // error: config, if the player does not support the spaces.
    std::function<Result<std::unique_ptr<ScriptedPlayer>>(const EnvSpec& env, int parameter)> make;
};

Registry<ScriptedPlayerEntry>& scriptedPlayerRegistry();

// Whether `name` is the id of a player with or without a parameter, which may be invalid.
bool namesScriptedPlayer(std::string_view name);
// "random, tracker[:LOOKAHEAD], alpha_beta:DEPTH"
std::string scriptedPlayerForms();

// The player `name` (ID or ID:NUMBER) for the environment `env` with `spec`. error: config, for an unknown
// player, a parameter that is missing or out of range, and an environment that it does not play (the message
// lists the environments that it plays).
Result<std::unique_ptr<ScriptedPlayer>> makeScriptedPlayer(const std::string& name, const EnvEntry& env,
                                                           const EnvSpec& spec);

}  // namespace seedbed

// The last line of a file in envs/players: SEEDBED_REGISTER_PLAYER(tracker, {.id = "tracker", ...})
#define SEEDBED_REGISTER_PLAYER(name, ...)                     \
    [[maybe_unused]] static const bool seedbed_player_##name = \
        (::seedbed::scriptedPlayerRegistry().add(__VA_ARGS__), true);
