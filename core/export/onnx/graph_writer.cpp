// SPDX-License-Identifier: Apache-2.0
// Nodes, constants and the patterns that several layers share.
#include "core/export/onnx/graph_writer.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace seedbed::onnx {

std::string GraphWriter::fresh(const std::string& op) {
    return (scope_.empty() ? "" : scope_ + "/") + op + "_" + std::to_string(count_++);
}

std::string GraphWriter::node(const std::string& op, std::vector<std::string> inputs,
                              std::vector<Attribute> attributes) {
    const std::string name = fresh(op), output = names_.give(name);
    model_.nodes.push_back({op, name, std::move(inputs), {output}, std::move(attributes)});
    return output;
}

void GraphWriter::named(const std::string& op, std::vector<std::string> inputs, const std::string& output,
                        std::vector<Attribute> attributes) {
    model_.nodes.push_back({op, fresh(op), std::move(inputs), {output}, std::move(attributes)});
}

std::string GraphWriter::add(Tensor tensor) {
    tensor.name = names_.give(tensor.name);
    model_.constants.push_back(std::move(tensor));
    return model_.constants.back().name;
}

std::string GraphWriter::constant(const std::string& name, std::vector<std::int64_t> dims,
                                  std::vector<float> values) {
    return add({name, Type::float32, std::move(dims), std::move(values), {}});
}

std::string GraphWriter::integers(const std::vector<std::int64_t>& values) {
    std::string& name = integers_[values];
    if (!name.empty()) return name;
    std::vector<std::string> words;
    for (const std::int64_t value : values) words.push_back(std::to_string(value));
    name = add({"integers_" + join(words, "_"),
                Type::int64,
                {static_cast<std::int64_t>(values.size())},
                {},
                values});
    return name;
}

std::string GraphWriter::scalar(float value) {
    std::string& name = scalars_[value];
    if (name.empty()) name = constant("scalar_" + std::to_string(scalars_.size()), {}, {value});
    return name;
}

std::string GraphWriter::columns(const std::string& x, std::int64_t begin, std::int64_t end) {
    return node("Slice", {x, integers({begin}), integers({end}), integers({1})});
}

std::string GraphWriter::concat(const std::vector<std::string>& parts) {
    SEEDBED_CHECK(!parts.empty());
    if (parts.size() == 1) return parts[0];
    return node("Concat", parts, {{.name = "axis", .kind = Attribute::Kind::integer, .integer = 1}});
}

std::string GraphWriter::reshape(const std::string& x, const std::vector<std::int64_t>& dims) {
    std::vector<std::int64_t> all{0};  // 0 copies the dimension of x
    all.insert(all.end(), dims.begin(), dims.end());
    return node("Reshape", {x, integers(all)});
}

std::string GraphWriter::oneHot(const std::string& x, int n, int choices) {
    std::string& name = choices_[choices];
    if (name.empty()) {
        std::vector<float> numbers(static_cast<std::size_t>(choices));
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
        name = constant("choices_" + std::to_string(choices), {1, choices}, std::move(numbers));
    }
    const std::string column = n == 1 ? x : reshape(x, {n, 1});
    const std::string hot = cast(node("Equal", {column, name}), Type::float32);
    return n == 1 ? hot : reshape(hot, {std::int64_t{n} * choices});
}

std::string GraphWriter::cast(const std::string& x, Type to) {
    return node("Cast", {x},
                {{.name = "to", .kind = Attribute::Kind::integer, .integer = static_cast<std::int64_t>(to)}});
}

}  // namespace seedbed::onnx
