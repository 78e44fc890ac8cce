// SPDX-License-Identifier: Apache-2.0
// The values of --seeds and --grid.
#pragma once

#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed::app {

// Parses "1..5", "1,2,7" or a combination. error: config.
Result<std::vector<std::string>> parseSeeds(const std::string& text);

// Splits "1,2" or "[32],[64,64]" at the commas outside brackets and removes the brackets of each value.
std::vector<std::string> splitValues(const std::string& text);

}  // namespace seedbed::app
