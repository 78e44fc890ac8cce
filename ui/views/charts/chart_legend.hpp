// SPDX-License-Identifier: GPL-3.0-or-later
// The legend: a check box per series with a sample of its line. Unchecking hides the series.
#pragma once

#include <set>

#include <QListWidget>
#include <QPainter>

#include "ui/models/charts/chart_model.hpp"

namespace seedbed::ui {

class Theme;

class ChartLegend : public QListWidget {
    Q_OBJECT
public:
    ChartLegend(ChartModel& model, const Theme& theme, QWidget* parent = nullptr);

    // Whether to show the legend for a single series.
    void setShownForOne(bool on) { shown_for_one_ = on; }
    void setShown(bool shown);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {80, rowHeight() + 4}; }

private:
    void refresh();
    int rowHeight() const;

    ChartModel& model_;
    const Theme& theme_;
    bool filling_ = false, shown_for_one_ = true, shown_ = true;
    std::set<QString> dense_;  // series drawn without dashes
};

// A 28 x 16 sample of a series' line as drawn in the chart.
void paintLineSample(QPainter& painter, const Theme& theme, int style, bool dots, bool dense);
QIcon lineSample(const Theme& theme, int style, bool dots, bool dense);

}  // namespace seedbed::ui
