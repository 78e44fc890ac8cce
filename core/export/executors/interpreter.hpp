// SPDX-License-Identifier: Apache-2.0
// Executor `interpreter`: runs policy.onnx with the reference interpreter.
#pragma once

#include "core/export/target.hpp"

namespace seedbed {

inline constexpr const char* kOnnxName = "policy.onnx";

Result<std::unique_ptr<Executor>> openInterpreter(const ExecutorRequest& request);

}  // namespace seedbed
