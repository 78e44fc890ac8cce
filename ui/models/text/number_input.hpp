// SPDX-License-Identifier: GPL-3.0-or-later
// Parses numbers as users type them; the counterpart of number_text.hpp.
#pragma once

#include <optional>

#include <QString>

namespace seedbed::ui {

// Accepts "1500", "20k", "1.5M", "2 h", "90 s", "1e6", with the locale's decimal separator or a point;
// otherwise nullopt. Time units yield seconds.
std::optional<double> numberFromText(const QString& text);

}  // namespace seedbed::ui
