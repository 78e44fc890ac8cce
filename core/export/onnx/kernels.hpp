// SPDX-License-Identifier: Apache-2.0
// The operators of the reference interpreter.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/export/onnx/model.hpp"

namespace seedbed::onnx {

// A value during execution. Integers and booleans are in `ints`.
struct Value {
    Type type = Type::float32;
    std::vector<std::int64_t> dims;
    std::vector<float> floats;
    std::vector<std::int64_t> ints;

    std::size_t count() const;
};

// Applies one operator to its inputs (none of them is null). error: shapes or types that do not match the
// operator.
using Kernel = std::function<Result<Value>(const Node& node, const std::vector<const Value*>& inputs)>;
// Keyed by ONNX operator type.
const std::map<std::string, Kernel>& kernels();

}  // namespace seedbed::onnx
