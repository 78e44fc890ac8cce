// SPDX-License-Identifier: Apache-2.0
// A JSON parser for files that may be damaged or malicious.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/json.hpp"

namespace seedbed {

// A value of two bytes of text may use 100 bytes of memory.
inline constexpr std::size_t kMaxJsonValues = 1 << 19;

// Parses `text`. Rejects duplicate keys in an object, nesting deeper than `max_depth`, which could overflow
// the stack, and more than `max_values` values, including containers. The result is_discarded() if the text
// is rejected or not JSON.
Json parseStrictJson(std::string_view text, int max_depth = 32, std::size_t max_values = kMaxJsonValues);

}  // namespace seedbed
