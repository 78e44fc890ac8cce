// SPDX-License-Identifier: GPL-3.0-or-later
// The table twin of a chart: every point of every series as a row, whatever is zoomed to; and the chart as
// text for files and for the ear.
#pragma once

#include <vector>

#include <QAbstractTableModel>

#include "ui/models/chart_model.hpp"

namespace seedbed::ui {

class ChartTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : int { kSeries, kX, kStep, kValue, kSmoothed, kLow, kHigh, kN, kColumns };

    explicit ChartTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    // Of the same series with more points the rows are appended; the current row and the selection stay.
    void setSeries(Prepared series, XAxis axis);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    bool grows(const Prepared& series, XAxis axis) const;

    Prepared series_;
    std::vector<std::size_t> begins_;  // first row of each series, and the number of rows
    XAxis axis_ = XAxis::steps;
};

// "PPO, n=5": the label with the number of runs where there are several.
QString legendText(const PreparedSeries& series);
// What its band is, and by how much it is too narrow; "" without one.
QString bandMeaning(const PreparedSeries& series);
// Of so few runs that a band over them promises too much: how often it holds (bandCoverage). "" otherwise.
QString narrowBand(std::size_t runs);

// All points of all series, one row each: series, x, step (single runs), value, smoothed, low, high, n.
// Numbers always with a point.
QString chartCsv(const std::vector<PreparedSeries>& series, XAxis axis);
// One row per series: first, last, lowest, highest, mean, number of points.
QString chartMarkdown(const std::vector<PreparedSeries>& series, XAxis axis);
// What a chart shows in a few sentences, for screen readers.
QString spokenSummary(const std::vector<PreparedSeries>& series, XAxis axis);

}  // namespace seedbed::ui
