// SPDX-License-Identifier: Apache-2.0
// JSON from files that may be damaged or hostile. Refused as a whole rather than repaired.
#pragma once

#include <string_view>

#include "core/base/json.hpp"

namespace seedbed {

// Refuses what the plain parser lets pass: a key twice in one object, and nesting deeper than `max_depth`,
// which would exhaust the stack of whoever walks through it. is_discarded() when refused.
Json parseStrictJson(std::string_view text, int max_depth = 32);

}  // namespace seedbed
