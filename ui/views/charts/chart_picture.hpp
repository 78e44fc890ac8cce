// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as a self-contained picture for files: title, curves, legend with the numbers of runs, and a
// description of lines and bands.
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

// Describes the lines, faint lines and bands of the visible series in sentences.
QString chartDescription(const ChartModel& model);

}  // namespace seedbed::ui
