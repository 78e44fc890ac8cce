// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shell/toast.hpp"

#include <algorithm>

#include <QEvent>
#include <QPainter>

#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {
namespace {

constexpr int kToastWidth = 560, kToastGap = 16;

}  // namespace

Toast::Toast(QWidget* parent) : QLabel(parent) {
    setObjectName(QStringLiteral("toast"));
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setAlignment(Qt::AlignCenter);
    setContentsMargins(16, 9, 16, 9);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    parent->installEventFilter(this);
    hide();
}

void Toast::showText(const QString& text) {
    setText(text);
    setAccessibleName(text);
    setVisible(!text.isEmpty());
    if (text.isEmpty()) return;
    place();
    raise();
}

void Toast::place() {
    const int widest = std::min(kToastWidth, parentWidget()->width() - 2 * kToastGap);
    const int line = fontMetrics().horizontalAdvance(text()) + 34;
    const int wide = std::min(widest, line);
    const int high = heightForWidth(wide);
    setGeometry((parentWidget()->width() - wide) / 2, parentWidget()->height() - high - kToastGap, wide,
                high);
}

bool Toast::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible()) place();
    return QLabel::eventFilter(watched, event);
}

void Toast::paintEvent(QPaintEvent*) {
    const Tokens& t = tokens();
    QPainter painter(this);
    drawRounded(painter, rect(), kControlRadius, t.text);
    painter.setPen(t.background);
    painter.drawText(contentsRect(), Qt::AlignCenter | Qt::TextWordWrap, text());
}

}  // namespace seedbed::ui
