// SPDX-License-Identifier: Apache-2.0
// Executor `c`: compiles and runs policy.h.
#pragma once

#include "core/export/target.hpp"

namespace seedbed {

Result<std::unique_ptr<Executor>> openCompiledC(const ExecutorRequest& request);

}  // namespace seedbed
