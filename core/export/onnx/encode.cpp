// SPDX-License-Identifier: Apache-2.0
#include "core/export/onnx/encode.hpp"

#include "core/base/formats/protobuf.hpp"

namespace seedbed::onnx {

namespace {

using protobuf::Message;

Message tensorProto(const Tensor& tensor) {
    Message message;
    for (const std::int64_t dim : tensor.dims) message.integer(1, dim);
    message.integer(2, static_cast<std::int64_t>(tensor.type));
    message.text(8, tensor.name);
    if (tensor.type == Type::float32)
        message.bytes(9, tensor.floats.data(), tensor.floats.size() * sizeof(float));
    else message.bytes(9, tensor.ints.data(), tensor.ints.size() * sizeof(std::int64_t));
    return message;
}

Message attributeProto(const Attribute& attribute) {
    Message message;
    message.text(1, attribute.name);
    if (attribute.kind == Attribute::Kind::number) message.number(2, attribute.number);
    if (attribute.kind == Attribute::Kind::integer) message.integer(3, attribute.integer);
    if (attribute.kind == Attribute::Kind::integers)
        for (const std::int64_t value : attribute.integers) message.integer(8, value);
    message.integer(20, static_cast<std::int64_t>(attribute.kind));
    return message;
}

Message nodeProto(const Node& node) {
    Message message;
    for (const std::string& input : node.inputs) message.text(1, input);
    for (const std::string& output : node.outputs) message.text(2, output);
    message.text(3, node.name);
    message.text(4, node.op);
    for (const Attribute& attribute : node.attributes) message.message(5, attributeProto(attribute));
    return message;
}

Message valueInfoProto(const ValueInfo& value) {
    Message shape;
    for (const std::int64_t dim : value.dims) {
        Message dimension;
        if (dim < 0) dimension.text(2, "batch");
        else dimension.integer(1, dim);
        shape.message(1, dimension);
    }
    Message tensor, type, message;
    tensor.integer(1, static_cast<std::int64_t>(value.type));
    tensor.message(2, shape);
    type.message(1, tensor);
    message.text(1, value.name);
    message.message(2, type);
    if (!value.doc.empty()) message.text(3, value.doc);
    return message;
}

}  // namespace

const Attribute* Node::find(const std::string& attribute) const {
    for (const Attribute& a : attributes)
        if (a.name == attribute) return &a;
    return nullptr;
}

std::vector<std::uint8_t> encode(const Model& model) {
    Message graph;
    for (const Node& node : model.nodes) graph.message(1, nodeProto(node));
    graph.text(2, model.graph_name);
    for (const Tensor& tensor : model.constants) graph.message(5, tensorProto(tensor));
    for (const ValueInfo& value : model.inputs) graph.message(11, valueInfoProto(value));
    for (const ValueInfo& value : model.outputs) graph.message(12, valueInfoProto(value));
    Message opset, message;
    opset.text(1, "");
    opset.integer(2, model.opset);
    message.integer(1, model.ir_version);
    message.text(2, model.producer);
    message.text(3, model.producer_version);
    message.text(6, model.doc);
    message.message(7, graph);
    message.message(8, opset);
    for (const auto& [key, value] : model.metadata) {
        Message entry;
        entry.text(1, key);
        entry.text(2, value);
        message.message(14, entry);
    }
    return message.take();
}

}  // namespace seedbed::onnx
