// SPDX-License-Identifier: Apache-2.0
// A NetPlan as JSON text, so that it can cross the C border into the module; the module sees operations,
// never encoders.
#pragma once

#include <string>

#include "core/nn/net_plan.hpp"

namespace seedbed {

// Of the spec only the spaces travel: the rest is already compiled into the operations.
std::string planToJson(const NetPlan& plan);
// error: config.
Result<NetPlan> planFromJson(const std::string& text);

}  // namespace seedbed
