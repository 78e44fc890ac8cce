// SPDX-License-Identifier: Apache-2.0
// When training yields to the person at the computer. The rules of a data folder apply to all of its runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/describe.hpp"
#include "core/base/error.hpp"
#include "core/base/os/files.hpp"

namespace seedbed {

struct NeighbourRules {
    // Values of `battery` and `game`.
    static constexpr const char* kIgnore = "ignore";
    static constexpr const char* kLowPriority = "low";
    static constexpr const char* kPause = "pause";

    std::string battery = kLowPriority;
    std::string game = kPause;    // also for `programs`
    std::string programs;         // names separated by commas
    std::int64_t min_memory = 0;  // megabytes; 0: no limit
    std::int64_t min_disk = 0;    // megabytes; 0: no limit

    static const Description<NeighbourRules>& describe();
    // The names in `programs`.
    std::vector<std::string> programNames() const;
    bool operator==(const NeighbourRules&) const = default;
};

inline constexpr const char* kNeighbourFile = "neighbour.json";

// The rules of a data folder; the defaults if it has none. error: the file is damaged, too large, or contains
// impossible values; the caller uses the defaults.
Result<NeighbourRules> readNeighbourRules(FileSystem& files, const Path& data_folder);
// Replaces the rules atomically. error: config, for impossible values; otherwise as for
// writeFileAtomically().
Result<> writeNeighbourRules(FileSystem& files, const Path& data_folder, const NeighbourRules& rules);

}  // namespace seedbed
