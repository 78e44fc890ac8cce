// SPDX-License-Identifier: GPL-3.0-or-later
// Strings of the program itself (settings, environments, presets, findings, verdicts) in the window's
// language. Translations are in the context "core"; ui/translations/update.py collects the English strings.
// Strings without a translation stay English.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <QString>

#include "core/base/localizable_text.hpp"

namespace seedbed::ui {

inline constexpr auto kCoreContext = "core";

QString coreText(const QString& english);
QString coreText(std::string_view english);
// Numbers in the parts use the locale's decimal separator.
QString coreText(const LocalizableText& sentence);
QString coreText(const std::vector<LocalizableText>& sentences, const QString& between);

// Display name: "learning_rate" is "Learning rate", "wrap.time_limit" is "Wrap: time limit", "lr_horizon" is
// "Learning-rate horizon"; translated. update.py implements the same rule.
QString readableName(QString name);
// Numbers with the locale's decimal separator; other strings unchanged.
QString localNumber(const QString& text);

}  // namespace seedbed::ui
