// SPDX-License-Identifier: GPL-3.0-or-later
// Rasterizes curves. x never decreases, so a curve covers one span per pixel column; the cost depends on the
// number of columns. QPainter's strokers take ten times as long for thousands of points.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <QImage>

namespace seedbed::ui {

// Points in device pixels from the upper left corner; x is non-decreasing, a NaN in y is a gap. x and y have
// the same size.
struct PixelCurve {
    std::vector<double> x, y;
};

// A transparent image to draw lines and bands on. Thread: any, one at a time.
class CurveRaster {
public:
    CurveRaster(int width, int height);

    // Draws a line. width: device pixels, at least 1. dashes: lengths of dashes and gaps in device pixels;
    // empty for a solid line. The ends of spans are antialiased. A point without neighbours is not drawn.
    void line(const PixelCurve& curve, double width, QRgb colour, std::span<const double> dashes = {});
    // Fills the area between two curves; their points may have different x values.
    void band(const PixelCurve& low, const PixelCurve& high, QRgb colour);

    // Format: ARGB32 premultiplied.
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
    std::vector<std::uint32_t> pixels_;  // column-major
    std::vector<Span> spans_;            // spans of the current line, sorted by column
    Span open_{-1, 0, 0};                // span of the current column
};

}  // namespace seedbed::ui
