// SPDX-License-Identifier: Apache-2.0
#include "core/export/executors/interpreter.hpp"

#include "core/base/version.hpp"
#include "core/export/executors/graph_executor.hpp"
#include "core/export/onnx/decode.hpp"
#include "core/export/onnx/interpreter.hpp"

namespace seedbed {

namespace {

class InterpreterExecutor final : public GraphExecutor {
public:
    InterpreterExecutor(const PolicyModel& model, onnx::PolicyGraph graph, onnx::Interpreter interpreter)
        : GraphExecutor(model, std::move(graph)), interpreter_(std::move(interpreter)) {}

    std::string id() const override { return "interpreter"; }
    std::string version() const override { return std::string("of Seedbed ") + kVersion; }

protected:
    Result<> runGraph(int rows, const std::vector<std::vector<float>>& inputs,
                      std::vector<std::vector<float>>& to) override {
        std::map<std::string, onnx::Value> values;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const onnx::InputBinding& binding = graph().inputs[i];
            onnx::Value value{onnx::Type::float32, binding.dims, inputs[i], {}};
            value.dims.insert(value.dims.begin(), rows);
            values[binding.name] = std::move(value);
        }
        SEEDBED_ASSIGN(auto results, interpreter_.run(values));
        const auto names = outputs();
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto found = results.find(names[i].first);
            if (found == results.end()) return fail("the model has no output '" + names[i].first + "'");
            if (found->second.type == onnx::Type::float32) to[i] = std::move(found->second.floats);
            else to[i].assign(found->second.ints.begin(), found->second.ints.end());
        }
        return {};
    }

private:
    onnx::Interpreter interpreter_;
};

}  // namespace

Result<std::unique_ptr<Executor>> openInterpreter(const ExecutorRequest& request) {
    SEEDBED_ASSIGN(const onnx::Profile profile, onnx::profileFromName(request.options.profile));
    SEEDBED_ASSIGN(onnx::PolicyGraph graph,
                   onnx::buildPolicyGraph(request.model, profile, request.options.with_value));
    SEEDBED_ASSIGN(const ExportFile* file, findFile(request.files, kOnnxName));
    // Runs the model from the file; PolicyGraph is used only to map its inputs and outputs.
    SEEDBED_ASSIGN(onnx::Model model, onnx::decode(file->bytes));
    graph.model = {};
    SEEDBED_ASSIGN(onnx::Interpreter interpreter, onnx::Interpreter::create(std::move(model)));
    return std::unique_ptr<Executor>(
        std::make_unique<InterpreterExecutor>(request.model, std::move(graph), std::move(interpreter)));
}

}  // namespace seedbed
