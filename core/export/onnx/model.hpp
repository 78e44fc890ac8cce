// SPDX-License-Identifier: Apache-2.0
// An ONNX model in memory, limited to the messages that policies need. encode.hpp and decode.hpp convert it
// to bytes and back, without protobuf.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace seedbed::onnx {

inline constexpr std::int64_t kIrVersion = 8;
inline constexpr std::int64_t kOpset = 15;

// TensorProto.DataType.
enum class Type : std::int32_t { float32 = 1, int64 = 7, boolean = 9 };

// A constant: floats or integers, depending on its type (never boolean).
struct Tensor {
    std::string name;
    Type type = Type::float32;
    std::vector<std::int64_t> dims;
    std::vector<float> floats;
    std::vector<std::int64_t> ints;
};

// An int, a float or a list of ints.
struct Attribute {
    enum class Kind : std::int32_t { number = 1, integer = 2, integers = 7 };  // AttributeProto.AttributeType

    std::string name;
    Kind kind = Kind::integer;
    float number = 0;
    std::int64_t integer = 0;
    std::vector<std::int64_t> integers{};
};

struct Node {
    std::string op;
    std::string name;
    std::vector<std::string> inputs, outputs;
    std::vector<Attribute> attributes{};

    const Attribute* find(const std::string& attribute) const;
};

// An input or output of the graph; dimension -1 is the symbolic "batch".
struct ValueInfo {
    std::string name;
    Type type = Type::float32;
    std::vector<std::int64_t> dims;
    std::string doc{};
};

struct Model {
    std::int64_t ir_version = kIrVersion;
    std::int64_t opset = kOpset;
    std::string producer, producer_version, doc;
    std::string graph_name;
    std::vector<Node> nodes;  // in order of execution
    std::vector<Tensor> constants;
    std::vector<ValueInfo> inputs, outputs;
    std::map<std::string, std::string> metadata;
};

}  // namespace seedbed::onnx
