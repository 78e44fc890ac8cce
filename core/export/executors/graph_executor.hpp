// SPDX-License-Identifier: Apache-2.0
// Base of the executors of ONNX graphs: converts between the fields of PolicyModel and the inputs and outputs
// of a graph.
#pragma once

#include <map>

#include "core/export/executor.hpp"
#include "core/export/onnx/policy_graph.hpp"

namespace seedbed {

class GraphExecutor : public Executor {
public:
    GraphExecutor(const PolicyModel& model, onnx::PolicyGraph graph)
        : model_(model), graph_(std::move(graph)) {}
    Result<> run(const ModelBatch& batch, ModelResult& result) final;

protected:
    // Computes the values of outputs() from the values of PolicyGraph::inputs. Both are in the order of these
    // lists; each value is [rows, n].
    virtual Result<> runGraph(int rows, const std::vector<std::vector<float>>& inputs,
                              std::vector<std::vector<float>>& outputs) = 0;

    const onnx::PolicyGraph& graph() const { return graph_; }
    // Names of the outputs that are compared, with their numbers of floats per row.
    std::vector<std::pair<std::string, int>> outputs() const;

private:
    std::vector<float> repeated(onnx::OutputBinding::Field field, const ModelResult& result) const;
    const std::vector<float>& fieldOf(const onnx::InputBinding& binding, const ModelBatch& batch);

    const PolicyModel& model_;
    onnx::PolicyGraph graph_;
    std::vector<float> ignored_;
    std::vector<std::vector<float>> inputs_, outputs_;
};

}  // namespace seedbed
