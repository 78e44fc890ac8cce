// SPDX-License-Identifier: Apache-2.0
// The parts of a data folder that belong to no run: imported policies and the list of the user's own
// environments.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/files.hpp"

namespace seedbed::app {

struct ExtrasReport {
    std::vector<std::string> policies;      // names of the copied policies
    std::vector<std::string> environments;  // titles that were copied
    std::vector<std::string> untrusted;     // titles that were not copied because they name programs
    std::vector<std::string> not_copied;    // one sentence for each policy or file that could not be copied
};

// Copies policies and environments that the data folder `to` does not have; existing ones stay unchanged.
// Policies are checked as in importPolicy(). Environments are added only with `trust`, since opening one runs
// its program. error: the list of environments could not be written; interrupted (some policies may have been
// copied).
Result<ExtrasReport> copyExtras(FileSystem& files, const Path& from, const Path& to, bool trust,
                                const std::stop_token& stop);

}  // namespace seedbed::app
