// SPDX-License-Identifier: Apache-2.0
#include "core/session/engine_choice.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <thread>

#include "core/base/text.hpp"

namespace seedbed {
namespace {

// For example in the encoder impala_deep. The native engine runs these on the slower reference kernels.
bool hasPaddedConvolution(const NetPlan& net) {
    return std::any_of(net.ops.begin(), net.ops.end(),
                       [](const PlanOp& op) { return op.kind == "conv2d" && op.pad > 0; });
}

Result<> checkDevice(const EngineEntry& entry, const std::string& device) {
    SEEDBED_ASSIGN(const std::vector<std::string> devices, entry.devices());
    // Devices are listed with name and details: "cpu (LibTorch 1.13.0, ...)".
    for (const std::string& known : devices)
        if (known.substr(0, known.find(' ')) == device) return {};
    return fail(ErrorCode::device, "device '" + device + "' is not available to engine '" + entry.id +
                                       "'; available: " + join(devices, ", "));
}

}  // namespace

Result<EngineChoice> chooseEngine(const std::string& engine, const std::string& device, const NetPlan& net) {
    if (engine != "auto") {
        // "check:NAME" is the engine check, which compares NAME with reference.
        const std::size_t colon = engine.find(':');
        SEEDBED_ASSIGN(const EngineEntry* entry, engineRegistry().get(engine.substr(0, colon), "engine"));
        SEEDBED_TRY(checkDevice(*entry, device));
        return EngineChoice{colon == std::string::npos ? entry->id : engine, "configured"};
    }
    const bool padded = hasPaddedConvolution(net);
    const char* why = device != "cpu" ? "the engine for this device"
                      : padded        ? "faster for networks with padded convolutions"
                                      : "faster for networks without padded convolutions";
    const auto order = padded || device != "cpu" ? std::array{"torch", "native", "reference"}
                                                 : std::array{"native", "reference", "torch"};
    std::optional<Error> first_reason;
    for (const char* id : order) {
        const EngineEntry* entry = engineRegistry().find(id);
        if (entry == nullptr) continue;
        auto ready = checkDevice(*entry, device);
        if (ready) return EngineChoice{id, first_reason ? "the faster engine is not available here" : why};
        if (!first_reason) first_reason = std::move(ready).error();
    }
    return tl::unexpected<Error>(
        first_reason.value_or(Error{ErrorCode::device, "no engine is available", {}}));
}

bool rowsAreIndependent(const std::string& engine) { return engine == "reference" || engine == "native"; }

EngineOptions engineOptions(const std::string& device) {
    EngineOptions options;
    options.device = device;
    return options;
}

int threadCount(int asked) {
    return asked > 0 ? asked : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace seedbed
