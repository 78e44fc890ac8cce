// SPDX-License-Identifier: Apache-2.0
// The restrictions of worker processes that this computer supports.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace seedbed {

struct WorkerRestriction {
    std::string id;        // as in envs/python/seedbed_worker/restrict.py: "network"
    std::string sentence;  // what it prevents
    bool is_active = false;
    std::string reason{};  // why it is not active
};

// Starts a worker with the restrictions of an environment and one with those of a game. Reports which
// restrictions are active, and, with the id "games", whether games are isolated. Takes about 0.2 s. error:
// Python is missing, or the worker fails.
Result<std::vector<WorkerRestriction>> workerRestrictions(const std::stop_token& stop = {});

// The restrictions in a worker's report, {"active": [id], "missing": {id: reason}}, most important first. A
// restriction that the report does not mention is not active.
std::vector<WorkerRestriction> restrictionsFromJson(const Json& report);

}  // namespace seedbed
