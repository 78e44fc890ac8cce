// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/league/versions_view.hpp"

#include <algorithm>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/models/text/number_text.hpp"
#include "ui/views/league/ladder_view.hpp"
#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kLeastVersionsHeight = 80;
constexpr qreal kVersionDot = 3, kVersionReach = 8;  // pixels

}  // namespace

VersionsView::VersionsView(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setObjectName(QStringLiteral("league-versions"));
    setAccessibleName(tr("Ratings of the versions of a run over its steps"));
    setMinimumHeight(kLeastVersionsHeight);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void VersionsView::setLeague(const LeagueDetails& league, const std::function<QString(RunId)>& name) {
    runs_ = league.versions();
    names_.clear();
    low_ = high_ = 0;
    last_step_ = 1;
    QStringList texts;
    for (const LeagueVersions& run : runs_) {
        names_ << name(run.run);
        for (const LeagueVersion& version : run.versions) {
            low_ = std::min(low_, version.low);
            high_ = std::max(high_, version.high);
            last_step_ = std::max(last_step_, version.step);
            texts << versionText(names_.last(), version);
        }
    }
    setAccessibleDescription(texts.join(QStringLiteral(". ")));
    update();
}

QString VersionsView::versionText(const QString& run, const LeagueVersion& version) {
    return tr("%1 at step %2: rating %3 [%4, %5]")
        .arg(run, countText(version.step), pointsText(version.rating), pointsText(version.low),
             pointsText(version.high));
}

QRectF VersionsView::plot() const {
    const QFontMetrics metrics(textFont(TextSize::caption));
    const int left =
        std::max(metrics.horizontalAdvance(pointsText(low_)), metrics.horizontalAdvance(pointsText(high_))) +
        kGrid;
    return QRectF(rect()).adjusted(left, metrics.height() + kGrid, -2 * kGrid, -metrics.height() - kGrid / 2);
}

QPointF VersionsView::place(const LeagueVersion& version) const {
    const QRectF area = plot();
    const double x = static_cast<double>(version.step) / static_cast<double>(last_step_),
                 y = (version.rating - low_) / std::max(1.0, high_ - low_);
    return {area.left() + x * area.width(), area.bottom() - y * area.height()};
}

void VersionsView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const PainterState state(painter);
    const QRectF area = plot();
    const auto y = [&](double points) {
        return area.bottom() - (points - low_) / std::max(1.0, high_ - low_) * area.height();
    };
    painter.setFont(textFont(TextSize::caption));
    const qreal line = painter.fontMetrics().height();
    for (const double points : {low_, 0.0, high_}) {
        painter.setPen(theme_.line());
        painter.drawLine(QPointF(area.left(), y(points)), QPointF(area.right(), y(points)));
        const bool crowded = points == 0.0 && (y(0) - y(high_) < line || y(low_) - y(0) < line);
        painter.setPen(theme_.quiet());
        if (!crowded)
            painter.drawText(QRectF(0, y(points) - line / 2, area.left() - kGrid / 2, line), Qt::AlignRight,
                             pointsText(points));
    }
    painter.drawText(QRectF(area.left(), area.bottom() + kGrid / 2, area.width(), line), Qt::AlignRight,
                     tr("step %1").arg(countText(last_step_)));
    qreal legend = area.left();
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        const QColor colour = theme_.seriesColour(static_cast<int>(i));
        QPolygonF ratings;
        for (const LeagueVersion& version : runs_[i].versions) {
            const QPointF at = place(version);
            ratings << at;
            painter.setPen(QPen(mixed(colour, tokens().background, 0.4), 3));
            painter.drawLine(QPointF(at.x(), y(version.low)), QPointF(at.x(), y(version.high)));
        }
        painter.setPen(QPen(colour, 1.5));
        painter.drawPolyline(ratings);
        painter.setBrush(colour);
        for (const QPointF& at : ratings) painter.drawEllipse(at, kVersionDot, kVersionDot);
        painter.setBrush(Qt::NoBrush);
        const QString name = tr("Rating of %1 over its steps").arg(names_[static_cast<int>(i)]);
        painter.drawText(QPointF(legend, painter.fontMetrics().ascent()), name);
        legend += painter.fontMetrics().horizontalAdvance(name) + 2 * kGrid;
    }
}

bool VersionsView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QStringList texts;
    for (std::size_t i = 0; i < runs_.size(); ++i)
        for (const LeagueVersion& version : runs_[i].versions)
            if (std::abs(place(version).x() - help->pos().x()) <= kVersionReach)
                texts << versionText(names_[static_cast<int>(i)], version);
    if (texts.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), texts.join(QLatin1Char('\n')), this);
    return true;
}

}  // namespace seedbed::ui
