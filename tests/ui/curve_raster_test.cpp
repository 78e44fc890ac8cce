// SPDX-License-Identifier: Apache-2.0
// Tests the rasterization of lines and bands: pixels on the curve are covered, all others and gaps stay
// empty.
#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/base/rng.hpp"
#include "ui/views/charts/curve_raster.hpp"

namespace seedbed::testing {
namespace {

using ui::CurveRaster;
using ui::PixelCurve;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kWidth = 90, kHeight = 70;
constexpr QRgb kColour = 0xff0072b2;

PixelCurve random(Rng& rng, int points, double width) {
    PixelCurve curve;
    for (int i = 0; i < points; ++i) {
        curve.x.push_back(width * (i + rng.uniform()) / points);
        curve.y.push_back(kHeight * rng.uniform());
    }
    return curve;
}

double distance(double x, double y, double x0, double y0, double x1, double y1) {
    const double dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
    const double t = length > 0 ? std::clamp(((x - x0) * dx + (y - y0) * dy) / length, 0.0, 1.0) : 0;
    return std::hypot(x - x0 - t * dx, y - y0 - t * dy);
}

TEST(CurveRaster, OnlyPixelsNearALineArePainted) {
    Rng rng(11, RngPurpose::analysis);
    for (const int points : {2, 3, 20, 90, 700})
        for (const double width : {1.0, 1.6, 2.0, 3.2}) {
            const PixelCurve curve = random(rng, points, kWidth);
            CurveRaster raster(kWidth, kHeight);
            raster.line(curve, width, kColour);
            const QImage image = raster.image();
            for (std::size_t i = 0; i + 1 < curve.x.size(); ++i)
                for (double t = 0; t <= 1; t += 0.01) {
                    const double x = curve.x[i] + t * (curve.x[i + 1] - curve.x[i]),
                                 y = curve.y[i] + t * (curve.y[i + 1] - curve.y[i]);
                    // Points half a pixel above or below, since a tiny coverage rounds to zero.
                    const int column = std::min(kWidth - 1, static_cast<int>(x));
                    int alpha = 0;
                    for (const double row : {y - 0.5, y + 0.5})
                        if (row >= 0 && row < kHeight)
                            alpha = std::max(alpha, qAlpha(image.pixel(column, static_cast<int>(row))));
                    ASSERT_GT(alpha, 0) << points << " points, width " << width << " at " << x << ", " << y;
                }
            for (int x = 0; x < kWidth; ++x)
                for (int y = 0; y < kHeight; ++y) {
                    if (qAlpha(image.pixel(x, y)) == 0) continue;
                    double nearest = 1e9;
                    for (std::size_t i = 0; i + 1 < curve.x.size(); ++i)
                        nearest = std::min(nearest, distance(x + 0.5, y + 0.5, curve.x[i], curve.y[i],
                                                             curve.x[i + 1], curve.y[i + 1]));
                    // Half a diagonal of the pixel, and half a width to each side.
                    ASSERT_LE(nearest, 0.71 + width)
                        << points << " points, width " << width << " at " << x << ", " << y;
                }
        }
}

TEST(CurveRaster, AFlatLineHasTheSameWeightAtEveryPosition) {
    for (const double width : {1.0, 1.6, 3.2})
        for (const double y : {20.0, 20.25, 20.5, 20.9}) {
            CurveRaster raster(kWidth, kHeight);
            raster.line({{0, kWidth}, {y, y}}, width, kColour);
            const QImage image = raster.image();
            double cover = 0;
            for (int row = 0; row < kHeight; ++row) cover += qAlpha(image.pixel(40, row)) / 255.0;
            EXPECT_NEAR(cover, width, 0.03);  // eight bits per pixel, rounded down
        }
}

TEST(CurveRaster, AGapIsEmptyEvenWithinOneColumn) {
    CurveRaster raster(kWidth, kHeight);
    raster.line({{5, 20, 30, 50, 60}, {10, 10, kNan, 60, 60}}, 1, kColour);
    // Both ends of this gap are in column 70.
    raster.line({{69.2, 70.1, 70.2, 70.3, 71.5}, {5, 5, kNan, 65, 65}}, 1, kColour);
    const QImage image = raster.image();
    for (int x = 21; x < 50; ++x)
        for (int y = 0; y < kHeight; ++y) ASSERT_EQ(qAlpha(image.pixel(x, y)), 0) << x << ", " << y;
    for (int y = 8; y < 62; ++y) ASSERT_EQ(qAlpha(image.pixel(70, y)), 0) << y;
    EXPECT_GT(qAlpha(image.pixel(70, 5)), 0);
    EXPECT_GT(qAlpha(image.pixel(70, 65)), 0);
}

TEST(CurveRaster, ABandFillsTheAreaBetweenItsEdgesExceptGaps) {
    CurveRaster raster(kWidth, kHeight);
    // The edges have points at different x; y grows downwards.
    raster.band({{0, 10, 40, 50, 60, 90}, {50, 50, 60, kNan, 60, 60}},
                {{0, 40, 50, 60, 90}, {20, 30, kNan, 30, 10}}, qRgba(0, 114, 178, 45));
    const QImage image = raster.image();
    for (const int x : {1, 15, 39, 62, 88}) EXPECT_EQ(qAlpha(image.pixel(x, 45)), 45) << x;
    for (const int x : {1, 15, 39, 62, 88}) EXPECT_EQ(qAlpha(image.pixel(x, 5)), 0) << x;
    for (int x = 41; x < 60; ++x) EXPECT_EQ(qAlpha(image.pixel(x, 45)), 0) << x;
    // A second band on top is transparent.
    raster.band({{0, 90}, {60, 60}}, {{0, 90}, {40, 40}}, qRgba(213, 94, 0, 45));
    const QRgb both = raster.image().pixel(15, 45);
    EXPECT_GT(qAlpha(both), 45);
    EXPECT_GT(qBlue(both), 0);
    EXPECT_GT(qRed(both), 0);
}

TEST(CurveRaster, DashesCoverTheirShareAlongTheLine) {
    CurveRaster raster(kWidth, kHeight);
    const double dashes[] = {5, 3};
    raster.line({{0, 30, 80}, {20.5, 20.5, 20.5}}, 1, kColour, dashes);
    const QImage image = raster.image();
    int on = 0;
    for (int x = 0; x < 80; ++x) on += qAlpha(image.pixel(x, 20)) > 0 ? 1 : 0;
    EXPECT_EQ(on, 50);
}

TEST(CurveRaster, PointsOutsideTheRangeAndHugeNumbersAreClipped) {
    CurveRaster raster(kWidth, kHeight);
    const double dashes[] = {5, 3};
    for (const double wild : {1e3, 1e9, 1e300}) {
        raster.line({{-wild, 10, 20, wild}, {-wild, 1e9, -1e9, wild}}, 1.6, kColour);
        raster.line({{-10, 10, 20, 100}, {-wild, wild, -wild, wild}}, 1, kColour, dashes);
        raster.band({{-wild, wild}, {wild, wild}}, {{-wild, wild}, {-wild, -wild}}, qRgba(1, 2, 3, 45));
    }
    EXPECT_GT(qAlpha(raster.image().pixel(15, 35)), 0);
    raster.line({{}, {}}, 1, kColour);
    raster.line({{3}, {3}}, 1, kColour);
}

}  // namespace
}  // namespace seedbed::testing
