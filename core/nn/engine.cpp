// SPDX-License-Identifier: Apache-2.0
// The registry of engines and the lookup by name.
#include "core/nn/engine.hpp"

namespace seedbed {

Registry<EngineEntry>& engineRegistry() {
    static Registry<EngineEntry> registry;
    return registry;
}

std::size_t contextBytes(const std::string& engine, const NetPlan& plan, std::size_t rows, int steps,
                         Keep keep) {
    const EngineEntry* entry = engineRegistry().find(engine.substr(0, engine.find(':')));
    if (entry != nullptr && entry->context_bytes) return entry->context_bytes(plan, rows, steps, keep);
    // The size of a copy of the parameters and of all values of the plan with their gradients.
    return (plan.param_floats + rows * plan.tapeFloatsPerRow() * (keep == Keep::tape ? 2 : 1)) *
           sizeof(float);
}

Result<std::unique_ptr<EngineNet>> compileNet(const std::string& engine, const NetPlan& plan,
                                              const EngineOptions& options) {
    const std::size_t colon = engine.find(':');
    SEEDBED_ASSIGN(const EngineEntry* entry, engineRegistry().get(engine.substr(0, colon), "engine"));
    EngineOptions given = options;
    if (colon != std::string::npos) {
        if (entry->id != "check")
            return fail(ErrorCode::config, "engine '" + entry->id + "' does not accept a name after a colon");
        given.tested = engine.substr(colon + 1);
    }
    return entry->compile(plan, given);
}

}  // namespace seedbed
