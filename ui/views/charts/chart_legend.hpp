// SPDX-License-Identifier: GPL-3.0-or-later
// Which line is which: a check box per series with a sample of its line; unchecking hides it.
#pragma once

#include <set>

#include <QListWidget>
#include <QPainter>

#include "ui/models/chart_model.hpp"

namespace seedbed::ui {

class Theme;

class ChartLegend : public QListWidget {
    Q_OBJECT
public:
    ChartLegend(ChartModel& model, const Theme& theme, QWidget* parent = nullptr);

    // One line needs no legend where the chart's title says what it is.
    void setForOne(bool on) { for_one_ = on; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {80, rowHeight() + 4}; }

private:
    void refresh();
    int rowHeight() const;

    ChartModel& model_;
    const Theme& theme_;
    bool filling_ = false, for_one_ = true;
    std::set<QString> dense_;  // series whose lines are drawn without dashes
};

// A sample of a series' line, 28 x 16, as it is drawn.
void paintLineSample(QPainter& painter, const Theme& theme, int style, bool dots, bool dense);
QIcon lineSample(const Theme& theme, int style, bool dots, bool dense);

}  // namespace seedbed::ui
