// SPDX-License-Identifier: Apache-2.0
#include "core/export/onnx/decode.hpp"

#include <cstring>

namespace seedbed::onnx {

namespace {

constexpr std::size_t kMaxList = 1 << 20;  // limit for nodes, constants and names; far more than any policy
                                           // has

constexpr std::uint64_t kMaxFieldNumber = (1 << 29) - 1;  // protobuf's limit

// One field of a message: a number, or a part of the message's bytes.
struct WireField {
    int number = 0;
    unsigned wire = 0;
    std::uint64_t value = 0;
    std::span<const std::uint8_t> bytes{};

    std::string text() const { return {bytes.begin(), bytes.end()}; }
    std::int64_t integer() const { return static_cast<std::int64_t>(value); }
};

Result<std::uint64_t> readVarint(std::span<const std::uint8_t>& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (bytes.empty()) return fail("it ends inside a number");
        const std::uint8_t byte = bytes.front();
        bytes = bytes.subspan(1);
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) return value;
    }
    return fail("it contains a number of more than 64 bits");
}

Result<WireField> readField(std::span<const std::uint8_t>& bytes) {
    SEEDBED_ASSIGN(const std::uint64_t tag, readVarint(bytes));
    // A larger number must be rejected, not truncated: other readers would ignore the field or reject the
    // file.
    if (tag >> 3 == 0 || tag >> 3 > kMaxFieldNumber)
        return fail("it contains a field with an invalid number");
    WireField field{.number = static_cast<int>(tag >> 3), .wire = static_cast<unsigned>(tag & 7)};
    std::uint64_t size = 0;
    switch (field.wire) {
        case 0: {
            SEEDBED_ASSIGN(field.value, readVarint(bytes));
            return field;
        }
        case 1: size = 8; break;
        case 2: {
            SEEDBED_ASSIGN(size, readVarint(bytes));
            break;
        }
        case 5: size = 4; break;
        default: return fail("it contains a field of an unknown kind");
    }
    if (size > bytes.size()) return fail("a part of it is longer than the file");
    field.bytes = bytes.first(size);
    bytes = bytes.subspan(size);
    return field;
}

// Calls visit(field) for all fields of a message.
template <class Visit>
Result<> forFields(std::span<const std::uint8_t> bytes, const Visit& visit) {
    std::size_t count = 0;
    while (!bytes.empty()) {
        if (++count > kMaxList) return fail("it has too many parts");
        SEEDBED_ASSIGN(const WireField field, readField(bytes));
        SEEDBED_TRY(visit(field));
    }
    return {};
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
        SEEDBED_ASSIGN(const std::uint64_t value, readVarint(bytes));
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
