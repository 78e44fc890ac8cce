// SPDX-License-Identifier: GPL-3.0-or-later
// A row of the compared groups: an eye that shows or hides its curve, colour, name, runs, a small picture of
// the curve, and its numbers. Thread: GUI.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <QCheckBox>
#include <QPolygonF>
#include <QRect>
#include <QToolButton>
#include <QWidget>

#include "ui/models/charts/chart_pipeline.hpp"
#include "ui/models/compare/explanation.hpp"
#include "ui/models/compare_data.hpp"

namespace seedbed::ui {

class Theme;

// The places of a row's parts in a row of this width. Narrow rows have no picture of the curve, narrower ones
// no runs, very narrow ones no goal; their rectangles are empty.
struct GroupColumns {
    GroupColumns(const QRect& row, bool with_goal);
    QRect eye, swatch, name, runs, curve, score, difference, goal, menu;
};

// A check box that is drawn as an eye.
class EyeBox : public QCheckBox {
public:
    EyeBox(const Theme& theme, QWidget* parent);
    QSize sizeHint() const override { return {kEyeSize, kEyeSize}; }
    QSize minimumSizeHint() const override { return sizeHint(); }
    static constexpr int kEyeSize = 28;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool hitButton(const QPoint& at) const override { return rect().contains(at); }

private:
    const Theme& theme_;
};

// The ranges that all pictures of curves share, so that their heights can be compared.
struct CurveRange {
    double low_x = 0, high_x = 0, low_y = 0, high_y = 0;
};

class GroupRow : public QWidget {
    Q_OBJECT
public:
    explicit GroupRow(const Theme& theme, QWidget* parent = nullptr);

    void setGroup(const CompareData& data, const ComparedGroup& group);
    // The curves of the group: one, or one per run, which then have no common colour.
    void setCurves(const std::vector<const PreparedSeries*>& curves, const CurveRange& range);
    static int rowHeight(const QWidget& widget);

    const QString& key() const { return key_; }
    // Its texts, for screen readers and tests.
    QString label() const { return label_; }
    QString score() const { return score_; }
    QString difference() const { return difference_; }
    QString goal() const { return goal_; }
    // The text of the score, difference or goal and its place in the row.
    QString shownText(Statistic statistic) const;
    QRect placeOf(Statistic statistic) const;
    // Whether the column of goals is shown, which all rows have or none.
    void setGoalShown(bool shown);
    const std::vector<QString>& seriesKeys() const { return series_; }
    EyeBox& eye() { return *eye_; }
    std::array<QWidget*, 2> controls() { return {eye_, menu_}; }

Q_SIGNALS:
    void shownChanged(bool shown);
    void menuRequested(const QPoint& global);
    void explainRequested(seedbed::ui::Statistic statistic);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    void describe();
    QString helpAt(const QPoint& at) const;
    std::optional<Statistic> statisticAt(const QPoint& at) const;

    const Theme& theme_;
    bool shows_goal_ = false;
    QString key_, label_, runs_, score_, difference_, goal_, name_help_, score_help_, difference_help_;
    enum class Sign : std::uint8_t { none, better, worse } sign_ = Sign::none;
    std::vector<QString> series_;
    std::vector<QPolygonF> lines_;  // parts of the curve between gaps, in the unit square
    int style_ = -1;                // -1 without a common colour
    EyeBox* eye_;
    QToolButton* menu_;
};

}  // namespace seedbed::ui
