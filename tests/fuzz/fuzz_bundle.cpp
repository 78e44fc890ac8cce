// SPDX-License-Identifier: Apache-2.0
// A third-party policy (config.json and model.safetensors), read as by `seedbed import`, `eval` and
// libseedbed_policy. The first two bytes are the length of the first file. An accepted policy must be able to
// act and to be exported.
#include <cstdlib>
#include <cstring>
#include <map>

#include "core/export/bundle_files.hpp"
#include "core/export/golden.hpp"
#include "core/export/policy_model.hpp"
#include "core/nn/engine.hpp"
#include "core/policy/acting_plan.hpp"
#include "core/policy/manifest.hpp"
#include "core/policy/networks.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/fuzz/memory_files.hpp"

using namespace seedbed;

namespace {

constexpr double kMostWork =
    1e7;  // limit in multiply-accumulates; small networks let the fuzzer try more inputs

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const std::size_t config = std::min<std::size_t>(data[0] + 256u * data[1], size - 2);
    const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
    MemoryFiles files({{"config.json", text.substr(0, config)}, {"model.safetensors", text.substr(config)}});
    auto bundle = loadExportedNetworks(files, "policy");
    noteOutcome("bundle", bundle);
    if (!bundle) return 0;
    const NetPlan plan = *buildPlan(bundle->network.spec);
    if (!actingPlan(plan)) std::abort();  // guaranteed by loading
    const auto model = makePolicyModel(std::move(*bundle));
    if (!model || plan.macsPerRow() > kMostWork) return 0;
    const auto net = compileNet("reference", model->plan, EngineOptions{});
    if (!net) return 0;
    const auto executor = engineExecutor(*model, **net, "reference");
    // Numbers may be so large that outputs are not finite; that must be an error, not a crash.
    const auto golden = makeGolden(*model, *executor);
    if (!golden) return 0;
    const auto bytes = encodeGolden(*model, *golden);
    if (bytes && !decodeGolden(*model, *bytes)) std::abort();
    return 0;
}

std::vector<std::vector<std::uint8_t>> seedbed::fuzzSeeds() {
    std::vector<std::vector<std::uint8_t>> seeds;
    const auto add = [&](const Spaces& spaces, NetworkParams params, std::vector<HeadSpec> heads,
                         bool squash) {
        params.hidden = {3};
        params.core_size = 2;
        const auto spec = makeNetSpec(spaces, params, std::move(heads));
        const NetPlan plan = *buildPlan(*spec);
        const Params initial = initialParams(plan, 1);
        MemoryFiles files;
        auto writer = FolderWriter::create(files, "policy");
        const NamedNetwork network{"policy", *spec, initial};
        Provenance provenance;
        provenance.env = "cartpole";
        provenance.env_params = {{"wrap", {{"reward_scale", 0.5}}}};
        if (!addNetworks(*writer, std::span(&network, 1), squash, {0.5f, 1}, provenance,
                         {kExportedPolicyName, kExportedParamsName}))
            std::abort();
        const std::string folder = writer->folder().string() + "/";
        const std::string config = files.contents.at(folder + kExportedPolicyName),
                          tensors = files.contents.at(folder + kExportedParamsName);
        std::vector<std::uint8_t> seed{static_cast<std::uint8_t>(config.size() % 256),
                                       static_cast<std::uint8_t>(config.size() / 256)};
        seed.insert(seed.end(), config.begin(), config.end());
        seed.insert(seed.end(), tensors.begin(), tensors.end());
        seeds.push_back(std::move(seed));
    };
    ObsLeaf vector;
    vector.shape = {2};
    vector.low = -1;
    vector.high = 1;
    ActionLeaf choice, box;
    choice.n = 2;
    box.name = "force";
    box.kind = ActionLeaf::Kind::box;
    box.low = {-1};
    box.high = {1};
    const std::vector<HeadSpec> heads{{"policy", "policy", 0, false}, {"value", "value", 1, false}};
    NetworkParams recurrent;
    recurrent.core = "gru";
    recurrent.previous_action = recurrent.previous_reward = true;
    recurrent.normalise_obs = true;
    add({{vector}, {choice}, true}, {}, heads, false);
    add({{vector}, {box}, false}, {}, heads, true);
    add({{vector}, {choice, box}, false}, recurrent, heads, false);
    add({{vector}, {choice}, false}, {}, {{"q", "q", 0, true}}, false);
    return seeds;
}
