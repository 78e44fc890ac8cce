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
#include "core/store/store_reader.hpp"

namespace seedbed::app {

// Opens the runs of the data folder, after adding records that processes could not write before they exited.
Result<StoreReader> openRuns(const Context& context);
// Returns the id of a run. error: config for an unknown name, with a suggestion.
Result<RunId> resolveRun(const std::string& name, const Context& context);
// Which existing runs a range such as 1..3 selects.
enum class RangeSelects : bool { outside_trash, trash };
// Returns each id once, in the order of `names`, which may contain ranges. If a range selects only some of
// its runs, reports on stderr how many. error: config if a range selects no run, or for an unknown name.
Result<std::vector<RunId>> resolveRuns(const std::vector<std::string>& names, const Context& context,
                                       RangeSelects selects = RangeSelects::outside_trash);
// For parseCheckpointName() and loadPolicy(). The returned function opens the database when it is called.
RunResolver runResolver(const Context& context);

// Adds the required positional RUN.
void addRunArgument(CLI::App& cli, std::string& run);
// Adds the required positional RUN..., one or more runs.
void addRunsArgument(CLI::App& cli, std::vector<std::string>& runs);

}  // namespace seedbed::app
