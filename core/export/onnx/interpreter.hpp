// SPDX-License-Identifier: Apache-2.0
// The reference interpreter: runs an ONNX model from its bytes with plain loops that share no code with the
// engines.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/export/onnx/kernels.hpp"

namespace seedbed::onnx {

// Thread: one owner at a time.
class Interpreter {
public:
    // error: inconsistent names, or an operator or attribute that policies do not use (named in the message).
    static Result<Interpreter> create(Model model);

    const Model& model() const { return model_; }
    // Takes the inputs by name and returns the outputs by name. error: a missing input, shapes that do not
    // fit an operator (named in the message), or values of more than 1 GiB at a time.
    Result<std::map<std::string, Value>> run(const std::map<std::string, Value>& inputs) const;

private:
    explicit Interpreter(Model model) : model_(std::move(model)) {}
    Model model_;
    std::map<std::string, Value> constants_;
    std::vector<std::vector<std::string>> unused_after_;  // for each node: values that no later node reads
};

}  // namespace seedbed::onnx
