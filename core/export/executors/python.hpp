// SPDX-License-Identifier: Apache-2.0
// Executors that run Python programs: `onnxruntime` on policy.onnx, `numpy` on the safetensors files.
#pragma once

#include "core/export/target.hpp"

namespace seedbed {

Result<std::unique_ptr<Executor>> openOnnxRuntime(const ExecutorRequest& request);
Result<std::unique_ptr<Executor>> openNumpy(const ExecutorRequest& request);

}  // namespace seedbed
