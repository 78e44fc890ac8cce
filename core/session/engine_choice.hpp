// SPDX-License-Identifier: Apache-2.0
// Chooses the engine that runs the networks and the number of threads by fixed rules, so that a seed gives
// the same result on identical machines.
#pragma once

#include <string>

#include "core/base/error.hpp"
#include "core/nn/engine.hpp"

namespace seedbed {

struct EngineChoice {
    std::string id;
    std::string why;
};

// If `engine` is auto: native on a CPU, the fastest engine in tests/bench except for very wide networks,
// vulkan on Vulkan devices, torch on others; engines that are not available are skipped. error: config for an
// unknown engine; device if the engine or device is not available, with a list of the available ones.
Result<EngineChoice> chooseEngine(const std::string& engine, const std::string& device);

// Whether an engine's result for a row is independent, bit for bit, of the other rows of the call.
bool rowsAreIndependent(const std::string& engine);

// `on_failure`: RunSettings::on_device_failure.
EngineOptions engineOptions(const std::string& device, const std::string& on_failure = "stop");

// `configured` = 0: one thread per core that this process may use.
int threadCount(int configured);

}  // namespace seedbed
