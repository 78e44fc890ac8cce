// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elided_name.hpp"

#include <QPainter>

namespace seedbed::ui {

QString elidedMiddle(const QString& text, qsizetype letters) {
    if (text.size() <= letters) return text;
    // Keeps more of the beginning, which is the most informative part.
    const qsizetype end = (letters - 1) / 3;
    return text.left(letters - 1 - end) + QStringLiteral("…") + text.right(end);
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const QRect area = contentsRect();
    painter.drawText(area, static_cast<int>(alignment()) | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), Qt::ElideMiddle, area.width()));
}

}  // namespace seedbed::ui
