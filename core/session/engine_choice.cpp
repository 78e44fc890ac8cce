// SPDX-License-Identifier: Apache-2.0
#include "core/session/engine_choice.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <thread>

#include "core/base/text.hpp"

namespace seedbed {
namespace {

Result<> checkDevice(const EngineEntry& entry, const std::string& device) {
    SEEDBED_ASSIGN(const std::vector<std::string> devices, entry.devices());
    // Devices are listed with name and details: "cpu (LibTorch 1.13.0, ...)".
    for (const std::string& known : devices)
        if (known.substr(0, known.find(' ')) == device) return {};
    return fail(ErrorCode::device, "device '" + device + "' is not available to engine '" + entry.id +
                                       "'; available: " + join(devices, ", "));
}

}  // namespace

Result<EngineChoice> chooseEngine(const std::string& engine, const std::string& device) {
    if (engine != "auto") {
        // "check:NAME" is the engine check, which compares NAME with reference.
        const std::size_t colon = engine.find(':');
        SEEDBED_ASSIGN(const EngineEntry* entry, engineRegistry().get(engine.substr(0, colon), "engine"));
        const std::string used = colon == std::string::npos ? engine : engine.substr(colon + 1);
        SEEDBED_ASSIGN(const EngineEntry* tested, engineRegistry().get(used, "engine"));
        SEEDBED_TRY(checkDevice(*tested, device));
        return EngineChoice{colon == std::string::npos ? entry->id : engine, "configured"};
    }
    const bool on_cpu = device == "cpu";
    const char* why =
        on_cpu ? "the fastest engine, except for very wide networks" : "the engine for this device";
    const auto order = on_cpu                         ? std::array{"native", "reference", "torch"}
                       : device.starts_with("vulkan") ? std::array{"vulkan", "torch", "native"}
                                                      : std::array{"torch", "native", "vulkan"};
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

bool rowsAreIndependent(const std::string& engine) {
    const EngineEntry* entry = engineRegistry().find(engine);
    return entry != nullptr && entry->rows_independent;
}

EngineOptions engineOptions(const std::string& device, const std::string& on_failure) {
    EngineOptions options;
    options.device = device;
    options.cpu_fallback = on_failure == "cpu";
    return options;
}

int threadCount(int asked) {
    return asked > 0 ? asked : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace seedbed
