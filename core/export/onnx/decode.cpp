// SPDX-License-Identifier: Apache-2.0
#include "core/export/onnx/decode.hpp"

#include <cstring>

#include "core/base/formats/protobuf.hpp"

namespace seedbed::onnx {

namespace {

constexpr std::size_t kMaxList = 1 << 20;  // limit for the numbers of nodes, constants and names; far above
                                           // those of any policy

using WireField = protobuf::Field;

template <class Visit>
Result<> forFields(std::span<const std::uint8_t> bytes, const Visit& visit) {
    return protobuf::forFields(bytes, kMaxList, visit);
}

Result<> unexpected(const char* message, const WireField& field) {
    return fail(std::string(message) + " has a field " + std::to_string(field.number) +
                ", which Seedbed does not write");
}

// A repeated integer field may be packed or unpacked.
Result<> addIntegers(const WireField& field, std::vector<std::int64_t>& to) {
    if (field.wire == 0) {
        to.push_back(field.integer());
        return {};
    }
    std::span<const std::uint8_t> bytes = field.bytes;
    while (!bytes.empty()) {
        if (to.size() > kMaxList) return fail("a list of numbers is too long");
        SEEDBED_ASSIGN(const std::uint64_t value, protobuf::readVarint(bytes));
        to.push_back(static_cast<std::int64_t>(value));
    }
    return {};
}

Result<Type> typeOf(std::int64_t value) {
    for (const Type type : {Type::float32, Type::int64, Type::boolean})
        if (value == static_cast<std::int64_t>(type)) return type;
    return fail("it uses number type " + std::to_string(value));
}

Result<Tensor> readTensor(std::span<const std::uint8_t> bytes) {
    Tensor tensor;
    std::span<const std::uint8_t> raw;
    bool has_type = false;
    SEEDBED_TRY(forFields(bytes, [&](const WireField& field) -> Result<> {
        switch (field.number) {
            case 1: return addIntegers(field, tensor.dims);
            case 2: {
                SEEDBED_ASSIGN(tensor.type, typeOf(field.integer()));
                has_type = true;
                return {};
            }
            case 8: tensor.name = field.text(); return {};
            case 9: raw = field.bytes; return {};
            default: return unexpected("a constant", field);  // also for external data
        }
    }));
    if (!has_type || tensor.type == Type::boolean)
        return fail("constant '" + tensor.name + "' has no usable type");
    std::uint64_t count = 1;
    for (const std::int64_t dim : tensor.dims) {
        if (dim < 0 || (dim > 0 && count > raw.size() / static_cast<std::uint64_t>(dim)))
            return fail("constant '" + tensor.name + "' has a shape larger than its data");
        count *= static_cast<std::uint64_t>(dim);
    }
    const std::size_t word = tensor.type == Type::float32 ? sizeof(float) : sizeof(std::int64_t);
    if (count * word != raw.size())
        return fail("constant '" + tensor.name + "' has a shape that does not match its data");
    if (tensor.type == Type::float32) tensor.floats.resize(count);
    else tensor.ints.resize(count);
    if (count > 0) {
        void* to = tensor.type == Type::float32 ? static_cast<void*>(tensor.floats.data())
                                                : static_cast<void*>(tensor.ints.data());
        std::memcpy(to, raw.data(), raw.size());
    }
    return tensor;
}

Result<Attribute> readAttribute(std::span<const std::uint8_t> bytes) {
    Attribute attribute;
    std::int64_t kind = 0;
    SEEDBED_TRY(forFields(bytes, [&](const WireField& field) -> Result<> {
        switch (field.number) {
            case 1: attribute.name = field.text(); return {};
            case 2:
                if (field.bytes.size() != sizeof attribute.number) return unexpected("an attribute", field);
                std::memcpy(&attribute.number, field.bytes.data(), sizeof attribute.number);
                return {};
            case 3: attribute.integer = field.integer(); return {};
            case 8: return addIntegers(field, attribute.integers);
            case 20: kind = field.integer(); return {};
            default: return unexpected("an attribute", field);  // also for graphs and tensors
        }
    }));
    attribute.kind = static_cast<Attribute::Kind>(kind);
    if (kind != 1 && kind != 2 && kind != 7)
        return fail("attribute '" + attribute.name + "' is of an unknown kind");
    return attribute;
}

Result<Node> readNode(std::span<const std::uint8_t> bytes) {
    Node node;
    SEEDBED_TRY(forFields(bytes, [&](const WireField& field) -> Result<> {
        switch (field.number) {
            case 1: node.inputs.push_back(field.text()); return {};
            case 2: node.outputs.push_back(field.text()); return {};
            case 3: node.name = field.text(); return {};
            case 4: node.op = field.text(); return {};
            case 5: {
                SEEDBED_ASSIGN(Attribute attribute, readAttribute(field.bytes));
                node.attributes.push_back(std::move(attribute));
                return {};
            }
            default: return unexpected("a node", field);
        }
    }));
    return node;
}

Result<ValueInfo> readValueInfo(std::span<const std::uint8_t> bytes) {
    ValueInfo value;
    const auto dimension = [&](const WireField& field) -> Result<> {
        if (field.number != 1) return unexpected("a shape", field);
        std::int64_t dim = -1;
        SEEDBED_TRY(forFields(field.bytes, [&](const WireField& part) -> Result<> {
            if (part.number == 1) dim = part.integer();
            return {};
        }));
        value.dims.push_back(dim);
        return {};
    };
    const auto tensor = [&](const WireField& field) -> Result<> {
        if (field.number == 2) return forFields(field.bytes, dimension);
        if (field.number != 1) return unexpected("a type", field);
        SEEDBED_ASSIGN(value.type, typeOf(field.integer()));
        return {};
    };
    SEEDBED_TRY(forFields(bytes, [&](const WireField& field) -> Result<> {
        if (field.number == 1) value.name = field.text();
        else if (field.number == 3) value.doc = field.text();
        else if (field.number == 2)
            return forFields(field.bytes, [&](const WireField& type) -> Result<> {
                if (type.number != 1) return unexpected("a type", type);
                return forFields(type.bytes, tensor);
            });
        else return unexpected("an input or output", field);
        return {};
    }));
    return value;
}

// Reads one element and appends it.
template <class T, class Read>
Result<> append(std::vector<T>& to, const WireField& field, const Read& read) {
    SEEDBED_ASSIGN(T element, read(field.bytes));
    to.push_back(std::move(element));
    return {};
}

Result<> readGraph(std::span<const std::uint8_t> bytes, Model& model) {
    return forFields(bytes, [&](const WireField& field) -> Result<> {
        switch (field.number) {
            case 1: return append(model.nodes, field, readNode);
            case 2: model.graph_name = field.text(); return {};
            case 5: return append(model.constants, field, readTensor);
            case 11: return append(model.inputs, field, readValueInfo);
            case 12: return append(model.outputs, field, readValueInfo);
            default: return unexpected("the graph", field);
        }
    });
}

Result<> readOpset(std::span<const std::uint8_t> bytes, Model& model) {
    return forFields(bytes, [&](const WireField& field) -> Result<> {
        if (field.number == 2) model.opset = field.integer();
        else if (field.number != 1 || !field.bytes.empty())
            return fail("it uses operators of the domain '" + field.text() + "'");
        return {};
    });
}

Result<> readMetadata(std::span<const std::uint8_t> bytes, Model& model) {
    std::string key, value;
    SEEDBED_TRY(forFields(bytes, [&](const WireField& field) -> Result<> {
        (field.number == 1 ? key : value) = field.text();
        return {};
    }));
    model.metadata[key] = value;
    return {};
}

}  // namespace

Result<Model> decode(std::span<const std::uint8_t> bytes) {
    Model model;
    Result<> read = forFields(bytes, [&](const WireField& field) -> Result<> {
        switch (field.number) {
            case 1: model.ir_version = field.integer(); return {};
            case 2: model.producer = field.text(); return {};
            case 3: model.producer_version = field.text(); return {};
            case 6: model.doc = field.text(); return {};
            case 7: return readGraph(field.bytes, model);
            case 8: return readOpset(field.bytes, model);
            case 14: return readMetadata(field.bytes, model);
            default: return unexpected("the model", field);
        }
    });
    if (!read) return fail("this ONNX model cannot be read: " + read.error().message);
    return model;
}

}  // namespace seedbed::onnx
