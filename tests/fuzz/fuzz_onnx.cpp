// SPDX-License-Identifier: Apache-2.0
// The reader of ONNX files and the interpreter, as used by `seedbed verify --trust`: accepted models run
// safely.
#include "core/export/onnx/decode.hpp"
#include "core/export/onnx/encode.hpp"
#include "core/export/onnx/interpreter.hpp"
#include "core/export/onnx/policy_graph.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace seedbed;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto model = onnx::decode({data, size});
    noteOutcome("onnx", model);
    if (!model) return 0;
    const auto interpreter = onnx::Interpreter::create(std::move(*model));
    noteOutcome("onnx-graph", interpreter);
    if (!interpreter) return 0;
    std::map<std::string, onnx::Value> inputs;
    for (const onnx::ValueInfo& input : interpreter->model().inputs) {
        onnx::Value value;
        std::int64_t count = 1;
        for (const std::int64_t dim : input.dims) {
            const std::int64_t n = dim < 0 ? 2 : dim;
            if (n > 4096 || count > 4096) return 0;
            value.dims.push_back(n);
            count *= n;
        }
        value.floats.assign(static_cast<std::size_t>(count), 0.5f);
        inputs[input.name] = std::move(value);
    }
    noteOutcome("onnx-run", interpreter->run(inputs));
    return 0;
}

std::vector<std::vector<std::uint8_t>> seedbed::fuzzSeeds() {
    std::vector<std::vector<std::uint8_t>> seeds;
    for (const bool picture : {false, true}) {
        ObsLeaf leaf;
        leaf.shape = {3};
        leaf.low = -1;
        leaf.high = 1;
        if (picture) {
            leaf.kind = ObsLeaf::Kind::image;
            leaf.dtype = DType::u8;
            leaf.shape = {2, 6, 6};
            leaf.low = 0;
            leaf.high = 255;
        }
        ActionLeaf choice, box;
        choice.n = 3;
        box.name = "force";
        box.kind = ActionLeaf::Kind::box;
        box.low = {-1};
        box.high = {1};
        NetworkParams params;
        params.hidden = {4};
        params.core = picture ? "none" : "gru";
        params.core_size = 3;
        params.normalise_obs = true;
        const auto spec = makeNetSpec(Spaces{{leaf}, {choice, box}, true}, params,
                                      {{"policy", "policy", 0, false}, {"value", "value", 1, false}});
        if (!spec) continue;
        const auto plan = buildPlan(*spec);
        if (!plan) continue;
        const auto policy =
            makePolicyModel(PolicyBundle{{"policy", *spec, initialParams(*plan, 1)}, false, {}, {}});
        if (!policy) continue;
        const auto graph = onnx::buildPolicyGraph(*policy, onnx::Profile::plain, true);
        if (graph) seeds.push_back(onnx::encode(graph->model));
    }
    return seeds;
}
