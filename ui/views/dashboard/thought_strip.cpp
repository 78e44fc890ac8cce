// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dashboard/thought_strip.hpp"

#include <algorithm>
#include <cmath>

#include <QLocale>
#include <QPainter>

#include "ui/models/charts/inspector_model.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kRows = 4, kSide = 16;
constexpr qreal kBar = 8;
constexpr std::size_t kMaxValues = 200;

void heading(QPainter& painter, const QRectF& area, const QString& text) {
    painter.setFont(textFont(TextSize::caption, QFont::DemiBold));
    painter.setPen(tokens().muted);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignTop, text);
}

QString shareText(double share) { return QLocale().toString(share, 'f', 2); }

}  // namespace

ThoughtStrip::ThoughtStrip(const Theme& theme, const InspectorModel& model, QWidget* parent)
    : QWidget(parent), model_(model) {
    setObjectName(QStringLiteral("thoughts"));
    setAccessibleName(tr("What it thinks"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_OpaquePaintEvent);  // so that the card and the page are not painted below it
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

// Of a fixed height, so that the page does not move when the agent appears.
QSize ThoughtStrip::sizeHint() const { return {260, (kRows + 1) * (fontMetrics().height() + 4)}; }

void ThoughtStrip::paintEvent(QPaintEvent*) {
    const InspectorModel::Content& content = model_.content();
    QPainter painter(this);
    painter.fillRect(rect(), tokens().surface);
    if (content.choices.empty() && content.values.empty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    QRectF area = QRectF(rect()).adjusted(kSide, 0, -kSide, 0);
    if (!content.values.empty()) {
        const qreal wide = std::clamp(area.width() * 0.36, 80.0, 200.0);
        paintEstimate(painter, QRectF(area.right() - wide, area.top(), wide, area.height()));
        area.setRight(area.right() - wide - 2 * kSide);
    }
    if (content.choices.empty()) return;
    heading(painter, area, tr("What it thinks"));
    area.setTop(area.top() + fontMetrics().height() + 4);
    const bool many = content.choices.size() > kRows && !std::isnan(content.choices.front().share);
    many ? paintBars(painter, area) : paintChoices(painter, area);
}

void ThoughtStrip::paintChoices(QPainter& painter, const QRectF& area) const {
    const auto& choices = model_.content().choices;
    const int row = fontMetrics().height() + 4;
    const qreal name = area.width() * 0.34, number = fontMetrics().horizontalAdvance(shareText(1));
    QRectF line(area.left(), area.top(), area.width(), row);
    for (std::size_t i = 0; i < choices.size() && i < kRows; ++i, line.translate(0, row)) {
        const InspectorModel::Choice& choice = choices[i];
        painter.setFont(textFont(TextSize::body, choice.chosen ? QFont::DemiBold : QFont::Normal));
        painter.setPen(choice.chosen ? tokens().text : tokens().muted);
        if (i + 1 == kRows && choices.size() > kRows) {
            painter.drawText(line, Qt::AlignVCenter,
                             tr("and %n more", "", static_cast<int>(choices.size()) - kRows + 1));
            break;
        }
        painter.drawText(
            QRectF(line.left(), line.top(), name - 8, row), Qt::AlignVCenter,
            painter.fontMetrics().elidedText(choice.name, Qt::ElideRight, static_cast<int>(name) - 8));
        painter.setFont(font());
        painter.setPen(tokens().text);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                         std::isnan(choice.share) ? choice.text : shareText(choice.share));
        if (std::isnan(choice.share)) continue;
        QRectF bar(line.left() + name, line.center().y() - kBar / 2, line.width() - name - number - 8, kBar);
        drawRounded(painter, bar, kBar / 2, mixed(tokens().surface, tokens().text, 0.12));
        bar.setWidth(std::max(kBar, bar.width() * std::clamp(choice.share, 0.0, 1.0)));
        drawRounded(painter, bar, kBar / 2, choice.chosen ? tokens().accent : tokens().faint);
    }
}

// A column per action, and the name of the chosen one.
void ThoughtStrip::paintBars(QPainter& painter, const QRectF& area) const {
    const auto& choices = model_.content().choices;
    const int row = fontMetrics().height() + 4;
    const qreal tall = area.height() - row, wide = area.width() / static_cast<qreal>(choices.size());
    const qreal gap = std::min(4.0, wide / 4);
    QString chosen;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const InspectorModel::Choice& choice = choices[i];
        const qreal high = std::max(2.0, tall * std::clamp(choice.share, 0.0, 1.0));
        drawRounded(painter,
                    QRectF(area.left() + wide * static_cast<qreal>(i) + gap / 2, area.top() + tall - high,
                           wide - gap, high),
                    std::min(2.0, (wide - gap) / 2), choice.chosen ? tokens().accent : tokens().faint);
        if (choice.chosen)
            chosen += (chosen.isEmpty() ? QString() : QStringLiteral(", ")) + choice.name + QLatin1Char(' ') +
                      shareText(choice.share);
    }
    painter.setFont(textFont(TextSize::body, QFont::DemiBold));
    painter.setPen(tokens().text);
    painter.drawText(
        QRectF(area.left(), area.bottom() - row, area.width(), row), Qt::AlignVCenter,
        painter.fontMetrics().elidedText(chosen, Qt::ElideRight, static_cast<int>(area.width())));
}

void ThoughtStrip::paintEstimate(QPainter& painter, const QRectF& area) const {
    const std::vector<float>& values = model_.content().values;
    heading(painter, area, tr("Value"));
    const int row = fontMetrics().height() + 4;
    const QFont large = textFont(TextSize::title, QFont::DemiBold);
    painter.setFont(large);
    painter.setPen(tokens().text);
    const int number = painter.fontMetrics().height();
    painter.drawText(QRectF(area.left(), area.top() + row - 4, area.width(), number), Qt::AlignVCenter,
                     shortNumber(static_cast<double>(values.back())));
    const std::size_t count = std::min(values.size(), kMaxValues);
    const auto first = values.end() - static_cast<std::ptrdiff_t>(count);
    const auto [low, high] = std::minmax_element(first, values.end());
    const QRectF place = area.adjusted(0, row + number, 0, -4);
    if (count < 2 || place.height() < 6) return;
    // A value that hardly changes is a flat line.
    const auto largest = static_cast<double>(std::max(std::abs(*low), std::abs(*high)));
    const double range = std::max({1e-6, static_cast<double>(*high - *low), 0.1 * largest});
    const double middle = (static_cast<double>(*low) + static_cast<double>(*high)) / 2;
    QPolygonF line;
    for (std::size_t i = 0; i < count; ++i) {
        const double off = static_cast<double>(first[static_cast<std::ptrdiff_t>(i)]) - middle;
        line << QPointF(
            place.left() + place.width() * static_cast<double>(i) / static_cast<double>(count - 1),
            place.center().y() - place.height() * off / range);
    }
    painter.setPen(QPen(tokens().series[0], 1.5));
    painter.drawPolyline(line);
}

}  // namespace seedbed::ui
