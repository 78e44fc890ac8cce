// SPDX-License-Identifier: Apache-2.0
// The table of engines and the choice of one by name.
#include "core/nn/engine.hpp"

namespace seedbed {

Registry<EngineEntry>& engineRegistry() {
    static Registry<EngineEntry> registry;
    return registry;
}

Result<std::unique_ptr<EngineNet>> compileNet(const std::string& engine, const NetPlan& plan,
                                              const EngineOptions& options) {
    const std::size_t colon = engine.find(':');
    SEEDBED_ASSIGN(const EngineEntry* entry, engineRegistry().get(engine.substr(0, colon), "engine"));
    EngineOptions given = options;
    if (colon != std::string::npos) {
        if (entry->id != "check")
            return fail(ErrorCode::config, "engine '" + entry->id + "' takes nothing after a colon");
        given.tested = engine.substr(colon + 1);
    }
    return entry->compile(plan, given);
}

}  // namespace seedbed
