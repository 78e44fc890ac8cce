// SPDX-License-Identifier: Apache-2.0
#include "core/base/localizable_text.hpp"

#include <cstddef>

namespace seedbed {

std::string LocalizableText::text() const {
    std::string text;
    for (std::size_t i = 0; i < form.size(); ++i) {
        const bool marker = form[i] == '%' && i + 1 < form.size() && form[i + 1] >= '1' && form[i + 1] <= '9';
        const auto part = marker ? static_cast<std::size_t>(form[i + 1] - '1') : 0;
        if (marker && part < parts.size()) text += parts[part], ++i;
        else text += form[i];
    }
    return text;
}

std::string textOf(const std::vector<LocalizableText>& sentences, std::string_view between) {
    std::string text;
    for (const LocalizableText& sentence : sentences)
        text.append(text.empty() ? std::string_view() : between).append(sentence.text());
    return text;
}

}  // namespace seedbed
