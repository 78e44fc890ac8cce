// SPDX-License-Identifier: Apache-2.0
// The section "Use" of an export's README: programs that can be copied unchanged to run the files of this
// policy.
#pragma once

#include <string>
#include <vector>

#include "core/export/policy_model.hpp"
#include "core/export/target.hpp"

namespace seedbed {

// One program per exported file, with every input that this policy requires. `files`: the names of all files
// in the folder.
std::string usageText(const PolicyModel& model, const TargetOptions& options,
                      const std::vector<std::string>& files);

}  // namespace seedbed
