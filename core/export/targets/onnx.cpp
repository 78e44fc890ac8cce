// SPDX-License-Identifier: Apache-2.0
// Target `onnx`: one file, policy.onnx, operator set 15, that contains every computation from the raw
// observation to the action.
#include "core/export/executors/interpreter.hpp"
#include "core/export/executors/python.hpp"
#include "core/export/onnx/encode.hpp"
#include "core/export/onnx/policy_graph.hpp"
#include "core/export/provenance_text.hpp"

namespace seedbed {

namespace {

Result<std::vector<ExportFile>> writeOnnx(const PolicyModel& model, const TargetOptions& options) {
    SEEDBED_ASSIGN(const onnx::Profile profile, onnx::profileFromName(options.profile));
    SEEDBED_ASSIGN(onnx::PolicyGraph graph, onnx::buildPolicyGraph(model, profile, options.with_value));
    graph.model.producer_version = options.written_by;
    graph.model.metadata = metadataOf(model, options);
    graph.model.doc = "A policy for " + publicId(model.bundle.provenance.env) +
                      ". Rows of a batch are independent decisions.";
    return std::vector<ExportFile>{{kOnnxName, onnx::encode(graph.model)}};
}

}  // namespace

SEEDBED_REGISTER_EXPORT_TARGET(onnx, {.id = "onnx",
                                      .order = 1,
                                      .title = "ONNX: game engines, Python, browsers",
                                      .sentence = "One file that onnxruntime, Unity and Godot run.",
                                      .files = {kOnnxName},
                                      .options = {{.id = "profile",
                                                   .argument = "--profile",
                                                   .kind = ExportOption::Kind::choice,
                                                   .title = "Names of the inputs and outputs",
                                                   .help = "Names and shapes of the ONNX inputs and outputs",
                                                   .default_value = TargetOptions{}.profile,
                                                   .choices = {{"plain", "plain"},
                                                               {"unity", "Unity ML-Agents"},
                                                               {"godot", "Godot RL Agents"}}},
                                                  valueEstimateOption()},
                                      .write = writeOnnx,
                                      .executors = {{"onnxruntime", openOnnxRuntime, "", true, true},
                                                    {"interpreter", openInterpreter}},
                                      .is_data = true});

}  // namespace seedbed
