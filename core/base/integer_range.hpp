// SPDX-License-Identifier: Apache-2.0
// Ranges of whole numbers as users write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/text.hpp"

namespace seedbed {

// Both ends are included; 0 <= first <= last.
struct IntegerRange {
    std::int64_t first = 0, last = 0;
};

// Parses "1..5"; nullopt for anything else, such as "5..1", "-1..5" or a single number.
inline std::optional<IntegerRange> parseRange(std::string_view text) {
    const auto dots = text.find("..");
    if (dots == std::string_view::npos) return std::nullopt;
    const auto first = parseInteger(text.substr(0, dots)), last = parseInteger(text.substr(dots + 2));
    if (!first || !last || *first < 0 || *last < *first) return std::nullopt;
    return IntegerRange{*first, *last};
}

}  // namespace seedbed
