// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/group_row.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>
#include <QToolTip>

#include "ui/models/compare_text.hpp"
#include "ui/models/text/core_text.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kGroupRowHeight = 40, kColumnGap = 16, kSwatchSize = 12;
constexpr int kNumberWidth = 92, kNarrowNumberWidth = 72, kGoalWidth = 168;
// Rows narrower than these omit the picture of the curve, the runs and the goal. A goal takes their room.
constexpr int kWidthForCurve = 760, kWidthForRuns = 520, kWidthForGoal = 540;
// Points of a picture of a curve: about one per two pixels, whatever the length of the curve.
constexpr std::size_t kCurvePoints = 80;

// Samples a curve evenly; gaps divide it.
std::vector<QPolygonF> sparkLines(const Curve& curve, const CurveRange& range) {
    std::vector<QPolygonF> lines;
    const double wide = range.high_x - range.low_x, tall = range.high_y - range.low_y;
    const std::size_t count = curve.y.size(), points = std::min(count, kCurvePoints);
    if (points < 2 || !(wide > 0)) return lines;
    bool gap = true;
    for (std::size_t i = 0; i < points; ++i) {
        const std::size_t at = i * (count - 1) / (points - 1);
        const double x = static_cast<double>(curve.x[at]), y = static_cast<double>(curve.y[at]);
        if (!std::isfinite(x) || !std::isfinite(y)) {
            gap = true;
            continue;
        }
        if (gap) lines.emplace_back();
        gap = false;
        lines.back() << QPointF((x - range.low_x) / wide, tall > 0 ? 1 - (y - range.low_y) / tall : 0.5);
    }
    return lines;
}

}  // namespace

GroupColumns::GroupColumns(const QRect& row, bool with_goal) {
    const int middle = row.center().y();
    eye = {row.left() + 10, middle - EyeBox::kEyeSize / 2, EyeBox::kEyeSize, EyeBox::kEyeSize};
    swatch = {eye.right() + 9, middle - kSwatchSize / 2, kSwatchSize, kSwatchSize};
    menu = {row.right() - 10 - EyeBox::kEyeSize, eye.top(), EyeBox::kEyeSize, EyeBox::kEyeSize};
    const auto column = [&](int right, int width) {
        return QRect(right - width, row.top(), width, row.height());
    };
    const bool has_goal = with_goal && row.width() >= kWidthForGoal;
    const int width = row.width() - (has_goal ? kGoalWidth + kColumnGap : 0);
    const int number = width >= kWidthForCurve ? kNumberWidth : kNarrowNumberWidth;
    if (has_goal) goal = column(menu.left() - 8, kGoalWidth);
    difference = column(has_goal ? goal.left() - kColumnGap : menu.left() - 8, number);
    score = column(difference.left() - kColumnGap, number);
    int right = score.left() - kColumnGap;
    if (width >= kWidthForCurve) {
        curve = column(right, std::clamp(row.width() / 8, 100, 200)).adjusted(0, 8, 0, -8);
        right = curve.left() - kColumnGap;
    }
    if (width >= kWidthForRuns) {
        runs = column(right, std::clamp(row.width() / (has_goal ? 7 : 5), 120, 280));
        right = runs.left() - kColumnGap;
    }
    name = QRect(QPoint(swatch.right() + 10, row.top()), QPoint(right, row.bottom()));
}

EyeBox::EyeBox(const Theme& theme, QWidget* parent) : QCheckBox(parent), theme_(theme) {
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
}

void EyeBox::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Tokens& t = tokens();
    const bool ring = hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange);
    drawRounded(painter, rect(), 6, underMouse() ? mixed(t.surface, t.text, 0.08) : QColor(Qt::transparent),
                ring ? t.accent : QColor(Qt::transparent), 1.5);
    const QIcon icon = theme_.icon(isChecked() ? QStringLiteral("watch") : QStringLiteral("hidden"));
    QPixmap eye = icon.pixmap(QSize(18, 18), devicePixelRatioF());
    if (!isChecked()) eye = coloured(eye, t.muted);
    painter.drawPixmap(QRect((width() - 18) / 2, (height() - 18) / 2, 18, 18), eye);
}

GroupRow::GroupRow(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setFixedHeight(rowHeight(*this));
    setMouseTracking(true);
    eye_ = new EyeBox(theme, this);
    eye_->setObjectName(QStringLiteral("group-eye"));
    menu_ = new QToolButton(this);
    menu_->setObjectName(QStringLiteral("group-menu"));
    menu_->setText(QStringLiteral("⋮"));
    menu_->setAutoRaise(true);
    menu_->setFocusPolicy(Qt::StrongFocus);
    connect(eye_, &QCheckBox::toggled, this, &GroupRow::shownChanged);
    connect(menu_, &QToolButton::clicked, this,
            [this] { Q_EMIT menuRequested(menu_->mapToGlobal(QPoint(0, menu_->height()))); });
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

int GroupRow::rowHeight(const QWidget& widget) {
    return std::max(kGroupRowHeight, widget.fontMetrics().height() + 16);
}

void GroupRow::setGroup(const CompareData& data, const ComparedGroup& group) {
    using Verdict = GroupDifference::Verdict;
    key_ = group.key;
    label_ = group.label;
    runs_ = runsText(data, group);
    score_ = scoreText(group);
    difference_ = differenceText(group);
    goal_ = goalText(data, group);
    QStringList ids;
    for (const RunId id : group.runs) ids << QString::number(id);
    name_help_ = label_ + QLatin1Char('\n') + tr("Runs %1").arg(ids.join(QStringLiteral(", ")));
    score_help_ = scoreHelp(group);
    sign_ = Sign::none;
    difference_help_.clear();
    if (group.difference) {
        difference_help_ = coreText(group.difference->parts, QStringLiteral("; "));
        if (group.difference->verdict == Verdict::better) sign_ = Sign::better;
        if (group.difference->verdict == Verdict::worse) sign_ = Sign::worse;
    }
    describe();
    update();
}

void GroupRow::setGoalShown(bool shown) {
    if (std::exchange(shows_goal_, shown) != shown) update();
}

void GroupRow::setCurves(const std::vector<const PreparedSeries*>& curves, const CurveRange& range) {
    series_.clear();
    lines_.clear();
    bool shown = false;
    for (const PreparedSeries* curve : curves) {
        series_.push_back(curve->spec.key);
        shown = shown || curve->spec.visible;
    }
    style_ = curves.size() == 1 ? curves.front()->spec.style : -1;
    if (curves.size() == 1) lines_ = sparkLines(curves.front()->line->curve(), range);
    const QSignalBlocker quiet(eye_);
    eye_->setChecked(shown);
    eye_->setEnabled(!curves.empty());
    update();
}

void GroupRow::describe() {
    QStringList parts{label_, runs_, tr("return %1").arg(score_)};
    if (!difference_.isEmpty())
        parts << (difference_help_.isEmpty() ? difference_ : tr("difference %1").arg(difference_));
    if (!goal_.isEmpty()) parts << goal_;
    setAccessibleName(parts.join(QStringLiteral("; ")));
    eye_->setAccessibleName(tr("Show the curve of %1").arg(label_));
    eye_->setAccessibleDescription(accessibleName());
    eye_->setToolTip(tr("Show or hide the curve"));
    menu_->setAccessibleName(tr("Menu of %1").arg(label_));
    menu_->setToolTip(tr("Baseline, seeds, remove"));
}

void GroupRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const GroupColumns columns(rect(), shows_goal_);
    eye_->setGeometry(columns.eye);
    menu_->setGeometry(columns.menu);
}

QString GroupRow::shownText(Statistic statistic) const {
    return statistic == Statistic::score        ? score_
           : statistic == Statistic::difference ? difference_
           : statistic == Statistic::goal       ? goal_
                                                : QString();
}

QRect GroupRow::placeOf(Statistic statistic) const {
    const GroupColumns columns(rect(), shows_goal_);
    return statistic == Statistic::score        ? columns.score
           : statistic == Statistic::difference ? columns.difference
                                                : columns.goal;
}

std::optional<Statistic> GroupRow::statisticAt(const QPoint& at) const {
    for (const Statistic one : {Statistic::score, Statistic::difference, Statistic::goal})
        if (!shownText(one).isEmpty() && placeOf(one).contains(at)) return one;
    return std::nullopt;
}

void GroupRow::mouseMoveEvent(QMouseEvent* event) {
    setCursor(statisticAt(event->pos()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void GroupRow::mouseReleaseEvent(QMouseEvent* event) {
    const auto statistic = statisticAt(event->pos());
    if (statistic && event->button() == Qt::LeftButton) Q_EMIT explainRequested(*statistic);
}

void GroupRow::contextMenuEvent(QContextMenuEvent* event) { Q_EMIT menuRequested(event->globalPos()); }

QString GroupRow::helpAt(const QPoint& at) const {
    const GroupColumns columns(rect(), shows_goal_);
    if (columns.name.contains(at)) return name_help_;
    if (columns.runs.contains(at)) return runs_;
    if (columns.score.contains(at)) return score_help_;
    if (columns.goal.contains(at))
        return tr(
            "The median step at which an evaluation first reached the goal, or how many runs reached it");
    return columns.difference.contains(at) ? difference_help_ : QString();
}

bool GroupRow::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const QString text = helpAt(help->pos()); !text.isEmpty())
        QToolTip::showText(help->globalPos(), text, this);
    else QToolTip::hideText();
    return true;
}

void GroupRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const PainterState state(painter);
    const Tokens& t = tokens();
    const GroupColumns columns(rect(), shows_goal_);
    painter.fillRect(QRect(0, 0, width(), 1), t.line);
    const bool shown = eye_->isChecked();
    if (style_ >= 0) {
        const QColor colour = shown ? theme_.seriesColour(style_) : t.faint;
        drawRounded(painter, columns.swatch, 3, shown ? colour : QColor(Qt::transparent), colour, 1.5);
        painter.setPen(QPen(colour, 1.5, shown ? theme_.seriesStyle(style_) : Qt::SolidLine));
        const QTransform place(columns.curve.width(), 0, 0, columns.curve.height(), columns.curve.left(),
                               columns.curve.top());
        if (!columns.curve.isEmpty())
            for (const QPolygonF& line : lines_) painter.drawPolyline(place.map(line));
    }
    const auto write = [&](const QRect& place, const QString& text, const QColor& colour,
                           QFont::Weight weight, Qt::Alignment side) {
        if (place.isEmpty()) return;
        painter.setFont(textFont(TextSize::body, weight));
        painter.setPen(colour);
        painter.drawText(place, side | Qt::AlignVCenter | Qt::TextSingleLine,
                         painter.fontMetrics().elidedText(text, Qt::ElideMiddle, place.width()));
    };
    const QColor strong = shown ? t.text : t.muted;
    write(columns.name, label_, strong, QFont::DemiBold, Qt::AlignLeft);
    write(columns.runs, runs_, t.muted, QFont::Normal, Qt::AlignLeft);
    write(columns.score, score_, strong, QFont::DemiBold, Qt::AlignRight);
    write(columns.difference, difference_,
          sign_ == Sign::better  ? theme_.good()
          : sign_ == Sign::worse ? theme_.bad()
                                 : t.muted,
          QFont::Normal, Qt::AlignRight);
    write(columns.goal, goal_, t.muted, QFont::Normal, Qt::AlignRight);
}

}  // namespace seedbed::ui
