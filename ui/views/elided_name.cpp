// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elided_name.hpp"

namespace seedbed::ui {

QString elidedMiddle(const QString& text, qsizetype letters) {
    if (text.size() <= letters) return text;
    // Keeps more of the beginning, which is the most informative part.
    const qsizetype end = (letters - 1) / 3;
    return text.left(letters - 1 - end) + QStringLiteral("…") + text.right(end);
}

}  // namespace seedbed::ui
