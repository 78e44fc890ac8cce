// SPDX-License-Identifier: Apache-2.0
// Networks by name for the benchmarks of engines, with the observations they are made for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/nn/engine.hpp"

namespace seedbed::app {

struct BenchNet {
    std::string name;
    std::string what;
    NetPlan plan;
};

std::vector<std::string> benchNetIds();
// "mlp64 (4 numbers, 64 x 64 tanh), nature (...)": for help texts.
std::string benchNetNames();
// error: config for an unknown name, with the nearest.
Result<BenchNet> benchNet(const std::string& name);

struct BenchEngine {
    std::unique_ptr<EngineNet> net;
    std::string id, why;
};
// `engine` may be auto. error: config, device.
Result<BenchEngine> compileBenchNet(const std::string& engine, const BenchNet& net);

}  // namespace seedbed::app
