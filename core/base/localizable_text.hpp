// SPDX-License-Identifier: Apache-2.0
// Sentences with gaps: what the core says with numbers or names in it, so that the window can say it in
// another language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace seedbed {

struct LocalizableText {
    std::string form;                // "it was %1 and is %2 now"
    std::vector<std::string> parts;  // for %1, %2, ... to %9

    // In English. A marker without a part stays as it is.
    std::string text() const;
    bool operator==(const LocalizableText&) const = default;
};

std::string textOf(const std::vector<LocalizableText>& sentences, std::string_view between);

}  // namespace seedbed

// A literal that people see: ui/translations/update.py collects it for translators.
#define SEEDBED_TEXT(literal) literal
