// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of the colours and lines of what is compared.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <QString>

namespace seedbed::ui {

// What is compared keeps its number as long as it is, others take the first free one.
inline void giveStyles(std::map<QString, int>& styles, const std::vector<QString>& keys) {
    std::erase_if(styles, [&](const auto& known) {
        return std::find(keys.begin(), keys.end(), known.first) == keys.end();
    });
    std::set<int> taken;
    for (const auto& [key, style] : styles) taken.insert(style);
    for (const QString& key : keys) {
        if (styles.contains(key)) continue;
        int style = 0;
        while (taken.contains(style)) ++style;
        styles.emplace(key, style), taken.insert(style);
    }
}

}  // namespace seedbed::ui
