// SPDX-License-Identifier: Apache-2.0
// Applies the rules for other programs (core/neighbour) to the run of this process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/thread.hpp"
#include "core/run/run_control.hpp"

namespace seedbed {

// The lowest priority of this process and its workers, which ends with the object as far as the system
// permits: without privileges niceness cannot be raised again, only that of a session that no other program
// shares.
class LowPriority {
public:
    LowPriority();
    ~LowPriority();
    LowPriority(const LowPriority&) = delete;
    LowPriority& operator=(const LowPriority&) = delete;

private:
    int before_;  // niceness
    // Processes with a session that no other program shares, and its niceness before.
    std::vector<std::pair<int, int>> sessions_;
};

// Reads rules and readings every two seconds, on its own thread, and reports them to the run's control.
class NeighbourWatch {
public:
    // `control` must outlive this object.
    NeighbourWatch(std::filesystem::path data_folder, RunControl& control)
        : data_folder_(std::move(data_folder)), control_(control) {}
    // The destructor stops it.
    void start();

private:
    void look();

    const std::filesystem::path data_folder_;
    RunControl& control_;
    std::optional<LowPriority> low_;
    NamedThread thread_;  // declared last because it uses the members above
};

}  // namespace seedbed
