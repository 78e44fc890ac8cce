// SPDX-License-Identifier: Apache-2.0
// Workers that run scripted_worker.py, and checks for resources that they leave behind.
#pragma once

#include <string>
#include <vector>

#include "core/worker/worker_batch.hpp"

namespace seedbed::testing {

WorkerPlan planOf(std::vector<std::string> arguments, int count = 2);
EnvSpec scriptedSpec();
// Open descriptors of this process.
int openDescriptors();

}  // namespace seedbed::testing
