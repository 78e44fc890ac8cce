// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dashboard/bottleneck_strip.hpp"

#include <array>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kShareBarHeight = 10;

struct Part {
    QString name;
    double share;
    int colour;  // argument of Theme::seriesColour
    Qt::BrushStyle pattern;
};

std::array<Part, 4> partsOf(const TimeShares& shares) {
    return {{{BottleneckStrip::tr("environments"), shares.env, 0, Qt::SolidPattern},
             {BottleneckStrip::tr("inference"), shares.inference, 1, Qt::SolidPattern},
             {BottleneckStrip::tr("learning"), shares.learning, 2, Qt::SolidPattern},
             {BottleneckStrip::tr("waiting"), shares.waiting, 3, Qt::BDiagPattern}}};
}

QString percent(double share) { return QStringLiteral("%1 %").arg(std::lround(100 * share)); }

}  // namespace

BottleneckStrip::BottleneckStrip(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setAccessibleName(tr("Where the time goes"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme_, &Theme::changed, this, [this] { update(); });
    setShares(std::nullopt);
}

void BottleneckStrip::setShares(const std::optional<TimeShares>& shares) {
    shares_ = shares;
    setAccessibleDescription(text());
    setToolTip(shares ? tr("Shares of the threads' time over the newest %n updates: ", nullptr,
                           static_cast<int>(shares->updates)) +
                            text()
                      : QString());
    update();
}

QString BottleneckStrip::text() const {
    if (!shares_) return tr("Not measured yet");
    QString text;
    for (const Part& part : partsOf(*shares_))
        text += (text.isEmpty() ? QString() : QStringLiteral(", ")) + part.name + QLatin1Char(' ') +
                percent(part.share);
    return text;
}

QSize BottleneckStrip::sizeHint() const { return {200, kShareBarHeight + 8 + fontMetrics().height()}; }

void BottleneckStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(textFont(TextSize::caption));
    const int text_height = fontMetrics().height(), bar = kShareBarHeight;
    const QRect whole(0, 0, width(), bar);
    QPainterPath rounded;
    rounded.addRoundedRect(whole, kShareBarHeight / 2.0, kShareBarHeight / 2.0);
    painter.setClipPath(rounded);
    painter.fillRect(whole, mixed(tokens().surface, tokens().text, 0.06));
    if (!shares_) {
        return;
    }
    double left = 0;
    int label_end = 0;
    for (const Part& part : partsOf(*shares_)) {
        const double right = left + part.share * width();
        const QRect area(static_cast<int>(std::lround(left)), 0,
                         static_cast<int>(std::lround(right) - std::lround(left)), bar);
        QColor colour = theme_.seriesColour(part.colour);
        painter.setClipPath(rounded);
        painter.fillRect(area, QBrush(colour, part.pattern));
        painter.setClipping(false);
        const QString label = part.name + QLatin1Char(' ') + percent(part.share);
        // Labels below the bar, in order and without overlap.
        const int at = label_end;
        const int wide = painter.fontMetrics().horizontalAdvance(label) + 14;
        if (part.share >= 0.005 && at + wide <= width()) {
            const QRect sample(at, bar + 8 + text_height / 4, 8, text_height / 2);
            painter.fillRect(sample, QBrush(colour, part.pattern));
            painter.setPen(colour);
            painter.drawRect(sample.adjusted(0, 0, -1, -1));
            painter.setPen(palette().color(QPalette::WindowText));
            painter.drawText(QRect(at + 12, bar + 8, wide, text_height), Qt::AlignLeft | Qt::AlignVCenter,
                             label);
            label_end = at + wide + 8;
        }
        left = right;
    }
}

}  // namespace seedbed::ui
