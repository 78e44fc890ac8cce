// SPDX-License-Identifier: Apache-2.0
// Runs the nodes of a graph in order; the operators are in kernels.cpp and products.cpp.
#include "core/export/onnx/interpreter.hpp"

#include <set>

#include "core/export/onnx/products.hpp"

namespace seedbed::onnx {

namespace {

// Maximum total number of elements in values that exist at the same time.
constexpr std::size_t kMaxTotal = 2 * static_cast<std::size_t>(kMaxElements);

// For each node, the computed values that neither a later node nor the caller reads.
std::vector<std::vector<std::string>> unusedAfter(const Model& model) {
    std::set<std::string> used;
    for (const ValueInfo& output : model.outputs) used.insert(output.name);
    std::set<std::string> made;
    for (const Node& node : model.nodes) made.insert(node.outputs.begin(), node.outputs.end());
    std::vector<std::vector<std::string>> unused(model.nodes.size());
    for (std::size_t i = model.nodes.size(); i-- > 0;) {
        const Node& node = model.nodes[i];
        for (const auto* names : {&node.inputs, &node.outputs})
            for (const std::string& name : *names)
                if (made.contains(name) && used.insert(name).second) unused[i].push_back(name);
    }
    return unused;
}

}  // namespace

std::size_t Value::count() const { return type == Type::float32 ? floats.size() : ints.size(); }

Result<Interpreter> Interpreter::create(Model model) {
    if (model.opset < 13 || model.opset > 15)
        return fail("this ONNX model uses operator set " + std::to_string(model.opset) +
                    "; the reference interpreter supports 13 to 15");
    Interpreter interpreter(std::move(model));
    std::set<std::string> known;
    for (const ValueInfo& input : interpreter.model_.inputs) known.insert(input.name);
    for (const Tensor& tensor : interpreter.model_.constants) {
        if (!known.insert(tensor.name).second)
            return fail("the ONNX model uses the name '" + tensor.name + "' twice");
        interpreter.constants_[tensor.name] = {tensor.type, tensor.dims, tensor.floats, tensor.ints};
    }
    for (const Node& node : interpreter.model_.nodes) {
        if (!kernels().contains(node.op))
            return fail("the reference interpreter has no operator '" + node.op + "'");
        for (const std::string& input : node.inputs)
            if (!known.contains(input))
                return fail("node '" + node.name + "' reads '" + input + "', which no earlier node produces");
        if (node.outputs.size() != 1 || !known.insert(node.outputs[0]).second)
            return fail("node '" + node.name + "' does not produce exactly one new value");
    }
    for (const ValueInfo& output : interpreter.model_.outputs)
        if (!known.contains(output.name)) return fail("no node produces the output '" + output.name + "'");
    interpreter.unused_after_ = unusedAfter(interpreter.model_);
    return interpreter;
}

Result<std::map<std::string, Value>> Interpreter::run(const std::map<std::string, Value>& inputs) const {
    std::map<std::string, Value> made;
    const auto find = [&](const std::string& name) -> const Value* {
        for (const auto* values :
             {static_cast<const std::map<std::string, Value>*>(&made), &inputs, &constants_})
            if (const auto found = values->find(name); found != values->end()) return &found->second;
        return nullptr;
    };
    for (const ValueInfo& input : model_.inputs)
        if (!inputs.contains(input.name)) return fail("the ONNX model needs the input '" + input.name + "'");
    std::size_t total = 0;
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
        const Node& node = model_.nodes[i];
        std::vector<const Value*> arguments;
        for (const std::string& name : node.inputs) arguments.push_back(find(name));
        auto value = kernels().at(node.op)(node, arguments);
        if (!value) return fail("node '" + node.name + "' (" + node.op + ") " + value.error().message);
        total += value->count();
        if (total > kMaxTotal) return fail("the values of the ONNX model need too much memory");
        made[node.outputs[0]] = std::move(*value);
        for (const std::string& name : unused_after_[i]) {
            total -= made.at(name).count();
            made.erase(name);
        }
    }
    std::map<std::string, Value> outputs;
    for (const ValueInfo& output : model_.outputs) outputs[output.name] = *find(output.name);
    return outputs;
}

}  // namespace seedbed::onnx
