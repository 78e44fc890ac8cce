// SPDX-License-Identifier: Apache-2.0
// Normalisation with running statistics.
#include <cmath>

#include "core/export/onnx/layer_writer.hpp"

namespace seedbed::onnx {

namespace {

std::string writeNormalise(LayerWriter& layers, const PlanOp& op) {
    GraphWriter& graph = layers.graph();
    // clip((x - mean) / sqrt(var + 1e-8)), with the division computed as a product, as in the engines.
    const ParamEntry& var = layers.entry(op, 1);
    std::vector<float> scale;
    for (std::size_t i = 0; i < var.count; ++i)
        scale.push_back(1.0f / std::sqrt(layers.policy().params().at(var)[i] + 1e-8f));
    const std::string scale_name = graph.constant(layerOf(layers.policy().plan, op) + ".scale",
                                                  {static_cast<std::int64_t>(var.count)}, std::move(scale));
    const std::string centred = graph.node("Sub", {layers.matrix(op.inputs[0]), layers.param(op, 0)});
    const auto clip = static_cast<float>(op.clip);
    return graph.node("Clip",
                      {graph.node("Mul", {centred, scale_name}), graph.scalar(-clip), graph.scalar(clip)});
}

[[maybe_unused]] const bool registered_normalise = registerOperation("normalise", writeNormalise);

}  // namespace

}  // namespace seedbed::onnx
