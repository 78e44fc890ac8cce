// SPDX-License-Identifier: Apache-2.0
// Checks the results of an engine on a device against those of the engine `reference` in double precision.
#pragma once

#include <string>
#include <vector>

#include "core/nn/engines/check/parity.hpp"

namespace seedbed::app {

// Compares forward and backward passes of three small networks, in a fraction of a second. error: parity, or
// from the engine.
Result<ParityReport> checkEngine(const std::string& engine, const std::string& device);

struct EngineDevice {
    std::string id;    // "vulkan:0"
    std::string text;  // id and details, from EngineEntry::devices
};
// The devices of a registered engine, without the alias "vulkan". error: device, if there are none.
Result<std::vector<EngineDevice>> engineDevices(const std::string& engine);
// The devices that the engine finds but cannot use, as text with the reason. They are only listed if another
// one can be used; otherwise the error of engineDevices() contains them.
std::vector<std::string> unusableDevices(const std::string& engine);

}  // namespace seedbed::app
