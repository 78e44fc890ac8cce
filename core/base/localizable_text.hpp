// SPDX-License-Identifier: Apache-2.0
// Text patterns with arguments, so that the window can translate messages that the core composes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace seedbed {

struct LocalizableText {
    std::string pattern;                 // "it was %1 and is %2 now"
    std::vector<std::string> arguments;  // the texts for %1, %2, ... up to %9

    // The English text: `pattern` with its markers replaced. A marker without an argument is unchanged.
    std::string text() const;
    bool operator==(const LocalizableText&) const = default;
};

// The English strings, joined with `separator`.
std::string joinedText(const std::vector<LocalizableText>& texts, std::string_view separator);

}  // namespace seedbed

// Marks a literal that users see, so that ui/translations/update.py collects it for translators.
#define SEEDBED_TEXT(literal) literal
