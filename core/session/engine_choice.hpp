// SPDX-License-Identifier: Apache-2.0
// Which engine runs the networks, and on how many threads: by a fixed rule, so that one seed gives one result
// on machines alike.
#pragma once

#include <string>

#include "core/base/error.hpp"
#include "core/nn/engine.hpp"

namespace seedbed {

struct EngineChoice {
    std::string id;
    std::string why;
};

// `engine` may be auto: on a CPU native for networks without padded convolutions and torch for the others,
// each where tests/bench has it ahead; torch on other devices; what is not available is passed over. error:
// config for an unknown engine; device when it or the device is not available here, with what is.
Result<EngineChoice> chooseEngine(const std::string& engine, const std::string& device, const NetPlan& net);

// Whether what an engine computes for a row does not depend, to the last bit, on the other rows of the call.
bool rowsStandAlone(const std::string& engine);

EngineOptions engineOptions(const std::string& device);

// 0: one per core this process may use.
int threadCount(int asked);

}  // namespace seedbed
