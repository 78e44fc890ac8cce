// SPDX-License-Identifier: Apache-2.0
// Appends nodes and constants to an ONNX graph and generates their names. Internal to core/export/onnx.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/export/names.hpp"
#include "core/export/onnx/model.hpp"

namespace seedbed::onnx {

// Every function appends one node and returns the name of its output.
class GraphWriter {
public:
    explicit GraphWriter(Model& model) : model_(model) {}

    // Subsequent nodes are named "<scope>/<Op>_<number>".
    void setScope(std::string scope) { scope_ = std::move(scope); }

    std::string node(const std::string& op, std::vector<std::string> inputs,
                     std::vector<Attribute> attributes = {});
    // As above, but with a given output name; used for outputs of the graph.
    void named(const std::string& op, std::vector<std::string> inputs, const std::string& output,
               std::vector<Attribute> attributes = {});

    // Names of inputs, outputs, constants and intermediate results, which must differ.
    Names& names() { return names_; }

    // Add constants, whose names may get a number; equal constants of `integers` and `scalar` are shared.
    std::string constant(const std::string& name, std::vector<std::int64_t> dims, std::vector<float> values);
    std::string integers(const std::vector<std::int64_t>& values);
    std::string scalar(float value);

    // Columns [begin, end) of a matrix [batch, n].
    std::string columns(const std::string& x, std::int64_t begin, std::int64_t end);
    std::string concat(const std::vector<std::string>& parts);
    // x with the given dimensions after the batch dimension, which is unchanged.
    std::string reshape(const std::string& x, const std::vector<std::int64_t>& dims);
    // One-hot encoding of the numbers in x [batch, n]: [batch, n * choices].
    std::string oneHot(const std::string& x, int n, int choices);
    std::string cast(const std::string& x, Type to);

private:
    std::string fresh(const std::string& op);
    std::string add(Tensor tensor);

    Model& model_;
    std::string scope_;
    int count_ = 0;
    std::map<std::vector<std::int64_t>, std::string> integers_;
    std::map<float, std::string> scalars_;
    std::map<int, std::string> choices_;
    Names names_{{.alternative = "obs_"}};
};

}  // namespace seedbed::onnx
