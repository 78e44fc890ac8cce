// SPDX-License-Identifier: GPL-3.0-or-later
// Style numbers (colour and line) of compared series.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include <QString>

namespace seedbed::ui {

// Known keys keep their numbers, removed keys release theirs, and new keys get the smallest free number.
inline void assignStyles(std::map<QString, int>& styles, const std::vector<QString>& keys) {
    std::erase_if(styles, [&](const auto& known) {
        return std::find(keys.begin(), keys.end(), known.first) == keys.end();
    });
    std::set<int> taken;
    for (const auto& [key, style] : styles) taken.insert(style);
    for (const QString& key : keys) {
        if (styles.contains(key)) continue;
        int style = 0;
        while (taken.contains(style)) ++style;
        styles.emplace(key, style);
        taken.insert(style);
    }
}

}  // namespace seedbed::ui
