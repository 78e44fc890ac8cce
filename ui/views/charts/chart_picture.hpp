// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as a picture that stands by itself, for files: title, curves, legend with the numbers of runs, and
// what lines and bands mean.
#pragma once

#include <QSize>
#include <QString>

class QPaintDevice;

namespace seedbed::ui {

class ChartModel;
class ChartPlot;
class Theme;

void paintChart(QPaintDevice& device, QSize size, const QString& title, ChartPlot& plot,
                const ChartModel& model, const Theme& theme);

// What lines, faint lines and bands of the visible series are, in sentences.
QString chartMeaning(const ChartModel& model);

}  // namespace seedbed::ui
