// SPDX-License-Identifier: Apache-2.0
// The reference interpreter: runs an ONNX model from its bytes with plain loops that share no code with the
// engines.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/export/onnx/model.hpp"

namespace seedbed::onnx {

// A value of a run. Integers and truth values are in `ints`.
struct Value {
    Type type = Type::float32;
    std::vector<std::int64_t> dims;
    std::vector<float> floats;
    std::vector<std::int64_t> ints;

    std::size_t count() const;
};

// Thread: one owner at a time.
class Interpreter {
public:
    // error: an operator or attribute that policies are not made of (named), names that do not fit together.
    static Result<Interpreter> create(Model model);

    const Model& model() const { return model_; }
    // `inputs` by name; returns the outputs by name. error: a missing input, or shapes that do not fit an
    // operator (named).
    Result<std::map<std::string, Value>> run(const std::map<std::string, Value>& inputs) const;

private:
    explicit Interpreter(Model model) : model_(std::move(model)) {}
    Model model_;
    std::map<std::string, Value> constants_;
};

// One operator on its inputs (none is null). error: shapes or types that do not fit.
using Kernel = std::function<Result<Value>(const Node& node, const std::vector<const Value*>& inputs)>;
const std::map<std::string, Kernel>& kernels();

}  // namespace seedbed::onnx
