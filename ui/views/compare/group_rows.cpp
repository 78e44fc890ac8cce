// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/group_rows.hpp"

#include <algorithm>
#include <map>

#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include "ui/views/compare/explain_popup.hpp"
#include "ui/views/compare/group_row.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kMostRows = 4, kHeadHeight = 34;

// The titles of the columns.
class GroupsHead : public QWidget {
public:
    // `area`: the rows, which are narrower than this if they have a scroll bar.
    GroupsHead(const QScrollArea& area, QWidget* parent) : QWidget(parent), area_(area) {
        setFixedHeight(std::max(kHeadHeight, fontMetrics().height() + 12));
    }

    void setGoalShown(bool shown) {
        shows_goal_ = shown;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const GroupColumns columns(QRect(0, 0, area_.viewport()->width(), height()), shows_goal_);
        painter.setFont(textFont(TextSize::caption, QFont::DemiBold));
        painter.setPen(tokens().muted);
        const auto write = [&](const QRect& place, const QString& text, Qt::Alignment side) {
            if (place.isEmpty()) return;
            const QRect line(place.left(), 0, place.width(), height());
            painter.drawText(line, side | Qt::AlignVCenter | Qt::TextSingleLine,
                             painter.fontMetrics().elidedText(text, Qt::ElideRight, place.width()));
        };
        write(columns.name, GroupRows::tr("Setting"), Qt::AlignLeft);
        write(columns.runs, GroupRows::tr("Runs"), Qt::AlignLeft);
        write(columns.curve, GroupRows::tr("Curve"), Qt::AlignLeft);
        write(columns.score, GroupRows::tr("Return"), Qt::AlignRight);
        write(columns.difference, GroupRows::tr("Difference"), Qt::AlignRight);
        write(columns.goal, GroupRows::tr("Result"), Qt::AlignRight);
    }

private:
    const QScrollArea& area_;
    bool shows_goal_ = false;
};

}  // namespace

GroupRows::GroupRows(ChartModel& model, const Theme& theme, QWidget* parent)
    : Card(parent), model_(model), theme_(theme) {
    setAccessibleName(tr("Compared settings"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 4);
    column->setSpacing(0);
    area_ = new QScrollArea(this);
    head_ = new GroupsHead(*area_, this);
    column->addWidget(head_);
    auto* inside = new QWidget(area_);
    auto* list = new QVBoxLayout(inside);
    list->setContentsMargins(0, 0, 0, 0);
    list->setSpacing(0);
    list->addStretch(1);
    area_->setWidget(inside);
    area_->setWidgetResizable(true);
    area_->setFrameShape(QFrame::NoFrame);
    area_->setFocusPolicy(Qt::NoFocus);
    area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area_->verticalScrollBar()->setSingleStep(GroupRow::rowHeight(*this));
    // The card is the background.
    area_->viewport()->setAutoFillBackground(false);
    inside->setAutoFillBackground(false);
    column->addWidget(area_, 1);
    menu_ = new QMenu(this);
    connect(&model_, &ChartModel::prepared, this, &GroupRows::updateCurves);
}

int GroupRows::heightFor(int rows) const { return head_->height() + rows * GroupRow::rowHeight(*this) + 5; }

QSize GroupRows::sizeHint() const {
    return {600, heightFor(std::clamp(static_cast<int>(rows_.size()), 1, kMostRows))};
}

QSize GroupRows::minimumSizeHint() const { return {320, heightFor(1)}; }

GroupRow* GroupRows::addRow() {
    auto* row = new GroupRow(theme_, area_->widget());
    auto* list = static_cast<QVBoxLayout*>(area_->widget()->layout());
    list->insertWidget(list->count() - 1, row);
    connect(row, &GroupRow::shownChanged, this, [this, row](bool shown) {
        for (const QString& series : std::vector<QString>(row->seriesKeys()))
            model_.setVisible(series, shown);
    });
    connect(row, &GroupRow::menuRequested, this, [this, row](const QPoint& at) { showMenu(*row, at); });
    connect(row, &GroupRow::explainRequested, this,
            [this, row](Statistic statistic) { explainIn(*row, statistic); });
    return row;
}

void GroupRows::setData(std::shared_ptr<const CompareData> data) {
    data_ = std::move(data);
    const std::size_t count = data_ ? data_->groups.size() : 0;
    while (rows_.size() > count) {
        delete rows_.back();
        rows_.pop_back();
    }
    while (rows_.size() < count) rows_.push_back(addRow());
    for (std::size_t i = 0; i < count; ++i) rows_[i]->setGroup(*data_, data_->groups[i]);
    const bool goals =
        std::any_of(rows_.begin(), rows_.end(), [](const GroupRow* row) { return !row->goal().isEmpty(); });
    for (GroupRow* row : rows_) row->setGoalShown(goals);
    static_cast<GroupsHead*>(head_)->setGoalShown(goals);
    updateCurves();
    updateGeometry();
}

void GroupRows::updateCurves() {
    if (!data_) return;
    std::map<RunId, std::size_t> row_of;
    for (std::size_t i = 0; i < data_->groups.size(); ++i)
        for (const RunId run : data_->groups[i].runs) row_of[run] = i;
    std::vector<std::vector<const PreparedSeries*>> curves(rows_.size());
    const Prepared& series = model_.series();
    CurveRange range;
    bool any = false;
    for (const PreparedSeries& one : *series) {
        if (one.spec.runs.empty() || !row_of.contains(one.spec.runs.front())) continue;
        curves[row_of[one.spec.runs.front()]].push_back(&one);
        const CurveStatistics& s = one.line->statistics();
        if (s.points == 0) continue;
        range = any ? CurveRange{std::min(range.low_x, s.first_x), std::max(range.high_x, s.last_x),
                                 std::min(range.low_y, s.min), std::max(range.high_y, s.max)}
                    : CurveRange{s.first_x, s.last_x, s.min, s.max};
        any = true;
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i]->setCurves(curves[i], range);
}

void GroupRows::explainIn(GroupRow& row, Statistic statistic) {
    for (const ComparedGroup& group : data_->groups)
        if (group.key == row.key())
            ExplainPopup::showFor(explain(statistic, *data_, group, row.shownText(statistic)), row,
                                  row.placeOf(statistic), theme_);
}

void GroupRows::showMenu(GroupRow& row, const QPoint& global) {
    const QString key = row.key();
    const ComparedGroup *group = nullptr, *baseline = nullptr;
    for (const ComparedGroup& one : data_->groups) {
        if (one.key == key) group = &one;
        if (one.baseline) baseline = &one;
    }
    if (group == nullptr) return;
    menu_->clear();
    QAction* pin =
        menu_->addAction(tr("Set as baseline"), this, [this, key] { Q_EMIT baselineRequested(key); });
    pin->setEnabled(!group->baseline && group->statistics.has_value());
    const int count = std::max(1, baseline == nullptr ? 0 : seedsToAdd(*group, *baseline));
    menu_->addAction(tr("Queue %n more seed(s)", nullptr, count), this,
                     [this, key, count] { Q_EMIT seedsRequested(key, count); });
    menu_->addSeparator();
    const auto add = [&](const QString& text, Statistic statistic) {
        if (!row.shownText(statistic).isEmpty())
            menu_->addAction(text, &row, [&row, statistic] { Q_EMIT row.explainRequested(statistic); });
    };
    add(tr("Explain the return"), Statistic::score);
    add(tr("Explain the difference"), Statistic::difference);
    add(tr("Explain the goal"), Statistic::goal);
    menu_->addSeparator();
    menu_->addAction(tr("Remove from the comparison"), this, [this, key] { Q_EMIT removeRequested(key); });
    menu_->popup(global);
}

}  // namespace seedbed::ui
