// SPDX-License-Identifier: Apache-2.0
// ONNX files, written field by field (github.com/onnx/onnx, onnx/onnx.proto).
#include <cstdint>
#include <initializer_list>

#include "tests/unit/import/hostile_policies.hpp"

namespace seedbed::testing {
namespace {

std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 128; value >>= 7) bytes += static_cast<char>(value % 128 + 128);
    return bytes + static_cast<char>(value);
}
std::string field(std::uint64_t number, std::uint64_t value) { return varint(number << 3) + varint(value); }
std::string field(std::uint64_t number, const std::string& bytes) {
    return varint(number << 3 | 2) + varint(bytes.size()) + bytes;
}

std::string tensor(const std::string& name, std::initializer_list<std::int64_t> dims, const std::string& raw,
                   std::uint64_t type = 1, const std::string& more = "") {
    std::string bytes;
    for (const std::int64_t dim : dims) bytes += field(1, static_cast<std::uint64_t>(dim));
    return field(5, bytes + field(2, type) + field(8, name) + field(9, raw) + more);
}
std::string node(const std::string& op, std::initializer_list<const char*> inputs, const char* output,
                 const std::string& more = "") {
    std::string bytes;
    for (const char* input : inputs) bytes += field(1, input);
    return field(1, bytes + field(2, output) + field(4, op) + more);
}
std::string integers(const char* name, std::initializer_list<std::int64_t> values) {
    std::string bytes = field(1, name) + field(20, 7);
    for (const std::int64_t value : values) bytes += field(8, static_cast<std::uint64_t>(value));
    return field(5, bytes);
}
std::string subgraph(const char* name, const std::string& graph) {
    return field(5, field(1, name) + field(6, graph) + field(20, 5));
}
std::string value(std::uint64_t number, const char* name, std::initializer_list<std::int64_t> dims) {
    std::string shape;
    for (const std::int64_t dim : dims) shape += field(1, field(1, static_cast<std::uint64_t>(dim)));
    return field(number, field(1, name) + field(2, field(1, field(1, 1) + field(2, shape))));
}

constexpr std::uint64_t kOpset = 15;
// A model whose graph computes y from x with the given nodes and constants.
std::string model(const std::string& graph, const std::string& more = "", std::uint64_t opset = kOpset) {
    return field(1, 8) + field(7, graph + value(11, "x", {1, 2}) + value(12, "y", {1, 2})) +
           field(8, field(1, "") + field(2, opset)) + more;
}
std::string reshapeTo(std::initializer_list<std::int64_t> shape) {
    std::string raw;
    for (const std::int64_t size : shape)
        for (int i = 0; i < 8; ++i)
            raw += static_cast<char>(static_cast<std::uint64_t>(size) >> (8 * i) & 0xff);
    const auto count = static_cast<std::int64_t>(shape.size());
    return model(tensor("shape", {count}, raw, 7) + node("Reshape", {"x", "shape"}, "y"));
}

void addConstants(std::vector<HostileModel>& models) {
    const std::string eight(8, '\0'), add = node("Add", {"x", "c"}, "y");
    const auto with = [&](const char* name, const std::string& constant, const char* reason) {
        models.push_back({name, model(constant + add), reason});
    };
    const auto entry = [](const char* key, const char* text) {
        return field(13, field(1, key) + field(2, text));
    };
    const std::string external = field(14, 1);
    with("external-data", tensor("c", {2}, "", 1, entry("location", "weights.bin") + external), "field 13");
    with("external-data-absolute", tensor("c", {2}, "", 1, entry("location", "/etc/passwd") + external),
         "field 13");
    with("external-data-parent", tensor("c", {2}, "", 1, entry("location", "../../x") + external),
         "field 13");
    with("external-data-flag-only", tensor("c", {2}, eight, 1, external), "field 14");
    with("negative-size", tensor("c", {-2}, eight), "larger than its data");
    with("huge-size", tensor("c", {INT64_MAX}, eight), "larger than its data");
    with("product-overflows-to-zero", tensor("c", {std::int64_t{1} << 32, std::int64_t{1} << 32}, ""),
         "larger than its data");
    with("product-overflows-to-two", tensor("c", {(std::int64_t{1} << 62) + 1, 2}, eight),
         "larger than its data");
    with("empty-but-huge", tensor("c", {0, INT64_MAX, INT64_MAX}, ""), "incompatible shapes");
    with("size-smaller-than-data", tensor("c", {1}, eight), "does not match its data");
    with("text-constant", tensor("c", {2}, eight, 8), "number type 8");
    with("segment", tensor("c", {2}, eight, 1, field(3, field(1, 0) + field(2, 9))), "field 3");
    with("unpacked-floats", tensor("c", {2}, "", 1, field(4, eight)), "field 4");
    with("sparse-constant", field(15, tensor("c", {2}, eight)), "field 15");
    with("constant-twice", tensor("c", {2}, eight) + tensor("c", {2}, eight), "twice");
    with("constant-named-as-input", tensor("x", {2}, eight) + tensor("c", {2}, eight), "twice");
}

void addNodes(std::vector<HostileModel>& models) {
    const auto with = [&](const char* name, const std::string& graph, const char* reason) {
        models.push_back({name, model(graph), reason});
    };
    const std::string body = node("Add", {"x", "x"}, "z");
    with("python-operator", node("PythonOp", {"x"}, "y"), "no operator");
    with("custom-domain-of-a-node", node("Add", {"x", "x"}, "y", field(7, "com.evil")), "field 7");
    with("loop", node("Loop", {"x"}, "y", subgraph("body", body)), "field 6");
    with("if", node("If", {"x"}, "y", subgraph("then_branch", body) + subgraph("else_branch", body)),
         "field 6");
    std::string nested = body;
    for (int depth = 0; depth < 2000; ++depth)
        nested = node("If", {"x"}, "y", subgraph("then_branch", nested));
    with("subgraphs-of-2000-levels", nested, "field 6");
    with("tensor-attribute",
         node("Constant", {}, "y", field(5, field(1, "value") + field(5, "x") + field(20, 4))), "field 5");
    with("loop-without-body", node("Loop", {"x"}, "y"), "no operator");
    with("cycle", node("Add", {"x", "y"}, "y"), "no earlier node");
    with("two-nodes-in-a-circle", node("Add", {"x", "z"}, "y") + node("Add", {"x", "y"}, "z"),
         "no earlier node");
    with("output-twice", node("Add", {"x", "x"}, "y") + node("Add", {"x", "x"}, "y"),
         "exactly one new value");
    with("no-output", node("Add", {"x", "x"}, "z"), "no node produces");
    with("no-inputs", node("Add", {}, "y"), "");
    with("axis-out-of-range",
         node("Concat", {"x", "x"}, "y", field(5, field(1, "axis") + field(3, 99) + field(20, 2))), "");
    with("permutation-out-of-range", node("Transpose", {"x"}, "y", integers("perm", {7, -9})), "");
    with(
        "doubled-thirty-times",
        [] {
            std::string graph =
                node("Concat", {"x", "x"}, "z0", field(5, field(1, "axis") + field(3, 0) + field(20, 2)));
            for (int i = 1; i < 40; ++i) {
                const std::string before = "z" + std::to_string(i - 1), after = "z" + std::to_string(i);
                graph += node("Concat", {before.c_str(), before.c_str()}, after.c_str(),
                              field(5, field(1, "axis") + field(3, 0) + field(20, 2)));
            }
            return graph + node("Add", {"z39", "z39"}, "y");
        }(),
        "");
    models.push_back({"reshape-to-huge", reshapeTo({INT64_MAX, 2}), ""});
    models.push_back({"reshape-to-negative", reshapeTo({-5, -7}), ""});
    models.push_back({"reshape-of-two-unknown", reshapeTo({-1, -1}), ""});
}

void addMessages(std::vector<HostileModel>& models) {
    const std::string add = node("Add", {"x", "x"}, "y"), good = model(add);
    models.push_back({"function", model(add, field(25, field(1, "Add") + field(7, add))), "field 25"});
    models.push_back({"training-information", model(add, field(20, field(1, add))), "field 20"});
    models.push_back({"custom-domain", model(add, field(8, field(1, "com.evil") + field(2, 1))), "domain"});
    models.push_back({"newer-operators", model(add, "", 99), "operator set 99"});
    models.push_back({"quantisation", model(add + field(14, field(1, "x"))), "field 14"});
    models.push_back(
        {"field-number-with-high-bits", model(add, varint((65536u + 7u) << 3 | 2) + varint(0)), "65543"});
    models.push_back({"field-number-zero", good + varint(2) + varint(0), "invalid number"});
    models.push_back({"part-longer-than-the-file", good + varint(7u << 3 | 2) + varint(UINT64_MAX),
                      "longer than the file"});
    models.push_back({"number-of-eleven-bytes", std::string(11, '\xff'), "more than 64 bits"});
    models.push_back({"group", varint(7u << 3 | 3) + good, "unknown kind"});
    models.push_back({"cut", good.substr(0, good.size() / 2), ""});
    models.push_back({"empty", "", "no output y"});
    std::string many;
    for (int i = 0; i < 1'100'000; ++i) many += field(14, "");
    models.push_back({"a-million-parts", model(add, many), "too many parts"});
}

}  // namespace

std::vector<HostileModel> hostileModels() {
    std::vector<HostileModel> models;
    addConstants(models);
    addNodes(models);
    addMessages(models);
    return models;
}

}  // namespace seedbed::testing
