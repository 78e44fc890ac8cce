// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/queue/queue_row.hpp"

#include <algorithm>

#include <QPainter>

#include "ui/models/queue/queue_model.hpp"
#include "ui/views/style/card.hpp"
#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {
namespace {

constexpr int kCardPadding = 12, kBarHeight = 6;
constexpr int kAdvanceSlack = 2;  // texts can be wider than their advance

QFont nameFont() { return textFont(TextSize::body, QFont::DemiBold); }

int lineHeight(const QFont& font) { return QFontMetrics(font).height(); }

int upperHeight() { return std::max(lineHeight(nameFont()), chipSize({}).height()); }

// Draws one line at the start or end of `area`, elided; returns the width that it takes, with a gap.
int drawQueueText(QPainter& painter, const QStyleOptionViewItem& option, const QRect& area, const QFont& font,
                  const QColor& colour, const QString& text, bool at_end = false) {
    if (text.isEmpty() || area.width() < 4 * kGrid) return 0;
    const QFontMetrics metrics(font);
    const QString shown = metrics.elidedText(text, Qt::ElideRight, area.width());
    painter.setFont(font);
    painter.setPen(colour);
    // Left is the start of the line: the layout direction of the painter mirrors it.
    painter.drawText(QStyle::visualRect(option.direction, option.rect, area),
                     QStyle::visualAlignment(option.direction, at_end ? Qt::AlignRight : Qt::AlignLeft) |
                         Qt::AlignVCenter | Qt::TextSingleLine,
                     shown);
    return metrics.horizontalAdvance(shown) + kAdvanceSlack + 2 * kGrid;
}

Tone toneOf(QueueCard::State state) {
    switch (state) {
        case QueueCard::State::waiting: return Tone::plain;
        case QueueCard::State::training: return Tone::good;
        case QueueCard::State::held: return Tone::warning;
    }
    return Tone::plain;
}

}  // namespace

QSize QueueRow::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    const int small = lineHeight(textFont(TextSize::caption));
    return {0, upperHeight() + 2 * small + kBarHeight + 2 * kCardPadding + 3 * kGrid};
}

void QueueRow::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto* model = qobject_cast<const QueueModel*>(index.model());
    if (model == nullptr) return;
    const QueueCard card = model->cardAt(index.row());
    const Tokens& t = tokens();
    const PainterState state(*painter);
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    const QRect whole = option.rect.adjusted(0, 0, 0, -kGrid);
    drawCard(*painter, whole, selected ? t.accent_soft : t.surface,
             selected || (option.state & QStyle::State_MouseOver) ? mixed(t.line, t.accent, 0.8) : t.line);
    if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_KeyboardFocusChange))
        drawRounded(*painter, QRectF(whole).adjusted(0, 0, 0, -2), kCardRadius, Qt::transparent, t.accent, 2);

    const QFont small = textFont(TextSize::caption);
    QRect line = whole.adjusted(kCardPadding, kCardPadding, -kCardPadding, 0);
    line.setHeight(upperHeight());
    QRect rest = line;
    const QSize chip = chipSize(card.state_text).boundedTo({line.width() * 3 / 5, line.height()});
    drawChip(*painter,
             QStyle::visualRect(option.direction, option.rect,
                                QRect(QPoint(line.right() + 1 - chip.width(), line.top()), chip)),
             toneOf(card.state), card.state_text);
    rest.setRight(line.right() - chip.width() - kGrid);
    rest.setLeft(rest.left() + drawQueueText(*painter, option, rest, small, t.muted, card.place) - kGrid);
    drawQueueText(*painter, option, rest, nameFont(), t.text, card.name);

    line.translate(0, line.height() + kGrid / 2);
    line.setHeight(lineHeight(small));
    rest = line;
    rest.setLeft(rest.left() + drawQueueText(*painter, option, rest, small, t.muted, card.facts));
    drawQueueText(*painter, option, rest, small, t.text, card.change, true);

    line.translate(0, line.height() + kGrid / 2);
    rest = line;
    rest.setLeft(rest.left() + drawQueueText(*painter, option, rest, small, t.text, card.estimate));
    drawQueueText(*painter, option, rest, small, t.muted, card.steps, true);

    if (!card.done) return;
    QRectF groove(line.left(), line.bottom() + 1 + 3 * kGrid / 4, line.width(), kBarHeight);
    drawRounded(*painter, groove, kBarHeight / 2.0, mixed(t.background, t.text, 0.12));
    groove.setWidth(*card.done * groove.width());
    if (groove.width() > 0)
        drawRounded(*painter, QStyle::visualRect(option.direction, option.rect, groove.toRect()),
                    kBarHeight / 2.0, card.state == QueueCard::State::training ? t.accent : t.muted);
}

}  // namespace seedbed::ui
