// SPDX-License-Identifier: Apache-2.0
// A run's configuration as command-line settings, to start a similar run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed {

// Whether device and engine are copied: additional seeds of a group need the same ones; for other runs they
// are chosen again.
enum class KeepMachine : bool { no, yes };

// Appends the leaves of `json` as (dotted name, value), in document order.
void flatten(const Json& json, const std::string& prefix, std::vector<std::pair<std::string, Json>>& fields);

// (dotted name, text) of all settings except environment, seed and threads.
// `change` replaces values, for example
// {"algo.learning_rate": 0.01}.
std::vector<std::pair<std::string, std::string>> settingsOf(const Json& config, const Json& change,
                                                            KeepMachine machine = KeepMachine::no);

// The command that starts a run with these options (names without dashes), in the given order, for a POSIX
// shell.
std::string trainCommand(const std::string& env,
                         const std::vector<std::pair<std::string, std::string>>& options);

// A value in the form used on the command line; lists are separated by commas.
std::string settingText(const Json& value);

}  // namespace seedbed
