// SPDX-License-Identifier: Apache-2.0
// A learned vector, repeated for every row; an input of the graph defines the number of rows.
#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeParameterRows(LayerWriter& layers, const PlanOp& op) {
    GraphWriter& graph = layers.graph();
    const std::string shape_of = graph.node("Shape", {layers.inputs().obs[0]});
    const std::string batch =
        graph.node("Slice", {shape_of, graph.integers({0}), graph.integers({1}), graph.integers({0})});
    const std::string dims =
        graph.node("Concat", {batch, graph.integers({static_cast<std::int64_t>(layers.entry(op, 0).count)})},
                   {integerAttribute("axis", 0)});
    return graph.node("Expand", {layers.param(op, 0), dims});
}

[[maybe_unused]] const bool registered_parameter_rows =
    registerOperation("parameter_rows", writeParameterRows);

}  // namespace

}  // namespace seedbed::onnx
