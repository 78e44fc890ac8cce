// SPDX-License-Identifier: Apache-2.0
// The state of a player as text: the decision of the agent in focus and the outputs of its policy.
#pragma once

#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/spaces.hpp"
#include "core/control/inspection.hpp"
#include "core/control/player_frame.hpp"

namespace seedbed::app {

// Lines of at most `width` characters: state, episode, value, and for each action its probabilities or its
// mean and deviation. `title`: that of the environment. At most `most` lines.
std::vector<std::string> frameLines(const PlayerFrame& frame, const std::string& title, const Spaces& spaces,
                                    bool is_replay, int width, int most);

// Lines for an inspection: entropy, Q values, recurrent state, and the inputs with the largest saliency.
std::vector<std::string> inspectionLines(const Inspection& inspection, const Spaces& spaces, int width);

// {row, episode, step, source, action, value, entropy, reward, return, policy: [...], end}: one decision;
// `return` is that before its reward. Unknown numbers are null.
Json recordJson(const PlayerRecord& record);

}  // namespace seedbed::app
