// SPDX-License-Identifier: Apache-2.0
// C programs that use the exported header.
#pragma once

#include <string>

#include "core/export/policy_model.hpp"
#include "core/export/target.hpp"

namespace seedbed {

// policy_example.c: reads observations as text, prints actions.
std::string cExample(const PolicyModel& model, const TargetOptions& options);
// A program that uses policy.h to answer FloatPipe's requests.
std::string cHarness(const PolicyModel& model, const TargetOptions& options);

}  // namespace seedbed
