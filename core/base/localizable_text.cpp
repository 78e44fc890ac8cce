// SPDX-License-Identifier: Apache-2.0
#include "core/base/localizable_text.hpp"

#include <cstddef>

namespace seedbed {

std::string LocalizableText::text() const {
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool marker =
            pattern[i] == '%' && i + 1 < pattern.size() && pattern[i + 1] >= '1' && pattern[i + 1] <= '9';
        const auto argument = marker ? static_cast<std::size_t>(pattern[i + 1] - '1') : 0;
        if (marker && argument < arguments.size()) {
            text += arguments[argument];
            ++i;
        } else {
            text += pattern[i];
        }
    }
    return text;
}

std::string joinedText(const std::vector<LocalizableText>& texts, std::string_view separator) {
    std::string joined;
    for (const LocalizableText& text : texts)
        joined.append(joined.empty() ? std::string_view() : separator).append(text.text());
    return joined;
}

}  // namespace seedbed
