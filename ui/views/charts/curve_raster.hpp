// SPDX-License-Identifier: GPL-3.0-or-later
// Curves as pixels: a curve never goes back in x, so what it covers of a pixel column is one span. Thousands
// of points that cross the whole picture cost no more than their columns; Qt's strokers take ten times as
// long for them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <QImage>

namespace seedbed::ui {

// In device pixels from the upper left corner; x never falls. A y that is not a number is a gap. x and y are
// equally long.
struct PixelCurve {
    std::vector<double> x, y;
};

// A transparent picture that lines and bands are put on. Thread: one at a time, any.
class CurveRaster {
public:
    CurveRaster(int width, int height);

    // width: in device pixels, at least 1. dashes: lengths of strokes and gaps in turns, in device pixels;
    // empty for an unbroken line. The ends of each span are weighted by what they cover of their pixels. A
    // point without a neighbour is no line.
    void line(const PixelCurve& curve, double width, QRgb colour, std::span<const double> dashes = {});
    // What lies between two curves; their points need not be at the same x.
    void band(const PixelCurve& low, const PixelCurve& high, QRgb colour);

    // As a picture, premultiplied.
    QImage image() const;

private:
    struct Span {
        int column;
        double top, bottom;
    };
    void paint(const Span& span, QRgb premultiplied);
    void paintWidened(int columns, QRgb premultiplied);
    void add(double x0, double y0, double x1, double y1, double beyond);
    void finishSpan();

    int width_, height_;
    std::vector<std::uint32_t> pixels_;  // column by column
    std::vector<Span> spans_;            // of the line that is being added, ordered by column
    Span open_{-1, 0, 0};                // the column that the line is in
};

}  // namespace seedbed::ui
