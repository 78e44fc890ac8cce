// SPDX-License-Identifier: Apache-2.0
// seedbed doctor RUN: diagnoses the training of one run from its metrics.
#pragma once

#include <string>

#include "app/command.hpp"

namespace seedbed::app {

// Prints each finding with its evidence, likely cause and a command that starts a new run with the suggested
// change.
Result<int> diagnoseRun(const std::string& run, const Context& context);

}  // namespace seedbed::app
