// SPDX-License-Identifier: Apache-2.0
// Actions that a person gives to a player: by name or number, checked against the spaces and the mask.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/spaces.hpp"
#include "core/env/env.hpp"

namespace seedbed {

// An action as JSON: a name or a number if the action has one word; a list with one element per word; or an
// object {name of a leaf or dimension: value}, in which missing words get the default action's. Names are
// labels of choices. Returns f32 [action words] within the bounds. error: config, with the known names.
Result<std::vector<float>> parseAction(const Json& json, const Spaces& spaces);
// The name of choice `index` of a discrete leaf.
std::string choiceName(const ActionLeaf& leaf, int index);
// "push left", or "force 0.5".
std::string actionText(const std::vector<float>& action, const Spaces& spaces);

// error: config, with the allowed choices. `mask`: u8 [mask bytes] or null.
Result<> checkAllowed(const std::vector<float>& action, const std::uint8_t* mask, const Spaces& spaces);
// The same for a column of `masks`, u8 [columns, mask bytes], which is empty without masks.
Result<> checkAllowed(const std::vector<float>& action, const std::vector<std::uint8_t>& masks, int column,
                      const Spaces& spaces);
// The only action that the mask allows, if there is one.
std::optional<std::vector<float>> forcedAction(const std::uint8_t* mask, const Spaces& spaces);
// The action that does nothing: the choice called noop, nothing, stay, wait, coast, no torque or similar, and
// 0 (or the nearest bound) for continuous words. nullopt if a leaf has no such choice.
std::optional<std::vector<float>> defaultAction(const Spaces& spaces);

// [[choice, x, y, width, height], ...], see EnvSpec::areas.
Json areasOf(const EnvSpec& env);
// [[red, green, blue], ...], one per agent or none.
Json seatColoursOf(const EnvSpec& env);

// The behaviour of a seat while its person gives no action.
enum class IdleRule : std::uint8_t {
    wait,        // the game waits
    do_nothing,  // the default action
    hold,        // the latest action again
    policy       // the policy chooses
};
// "wait", "nothing", "hold" or "policy".
const char* nameOf(IdleRule rule);
std::optional<IdleRule> idleRuleOf(const std::string& name);
// Games in which seats take turns (several seats and a mask) wait, and those without a default action.
IdleRule defaultIdleRule(const Spaces& spaces, int agents);

}  // namespace seedbed
