// SPDX-License-Identifier: Apache-2.0
// One network of each kind, with the call shapes to test.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/nn/net_plan.hpp"

namespace seedbed::testing_torch {

struct NetworkCase {
    std::string name;
    NetPlan plan;
    std::vector<std::pair<int, int>> shapes;  // sequences, steps
};

const std::vector<NetworkCase>& networkCases();
const NetPlan& planNamed(const std::string& name);

}  // namespace seedbed::testing_torch
