// SPDX-License-Identifier: Apache-2.0
// Explains failures of pip.
#pragma once

#include <string>

#include "core/base/error.hpp"

namespace seedbed {

// The cause of a failure of pip and the remedy, from its output: no network, a file with a different hash, a
// missing package, a full disk; otherwise pip's own message.
Error explainPipFailure(const std::string& output);

}  // namespace seedbed
