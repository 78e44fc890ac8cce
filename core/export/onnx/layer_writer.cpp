// SPDX-License-Identifier: Apache-2.0
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

bool isImage(const PlanValue& value) { return value.height * value.width > 1; }

// The scope in the node names of an operation, such as "policy.hidden0".
std::string scopeOf(const NetPlan& plan, const PlanOp& op) {
    return op.params.empty() ? "network" : layerOf(plan, op);
}

}  // namespace

Registry<OnnxOperation>& operationRegistry() {
    static Registry<OnnxOperation> registry;
    return registry;
}

bool registerOperation(const std::string& id, std::string (*write)(LayerWriter& layers, const PlanOp& op)) {
    operationRegistry().add({.id = id, .write = write});
    return true;
}

Attribute integerAttribute(const std::string& name, std::int64_t value) {
    return {.name = name, .kind = Attribute::Kind::integer, .integer = value};
}

Attribute listAttribute(const std::string& name, std::vector<std::int64_t> values) {
    return {.name = name, .kind = Attribute::Kind::integers, .integers = std::move(values)};
}

LayerWriter::LayerWriter(const PolicyModel& policy, const LayerInputs& inputs, GraphWriter& writer)
    : policy_(policy), plan_(policy.plan), inputs_(inputs), graph_(writer), names_(plan_.values.size()) {}

Result<> LayerWriter::write(const std::vector<char>& needed) {
    for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
        if (!needed[i]) continue;
        const PlanOp& op = plan_.ops[i];
        graph_.setScope(scopeOf(plan_, op));
        const OnnxOperation* operation = operationRegistry().find(op.kind);
        if (operation == nullptr)
            return unsupportedOperation(plan_, op, "this policy cannot be exported: ONNX");
        names_[static_cast<std::size_t>(op.output)] = operation->write(*this, op);
    }
    return {};
}

const ParamEntry& LayerWriter::entry(const PlanOp& op, std::size_t i) const {
    return plan_.params[static_cast<std::size_t>(op.params[i])];
}

std::string LayerWriter::matrix(int index) {
    if (!isImage(shape(index))) return value(index);
    std::string& flat = flattened_[index];
    if (flat.empty()) flat = graph_.node("Flatten", {value(index)}, {integerAttribute("axis", 1)});
    return flat;
}

std::string LayerWriter::image(int index) {
    const PlanValue& from = shape(index);
    return isImage(from) ? value(index) : graph_.reshape(value(index), {from.channels, 1, 1});
}

std::string LayerWriter::shaped(const std::string& x, int index) {
    const PlanValue& to = shape(index);
    return isImage(to) ? graph_.reshape(x, {to.channels, to.height, to.width}) : x;
}

std::string LayerWriter::fromImage(const std::string& y, int index) {
    return isImage(shape(index)) ? y : graph_.node("Flatten", {y}, {integerAttribute("axis", 1)});
}

std::string LayerWriter::param(const PlanOp& op, std::size_t i) {
    const ParamEntry& e = entry(op, i);
    std::string& name = written_[e.name];
    if (name.empty()) {
        const float* values = policy_.params().at(e);
        name = graph_.constant(e.name, {e.shape.begin(), e.shape.end()}, {values, values + e.count});
    }
    return name;
}

std::string LayerWriter::activated(const std::string& x, Activation activation) {
    switch (activation) {
        case Activation::none: return x;
        case Activation::tanh: return graph_.node("Tanh", {x});
        case Activation::relu: return graph_.node("Relu", {x});
        case Activation::elu: return graph_.node("Elu", {x});
    }
    return x;
}

std::string LayerWriter::gemm(const std::string& x, const std::string& weight, const std::string& bias) {
    return graph_.node("Gemm", {x, weight, bias}, {integerAttribute("transB", 1)});
}

std::string LayerWriter::mean(const std::string& x) {
    return graph_.node("ReduceMean", {x}, {listAttribute("axes", {1}), integerAttribute("keepdims", 1)});
}

std::vector<Attribute> LayerWriter::window(const PlanOp& op) {
    return {listAttribute("kernel_shape", {op.kernel, op.kernel}),
            listAttribute("strides", {op.stride, op.stride}),
            listAttribute("pads", {op.pad, op.pad, op.pad, op.pad})};
}

std::string LayerWriter::stateColumns(int begin, int size) {
    return graph_.columns(inputs_.state, begin, begin + size);
}

std::string LayerWriter::joinState() {
    graph_.setScope("state");
    if (plan_.state_words == 0) return "";
    std::vector<std::string> parts;
    int at = 0;
    for (const auto& [offset, part] : state_) {
        if (offset > at) parts.push_back(stateColumns(at, offset - at));
        parts.push_back(part.second);
        at = offset + part.first;
    }
    if (at < plan_.state_words) parts.push_back(stateColumns(at, plan_.state_words - at));
    return graph_.concat(parts);
}

}  // namespace seedbed::onnx
