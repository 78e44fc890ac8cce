// SPDX-License-Identifier: Apache-2.0
// Imports TensorBoard event files as runs, for 'seedbed import'.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/command.hpp"
#include "core/base/os/files.hpp"

namespace seedbed::app {

// Empty values are taken from the name of the folder, as far as it contains them.
struct EventImportOptions {
    std::string name;
    std::string env;
    std::string algo;
    std::optional<std::int64_t> seed;

    bool isEmpty() const { return env.empty() && algo.empty() && !seed; }
};

// Imports the runs in `folders`, which contain event files. error: config if a file is damaged, or if none
// contains scalars; runs that were imported before remain.
Result<int> importEvents(const std::vector<Path>& folders, const EventImportOptions& options,
                         const Context& context);

}  // namespace seedbed::app
