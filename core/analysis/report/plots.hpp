// SPDX-License-Identifier: Apache-2.0
// Figures for papers: curves with bands, and intervals.
#pragma once

#include <string>
#include <vector>

#include "core/analysis/over_tasks.hpp"
#include "core/analysis/report/vector_picture.hpp"

namespace seedbed {

struct PlotCurve {
    std::string name;
    std::vector<double> x, y;       // not finite: a gap
    std::vector<double> low, high;  // the band; not finite where it has none
};

struct Plot {
    std::string x_title, y_title;
    std::vector<PlotCurve> curves;
};

struct PlotArea {
    double left = 0, top = 0, width = 0, height = 0;  // with axes, titles and legend
};

// Curve i has the colour of number i, as in the window. Without points only the axes are drawn.
void drawCurves(VectorPicture& picture, const PlotArea& area, const Plot& plot);

struct PlotInterval {
    std::string name;
    Estimate estimate;
};
// One row per interval; row i has the colour of curve i.
void drawIntervals(VectorPicture& picture, const PlotArea& area, const std::vector<PlotInterval>& intervals,
                   const std::string& title);

// Rising multiples of 1, 2 or 5 times a power of ten within [low, high], about `count` of them; one if low is
// not below high.
std::vector<double> ticksWithin(double low, double high, int count);
// "20 k", "1.5 M", "0.25".
std::string tickText(double value);

}  // namespace seedbed
