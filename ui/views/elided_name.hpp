// SPDX-License-Identifier: GPL-3.0-or-later
// Long names for narrow places: what differs between two of them stands at their beginnings and ends, so that
// the middle goes.
#pragma once

#include <QString>

namespace seedbed::ui {

// At most so many letters, "…" in the middle of what is longer. letters >= 3.
QString elidedMiddle(const QString& text, qsizetype letters);

}  // namespace seedbed::ui
