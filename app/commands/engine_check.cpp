// SPDX-License-Identifier: Apache-2.0
#include "app/commands/engine_check.hpp"

#include "core/nn/engine.hpp"
#include "core/nn/plan_builder.hpp"
#include "core/session/engine_choice.hpp"

namespace seedbed::app {
namespace {

// Small enough that the check takes a fraction of a second.
Result<NetPlan> samplePlan(const char* encoder) {
    Spaces spaces;
    ObsLeaf leaf;
    const bool image = std::string(encoder) != "flat";
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
    network.encoder = encoder;
    SEEDBED_ASSIGN(
        const NetSpec spec,
        makeNetSpec(spaces, network, {{"policy", "policy", 0, false}, {"value", "value", 1, false}}));
    return buildPlan(spec);
}

}  // namespace

Result<ParityReport> checkEngine(const std::string& engine, const std::string& device) {
    ParityReport worst;
    for (const char* encoder : {"flat", "minatar_conv"}) {
        SEEDBED_ASSIGN(const NetPlan plan, samplePlan(encoder));
        EngineOptions exact;
        exact.double_precision = true;
        SEEDBED_ASSIGN(const auto truth, compileNet("reference", plan, exact));
        SEEDBED_ASSIGN(const auto tested, compileNet(engine, plan, engineOptions(device)));
        SEEDBED_ASSIGN(const ParityReport report, measureParity(*truth, *tested, 32, 1, 1));
        SEEDBED_TRY(report.check(ParityTolerance::forRows(plan, 32), engine));
        worst.include(report);
    }
    return worst;
}

Result<std::vector<EngineDevice>> engineDevices(const std::string& engine) {
    SEEDBED_ASSIGN(const std::vector<std::string> texts, engineRegistry().find(engine)->devices());
    std::vector<EngineDevice> devices;
    for (const std::string& text : texts) {
        std::string id = text.substr(0, text.find(' '));
        if (id != "vulkan") devices.push_back({std::move(id), text});
    }
    return devices;
}

}  // namespace seedbed::app
