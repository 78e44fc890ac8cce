// SPDX-License-Identifier: GPL-3.0-or-later
// Shortens long names in the middle, since names usually differ at their beginnings and ends.
#pragma once

#include <QString>

namespace seedbed::ui {

// At most `letters` characters, with "…" in the middle of longer strings. letters >= 3.
QString elidedMiddle(const QString& text, qsizetype letters);

}  // namespace seedbed::ui
