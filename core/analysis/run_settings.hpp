// SPDX-License-Identifier: Apache-2.0
// A run's configuration as settings of the command line, to start another one like it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed {

// What of the computer goes along: another try leaves device and engine to be chosen anew; more seeds of the
// same group need the same ones.
enum class KeepMachine : bool { no, yes };

// Appends the leaves of `json` as (dotted name, value), in document order.
void flatten(const Json& json, const std::string& prefix, std::vector<std::pair<std::string, Json>>& fields);

// (dotted name, text) of all settings but environment, seed and threads; `change` ({"algo.learning_rate":
// 0.01}) replaces values.
std::vector<std::pair<std::string, std::string>> settingsOf(const Json& config, const Json& change,
                                                            KeepMachine machine = KeepMachine::no);

// The command that starts a run with these options (names without dashes), in their order, for a POSIX shell.
std::string trainCommand(const std::string& env,
                         const std::vector<std::pair<std::string, std::string>>& options);

// A value as it is written on the command line: lists with commas.
std::string settingText(const Json& value);

}  // namespace seedbed
