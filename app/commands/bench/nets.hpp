// SPDX-License-Identifier: Apache-2.0
// Named networks and their observations for benchmarks of engines.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/nn/engine.hpp"

namespace seedbed::app {

struct BenchNet {
    std::string name;
    std::string summary;
    NetPlan plan;
};

std::vector<std::string> benchNetIds();
// Returns one indented line per network, "mlp64: 4 numbers, 64 x 64 tanh", for help texts.
std::string benchNetNames();
// error: config for an unknown name.
Result<BenchNet> benchNet(const std::string& name);

struct BenchEngine {
    std::unique_ptr<EngineNet> net;
    std::string id, why;
};
// `engine` may be auto. error: config, device.
Result<BenchEngine> compileBenchNet(const std::string& engine, const std::string& device,
                                    const BenchNet& net);

}  // namespace seedbed::app
