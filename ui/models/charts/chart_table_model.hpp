// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as a table with one row per point (zoom is ignored), and as text for files and screen readers.
#pragma once

#include <vector>

#include <QAbstractTableModel>

#include "ui/models/charts/chart_model.hpp"

namespace seedbed::ui {

class ChartTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : int { kSeries, kX, kStep, kValue, kSmoothed, kLow, kHigh, kN, kColumns };

    explicit ChartTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    // If points were only appended, rows are appended and the current row and the selection are kept.
    void setSeries(Prepared series, XAxis axis);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    bool onlyAppends(const Prepared& series, XAxis axis) const;

    Prepared series_;
    std::vector<std::size_t> first_rows_;  // first row of each series, then the number of rows
    XAxis axis_ = XAxis::steps;
};

// "PPO (n=5)": the label, with the number of runs for groups.
QString legendText(const PreparedSeries& series);
// Explains the band and warns if it is too narrow; "" without a band.
QString bandDescription(const PreparedSeries& series);
// For few runs: how often the band contains the true centre (bandCoverage); "" if that is 95 %.
QString narrowBandNote(std::size_t runs);

// All points, one row each: series, x, step (single runs), value, smoothed, low, high, n. Uses decimal points
// in every locale.
QString chartCsv(const std::vector<PreparedSeries>& series, XAxis axis);
// One row per series: first, last, lowest, highest, mean, number of points.
QString chartMarkdown(const std::vector<PreparedSeries>& series, XAxis axis);
// Describes the chart in a few sentences for screen readers.
QString accessibleSummary(const std::vector<PreparedSeries>& series, XAxis axis);

}  // namespace seedbed::ui
