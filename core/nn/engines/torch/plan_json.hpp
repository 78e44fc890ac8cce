// SPDX-License-Identifier: Apache-2.0
// A NetPlan as JSON text, to pass it to the module through a C interface. The module supports operations, not
// encoders.
#pragma once

#include <string>

#include "core/nn/net_plan.hpp"

namespace seedbed {

// Only the spaces of the spec are included; the rest is already compiled into the operations.
std::string planToJson(const NetPlan& plan);
// error: config.
Result<NetPlan> planFromJson(const std::string& text);

}  // namespace seedbed
