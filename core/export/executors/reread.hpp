// SPDX-License-Identifier: Apache-2.0
// Executor `reference`: reads the bundle back from the folder and runs it on the reference engine in double
// precision.
#pragma once

#include "core/export/bundle_files.hpp"
#include "core/export/target.hpp"

namespace seedbed {

Result<std::unique_ptr<Executor>> openReread(const ExecutorRequest& request);

}  // namespace seedbed
