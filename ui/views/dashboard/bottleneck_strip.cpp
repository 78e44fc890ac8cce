// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dashboard/bottleneck_strip.hpp"

#include <algorithm>
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
constexpr double kLeastShare = 0.005;  // smaller ones have no label

struct Part {
    QString name;
    double share;
    int colour;  // argument of Theme::seriesColour; -1: none
    Qt::BrushStyle pattern;
};

std::array<Part, 5> partsOf(const TimeShares& shares) {
    const double named = shares.env + shares.inference + shares.learning + shares.waiting;
    return {
        {{BottleneckStrip::tr("environments"), shares.env, 0, Qt::SolidPattern},
         {BottleneckStrip::tr("inference"), shares.inference, 1, Qt::SolidPattern},
         {BottleneckStrip::tr("learning"), shares.learning, 2, Qt::SolidPattern},
         {BottleneckStrip::tr("waiting"), shares.waiting, 3, Qt::BDiagPattern},
         {BottleneckStrip::tr("other", "a share of time"), std::max(0.0, 1 - named), -1, Qt::SolidPattern}}};
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
        if (part.share >= kLeastShare || part.colour >= 0)
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
    std::array<Part, 5> parts = partsOf(*shares_);
    const auto colourOf = [this](const Part& part) {
        return part.colour < 0 ? tokens().faint : theme_.seriesColour(part.colour);
    };
    for (const Part& part : parts) {
        const double right = left + part.share * width();
        const QRect area(static_cast<int>(std::lround(left)), 0,
                         static_cast<int>(std::lround(right) - std::lround(left)), bar);
        painter.fillRect(area, QBrush(colourOf(part), part.pattern));
        left = right;
    }
    painter.setClipping(false);
    // Labels below the bar, without overlap; the largest shares first, since not all may fit.
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& a, const Part& b) { return a.share > b.share; });
    int at = 0;
    for (const Part& part : parts) {
        const QColor colour = colourOf(part);
        const QString label = part.name + QLatin1Char(' ') + percent(part.share);
        const int wide = painter.fontMetrics().horizontalAdvance(label) + 14;
        if (part.share < kLeastShare || at + wide > width()) continue;
        const QRect sample(at, bar + 8 + text_height / 4, 8, text_height / 2);
        painter.fillRect(sample, QBrush(colour, part.pattern));
        painter.setPen(colour);
        painter.drawRect(sample.adjusted(0, 0, -1, -1));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRect(at + 12, bar + 8, wide, text_height), Qt::AlignLeft | Qt::AlignVCenter, label);
        at += wide + 8;
    }
}

}  // namespace seedbed::ui
