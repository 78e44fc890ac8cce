// SPDX-License-Identifier: Apache-2.0
// seedbed doctor RUN: what the metrics of one run say about its training.
#pragma once

#include <string>

#include "app/command.hpp"

namespace seedbed::app {

// Prints findings with evidence, cause and the command that tries the remedy as a new run.
Result<int> diagnoseRun(const std::string& run, const Context& context);

}  // namespace seedbed::app
