// SPDX-License-Identifier: GPL-3.0-or-later
// What the program without a window says of itself (settings, environments, presets, findings, verdicts) in
// the language of the window: context "core" of the translations, which ui/translations/update.py collects
// from the program. What has no translation stays English.
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
// Numbers among the parts get the locale's decimal sign.
QString coreText(const LocalizableText& sentence);
QString coreText(const std::vector<LocalizableText>& sentences, const QString& between);

// A name for people: "learning_rate" is "Learning rate", "wrap.time_limit" is "Wrap: time limit"; in the
// language of the window. update.py knows the rule, too.
QString readableName(QString name);
// A value of a setting or a part of a sentence: numbers with the locale's decimal sign, everything else as it
// is.
QString localNumber(const QString& text);

}  // namespace seedbed::ui
