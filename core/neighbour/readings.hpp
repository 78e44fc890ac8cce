// SPDX-License-Identifier: Apache-2.0
// The state of the computer that the rules depend on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/neighbour/rules.hpp"

namespace seedbed {

struct NeighbourReadings {
    bool on_battery = false;
    bool game = false;                                    // one that Steam or GameMode started
    std::string program;                                  // one of the named programs; "": none is running
    std::optional<std::uint64_t> free_memory, free_disk;  // bytes; nullopt if unknown
};

// Reads what `rules` need, from /sys and from the processes of this user in /proc; what cannot be read counts
// as absent. Processes that started this one, and those that it started, do not count. Tests pass a different
// `root`.
NeighbourReadings readNeighbours(const NeighbourRules& rules, FileSystem& files, const Path& data_folder,
                                 const Path& root = "/");
// The programs of `rules` that neither run nor are in PATH: their names may be misspelt.
std::vector<std::string> programsNotFound(const NeighbourRules& rules, const Path& root = "/");

}  // namespace seedbed
