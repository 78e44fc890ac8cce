// SPDX-License-Identifier: Apache-2.0
// A JSON parser for files that may be damaged or malicious.
#pragma once

#include <string_view>

#include "core/base/json.hpp"

namespace seedbed {

// Parses `text`. Rejects duplicate keys in an object and nesting deeper than `max_depth`, which could
// overflow the stack. The result is_discarded() if the text is rejected or not JSON.
Json parseStrictJson(std::string_view text, int max_depth = 32);

}  // namespace seedbed
