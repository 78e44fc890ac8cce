// SPDX-License-Identifier: Apache-2.0
// Writes the operations of a network plan as ONNX nodes: functions that the writers of the operations share,
// and the registry of these writers. Internal to core/export/onnx.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/registry.hpp"
#include "core/export/onnx/graph_writer.hpp"
#include "core/export/policy_model.hpp"

namespace seedbed::onnx {

// Names of the graph's inputs in the form that the layers need: matrices [batch, n], images [batch, channels,
// height, width].
struct LayerInputs {
    std::vector<std::string> obs;  // per leaf
    std::vector<float> divisor;    // divisor for images, per leaf
    std::string previous_action, previous_reward, state;
};

Attribute integerAttribute(const std::string& name, std::int64_t value);
Attribute listAttribute(const std::string& name, std::vector<std::int64_t> values);

// A function that returns a name appends the nodes that compute the value.
class LayerWriter {
public:
    LayerWriter(const PolicyModel& policy, const LayerInputs& inputs, GraphWriter& writer);

    // Writes the operations with needed[i] != 0. error: config; names an operation without a registered
    // writer.
    Result<> write(const std::vector<char>& needed);
    // The state after the step; columns that no operation wrote are copied from the input. "" if there is no
    // state.
    std::string joinState();
    // One name per value of the plan; "" for values that are not needed.
    std::vector<std::string> takeNames() { return std::move(names_); }

    const PolicyModel& policy() const { return policy_; }
    const LayerInputs& inputs() const { return inputs_; }
    GraphWriter& graph() { return graph_; }
    const ParamEntry& entry(const PlanOp& op, std::size_t i) const;
    const PlanValue& shape(int value) const { return plan_.values[static_cast<std::size_t>(value)]; }
    int size(int value) const { return static_cast<int>(shape(value).size()); }

    // A value in its original form: an image if it has more than one pixel, otherwise a matrix.
    const std::string& value(int index) const { return names_[static_cast<std::size_t>(index)]; }
    // A value as a matrix [batch, n].
    std::string matrix(int index);
    // A value as an image, which convolutions need even for one pixel.
    std::string image(int index);
    // A matrix in the form of the value `index`.
    std::string shaped(const std::string& x, int index);
    // An image in the form of the value `index`.
    std::string fromImage(const std::string& y, int index);

    // Parameter `i` of the operation, as a constant.
    std::string param(const PlanOp& op, std::size_t i);
    std::string activated(const std::string& x, Activation activation);
    // x weight^T + bias.
    std::string gemm(const std::string& x, const std::string& weight, const std::string& bias);
    // Mean over the columns of a matrix, [batch, 1].
    std::string mean(const std::string& x);
    // Kernel, strides and padding of Conv and MaxPool.
    static std::vector<Attribute> window(const PlanOp& op);

    // Words [begin, begin + size) of the state before the step.
    std::string stateColumns(int begin, int size);
    // Sets the same words of the state after the step.
    void setState(int begin, int size, const std::string& name) { state_[begin] = {size, name}; }

private:
    const PolicyModel& policy_;
    const NetPlan& plan_;
    const LayerInputs& inputs_;
    GraphWriter& graph_;
    std::vector<std::string> names_;                    // one per value
    std::map<int, std::string> flattened_;              // matrix forms of values that are images
    std::map<std::string, std::string> written_;        // names of the constants of parameters
    std::map<int, std::pair<int, std::string>> state_;  // first word of the state -> number of words and name
};

// The writer of one operation: each file of operations/ registers one.
struct OnnxOperation {
    std::string id;  // id of the descriptor in core/nn/operations
    std::vector<std::string> aliases{};
    // Returns the name of the output, in the form that LayerWriter::value describes.
    std::string (*write)(LayerWriter& layers, const PlanOp& op) = nullptr;
};

Registry<OnnxOperation>& operationRegistry();
bool registerOperation(const std::string& id, std::string (*write)(LayerWriter& layers, const PlanOp& op));

}  // namespace seedbed::onnx
