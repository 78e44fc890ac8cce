// SPDX-License-Identifier: Apache-2.0
// Exports a policy from inside a host program.
#pragma once

#include <string>

#include "core/base/os/files.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed {

// Writes `folder` for one target and compares it with the policy, without running Python. Needs a C compiler
// for the target c. error: config for an unknown target; parity; from the file system.
Result<> exportTo(const Path& folder, const std::string& target, PolicyBundle bundle);

}  // namespace seedbed
