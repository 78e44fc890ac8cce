// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people type them: the counterpart of number_text.hpp.
#pragma once

#include <optional>

#include <QString>

namespace seedbed::ui {

// "1500", "20k", "1.5M", "2 h", "90 s", "1e6", with the locale's decimal sign or a point; nullopt for
// anything else. Units of time give seconds.
std::optional<double> numberFromText(const QString& text);

}  // namespace seedbed::ui
