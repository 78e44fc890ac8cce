// SPDX-License-Identifier: Apache-2.0
// The rule of `auto`: the first available engine of a fixed order that has the device.
#include "core/run/engine_choice.hpp"

#include <algorithm>
#include <thread>

#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr const char* kOrder[] = {"torch", "reference"};

Result<> checkDevice(const EngineEntry& entry, const std::string& device) {
    SEEDBED_ASSIGN(const std::vector<std::string> devices, entry.devices());
    // A device is listed as its name, then what is known of it: "cpu (LibTorch 1.13.0, ...)".
    for (const std::string& known : devices)
        if (known.substr(0, known.find(' ')) == device) return {};
    return fail(ErrorCode::device,
                "device '" + device + "' is not available to engine '" + entry.id + "'; available: " + join(devices, ", "));
}

}  // namespace

Result<EngineChoice> chooseEngine(const std::string& engine, const std::string& device) {
    if (engine != "auto") {
        SEEDBED_ASSIGN(const EngineEntry* entry, engineRegistry().get(engine, "engine"));
        SEEDBED_TRY(checkDevice(*entry, device));
        return EngineChoice{entry->id, "asked for"};
    }
    Error last{ErrorCode::device, "no engine is available", {}};
    for (const char* id : kOrder) {
        const EngineEntry* entry = engineRegistry().find(id);
        if (entry == nullptr || !entry->devices()) continue;
        const auto ready = checkDevice(*entry, device);
        if (ready) return EngineChoice{id, "first available of torch, reference"};
        if (last.message == "no engine is available") last = ready.error();
    }
    return tl::unexpected<Error>(last);
}

EngineOptions engineOptions(const std::string& device) {
    EngineOptions options;
    options.device = device;
    return options;
}

int threadCount(int asked) { return asked > 0 ? asked : static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

}  // namespace seedbed
