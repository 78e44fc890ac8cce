// SPDX-License-Identifier: Apache-2.0
#include "app/commands/engine_check.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "core/nn/engine.hpp"
#include "core/nn/plan_builder.hpp"
#include "core/session/engine_choice.hpp"

namespace seedbed::app {
namespace {

// A network and the shape of its calls, small enough that the check takes a fraction of a second.
struct CheckedNetwork {
    const char* encoder;
    const char* core;
    int sequences, steps;
};
constexpr std::array kCheckedNetworks{CheckedNetwork{"flat", "none", 32, 1},
                                      CheckedNetwork{"minatar_conv", "none", 32, 1},
                                      CheckedNetwork{"flat", "lstm", 4, 8}};

// Starts the texts of devices that cannot be used; see gpu::deviceTexts().
constexpr std::string_view kUnusable = "unusable: ";

Result<NetPlan> samplePlan(const CheckedNetwork& sample) {
    Spaces spaces;
    ObsLeaf leaf;
    const bool image = std::string_view(sample.encoder) != "flat";
    leaf.kind = image ? ObsLeaf::Kind::image : ObsLeaf::Kind::vector;
    leaf.dtype = image ? DType::u8 : DType::f32;
    leaf.shape = image ? std::vector<int>{4, 10, 10} : std::vector<int>{8};
    leaf.low = image ? 0 : -1;
    leaf.high = 1;
    spaces.obs = {leaf};
    ActionLeaf action;
    action.n = 3;
    spaces.actions = {action};
    NetworkParams network;
    network.encoder = sample.encoder;
    network.core = sample.core;
    network.core_size = 16;
    SEEDBED_ASSIGN(
        const NetSpec spec,
        makeNetSpec(spaces, network, {{"policy", "policy", 0, false}, {"value", "value", 1, false}}));
    return buildPlan(spec);
}

}  // namespace

Result<ParityReport> checkEngine(const std::string& engine, const std::string& device) {
    ParityReport worst;
    for (const CheckedNetwork& sample : kCheckedNetworks) {
        SEEDBED_ASSIGN(const NetPlan plan, samplePlan(sample));
        EngineOptions exact;
        exact.double_precision = true;
        SEEDBED_ASSIGN(const auto truth, compileNet("reference", plan, exact));
        SEEDBED_ASSIGN(const auto tested, compileNet(engine, plan, engineOptions(device)));
        SEEDBED_ASSIGN(const ParityReport report,
                       measureParity(*truth, *tested, sample.sequences, sample.steps, 1));
        const int rows = sample.sequences * sample.steps;
        SEEDBED_TRY(report.check(ParityTolerance::forRows(plan, rows), engine));
        worst.include(report);
    }
    return worst;
}

Result<std::vector<EngineDevice>> engineDevices(const std::string& engine) {
    SEEDBED_ASSIGN(const std::vector<std::string> texts, engineRegistry().find(engine)->devices());
    std::vector<EngineDevice> devices;
    for (const std::string& text : texts) {
        std::string id = text.substr(0, text.find(' '));
        if (id != "vulkan" && !text.starts_with(kUnusable)) devices.push_back({std::move(id), text});
    }
    return devices;
}

std::vector<std::string> unusableDevices(const std::string& engine) {
    const auto texts = engineRegistry().find(engine)->devices();
    std::vector<std::string> unusable;
    if (!texts) return unusable;
    for (const std::string& text : *texts)
        if (text.starts_with(kUnusable)) unusable.push_back(text.substr(kUnusable.size()));
    return unusable;
}

}  // namespace seedbed::app
