// SPDX-License-Identifier: Apache-2.0
// The interpreter's operators that multiply and add: Gemm, Conv, MaxPool. Internal to core/export/onnx.
#pragma once

#include "core/export/onnx/kernels.hpp"

namespace seedbed::onnx {

// The maximum number of elements of a tensor, because files are untrusted; tensors of policies are far
// smaller.
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 27;

// The number of elements of a shape. error: a negative size, or more than kMaxElements.
Result<std::size_t> elementsOf(const std::vector<std::int64_t>& dims);
// A float value of zeros. error: as for elementsOf().
Result<Value> floatValue(std::vector<std::int64_t> dims);

Result<Value> runGemm(const Node& node, const std::vector<const Value*>& inputs);
Result<Value> runConv(const Node& node, const std::vector<const Value*>& inputs);
Result<Value> runMaxPool(const Node& node, const std::vector<const Value*>& inputs);

}  // namespace seedbed::onnx
