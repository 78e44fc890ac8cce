// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/style/card.hpp"

#include <QEvent>
#include <QPainter>

#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {
namespace {

constexpr int kChipPadding = 9, kChipHeight = 20;

QFont chipFont() { return textFont(TextSize::caption, QFont::Medium); }

struct ToneColours {
    QColor fill, text;
};

ToneColours coloursOf(Tone tone) {
    const Tokens& t = tokens();
    switch (tone) {
        case Tone::plain: break;
        case Tone::good: return {t.accent_soft, t.accent};
        case Tone::warning: return {t.warning_soft, t.warning};
        case Tone::bad: return {t.bad_soft, t.bad};
    }
    return {mixed(t.surface, t.text, 0.06), t.muted};
}

}  // namespace

Card::Card(QWidget* parent) : QFrame(parent) {
    setFrameShape(QFrame::NoFrame);
    setBackgroundRole(QPalette::Base);  // of widgets on the card that fill their background
}

void Card::setTone(Tone tone) {
    tone_ = tone;
    update();
}

void Card::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Tokens& t = tokens();
    if (tone_ != Tone::plain) {
        const ToneColours colours = coloursOf(tone_);
        // With high contrast the outline has the meaning.
        drawRounded(painter, rect(), kCardRadius, colours.fill,
                    scheme() == Scheme::high_contrast ? colours.text : QColor(Qt::transparent));
        return;
    }
    drawCard(painter, rect(), t.surface, lively_ && underMouse() ? mixed(t.line, t.accent, 0.8) : t.line);
}

void Card::enterEvent(QEnterEvent* event) {
    QFrame::enterEvent(event);
    if (lively_) update();
}

void Card::leaveEvent(QEvent* event) {
    QFrame::leaveEvent(event);
    if (lively_) update();
}

void drawChip(QPainter& painter, const QRect& area, Tone tone, const QString& text) {
    if (text.isEmpty()) return;
    const ToneColours colours = coloursOf(tone);
    drawRounded(painter, area, area.height() / 2.0, colours.fill,
                scheme() == Scheme::high_contrast ? colours.text : QColor(Qt::transparent));
    painter.setPen(colours.text);
    painter.setFont(chipFont());
    const QRect inside = area.adjusted(kChipPadding, 0, -kChipPadding, 0);
    painter.drawText(inside, Qt::AlignCenter,
                     QFontMetrics(chipFont()).elidedText(text, Qt::ElideRight, inside.width() + 1));
}

QSize chipSize(const QString& text) {
    const QFontMetrics metrics(chipFont());
    return {metrics.horizontalAdvance(text) + 2 * kChipPadding + 1,
            std::max(kChipHeight, metrics.height() + 4)};
}

Chip::Chip(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setFont(chipFont());
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

void Chip::setTone(Tone tone) {
    tone_ = tone;
    update();
}

QSize Chip::sizeHint() const { return chipSize(text()); }

QSize Chip::minimumSizeHint() const { return {4 * kChipPadding, sizeHint().height()}; }

void Chip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    drawChip(painter, rect(), tone_, text());
}

}  // namespace seedbed::ui
