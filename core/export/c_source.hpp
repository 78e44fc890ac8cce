// SPDX-License-Identifier: Apache-2.0
// A policy as one C99 header.
#pragma once

#include <string>

#include "core/export/policy_model.hpp"
#include "core/export/target.hpp"

namespace seedbed {

inline constexpr const char* kHeaderName = "policy.h";

// policy.h: weights, struct policy, policy_reset, policy_act and, if the value estimate is included,
// policy_value.
// error: config; names an operation without a writer for C.
Result<std::string> cHeader(const PolicyModel& model, const TargetOptions& options);

}  // namespace seedbed
