// SPDX-License-Identifier: Apache-2.0
// Runs named on the command line, by id or by name.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/command.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/store/records.hpp"

namespace seedbed::app {

// Returns the id of a run. error: config for an unknown name, with a suggestion.
Result<RunId> resolveRun(const std::string& name, const Context& context);
// Returns the ids in the order of `names`.
Result<std::vector<RunId>> resolveRuns(const std::vector<std::string>& names, const Context& context);
// For parseCheckpointName() and loadPolicy(). Opens the database only when it is called.
RunResolver runResolver(const Context& context);

// Adds the required positional RUN.
void addRunArgument(CLI::App& cli, std::string& run);
// Adds the required positional RUN..., one or more runs.
void addRunsArgument(CLI::App& cli, std::vector<std::string>& runs);

}  // namespace seedbed::app
