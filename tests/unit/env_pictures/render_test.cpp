// SPDX-License-Identifier: Apache-2.0
// The rasteriser draws shapes at the right position with smooth edges and no seams.
#include "core/env/render.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "core/env/render_font.hpp"

namespace seedbed {
namespace {

constexpr Colour kWhite{255, 255, 255}, kBlack{0, 0, 0}, kRed{255, 0, 0};

Colour pixel(const Picture& picture, int x, int y) {
    const std::size_t at = (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                            static_cast<std::size_t>(x)) *
                           3;
    return {picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2]};
}

// The black area in a white picture, in pixels.
double darkness(const Picture& picture) {
    double sum = 0;
    for (const std::uint8_t value : picture.rgb) sum += (255 - value) / 255.0;
    return sum / 3;
}

Scene tenByTen() {
    Scene scene;
    scene.clear(0, 0, 10, 10);
    return scene;
}

TEST(Render, FillsWholePixelsExactlyAndHalfPixelsByHalf) {
    Scene scene = tenByTen();
    scene.rectangle(2, 8, 2, 2, kBlack);       // x 1 to 3, y 7 to 9: rows 1 and 2 from the top
    scene.rectangle(6.25f, 5, 2.5f, 2, kRed);  // x 5 to 7.5
    const Picture picture = render(scene, 10, 10);
    EXPECT_EQ(pixel(picture, 1, 1), kBlack);
    EXPECT_EQ(pixel(picture, 2, 2), kBlack);
    EXPECT_EQ(pixel(picture, 0, 1), kWhite);
    EXPECT_EQ(pixel(picture, 3, 1), kWhite);
    EXPECT_EQ(pixel(picture, 1, 3), kWhite);
    EXPECT_EQ(pixel(picture, 6, 5), kRed);
    EXPECT_EQ(pixel(picture, 7, 5), (Colour{255, 128, 128}));
}

TEST(Render, KeepsProportionsAndFillsTheRestWithTheBackground) {
    Scene scene;
    scene.clear(0, 0, 2, 1, {10, 20, 30});
    scene.rectangle(1, 0.5f, 2, 1, kRed);
    const PictureSize size = fittingSize(scene, 40, 40);
    EXPECT_EQ(size.width, 40);
    EXPECT_EQ(size.height, 20);
    const Picture picture = render(scene, 40, 40);
    EXPECT_EQ(pixel(picture, 5, 9), (Colour{10, 20, 30}));
    EXPECT_EQ(pixel(picture, 5, 10), kRed);
    EXPECT_EQ(pixel(picture, 39, 29), kRed);
    EXPECT_EQ(pixel(picture, 39, 30), (Colour{10, 20, 30}));
}

TEST(Render, LeavesNoSeamBetweenShapesThatTouch) {
    Scene scene = tenByTen();
    // Eleven strips whose edges are inside pixels.
    for (int i = 0; i < 11; ++i)
        scene.rectangle((static_cast<float>(i) + 0.5f) * 10 / 11, 5, 10.0f / 11, 10, kBlack);
    EXPECT_EQ(darkness(render(scene, 37, 37)), 37 * 37);
}

TEST(Render, DrawsCirclesOfTheRightAreaAndRings) {
    Scene scene = tenByTen();
    scene.circle(5, 5, 4, kBlack);
    const double area = std::numbers::pi * 16 * 100;
    EXPECT_NEAR(darkness(render(scene, 100, 100)), area,
                0.002 * area);  // 4 x 4 samples per pixel along the edge
    scene.clear(0, 0, 10, 10);
    Shape& ring = scene.circle(5, 5, 3, {0, 0, 0, 0});
    ring.stroke = kBlack;
    ring.stroke_width = 1;
    const double band = std::numbers::pi * (3.5 * 3.5 - 2.5 * 2.5) * 100;
    EXPECT_NEAR(darkness(render(scene, 100, 100)), band, 0.004 * band);
}

TEST(Render, TurnsRectanglesCounterClockwiseAboutTheirCentre) {
    Scene scene = tenByTen();
    scene.rectangle(5, 5, 6, 1, kBlack, std::numbers::pi_v<float> / 4);
    const Picture picture = render(scene, 100, 100);
    EXPECT_EQ(pixel(picture, 65, 35), kBlack) << "the bar points up and to the right";
    EXPECT_EQ(pixel(picture, 35, 35), kWhite);
    EXPECT_NEAR(darkness(picture), 600, 6);
}

TEST(Render, FillsPolygonsOfAnyShapeAndOutlinesThem) {
    Scene scene = tenByTen();
    scene.polygon({1, 1, 9, 1, 9, 9, 5, 3, 1, 9}, kBlack);  // an M, not convex
    const Picture picture = render(scene, 100, 100);
    EXPECT_NEAR(darkness(picture), 4000, 40);
    EXPECT_EQ(pixel(picture, 50, 50), kWhite);
    EXPECT_EQ(pixel(picture, 15, 50), kBlack);
    scene.clear(0, 0, 10, 10);
    Shape& outline = scene.polygon({2, 2, 8, 2, 8, 8, 2, 8}, {0, 0, 0, 0});
    outline.stroke = kRed;
    outline.stroke_width = 1;
    const Picture frame = render(scene, 100, 100);
    EXPECT_EQ(pixel(frame, 20, 50), kRed);
    EXPECT_EQ(pixel(frame, 50, 50), kWhite);
}

TEST(Render, BlendsTranslucentColours) {
    Scene scene = tenByTen();
    scene.rectangle(5, 5, 10, 10, kBlack);
    scene.rectangle(5, 5, 10, 10, {255, 0, 0, 51});
    EXPECT_EQ(pixel(render(scene, 4, 4), 1, 1), (Colour{51, 0, 0}));
}

TEST(Render, DrawsLinesAlongTheirLengthAndNeverThinnerThanHalfAPixel) {
    Scene scene = tenByTen();
    scene.line(1, 5, 9, 5, 1, kBlack);
    EXPECT_NEAR(darkness(render(scene, 100, 100)), 800, 8);
    scene.clear(0, 0, 10, 10);
    scene.line(0, 5, 10, 5, 0.0001f, kBlack);
    EXPECT_NEAR(darkness(render(scene, 10, 10)), 5, 0.1);
}

TEST(Render, CopiesAnRgbFrameOfEqualSize) {
    Scene scene = tenByTen();
    scene.frame_width = 10;
    scene.frame_height = 10;
    for (int i = 0; i < 300; ++i) scene.frame.push_back(static_cast<std::uint8_t>(i * 7));
    EXPECT_EQ(render(scene, 10, 10).rgb, scene.frame);
    // At three times the size, every pixel becomes nine.
    const Picture large = render(scene, 30, 30);
    for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 30; ++x)
            EXPECT_EQ(pixel(large, x, y).r, scene.frame[static_cast<std::size_t>((y / 3 * 10 + x / 3) * 3)]);
}

TEST(Render, WritesTextAsDotsAroundItsCentre) {
    Scene scene;
    scene.clear(0, 0, 5, 7);
    scene.label(2.5f, 3.5f, 7, "T", kBlack);
    const Picture picture = render(scene, 5, 7);
    for (int x = 0; x < 5; ++x) EXPECT_EQ(pixel(picture, x, 0), kBlack);
    for (int y = 1; y < 7; ++y)
        for (int x = 0; x < 5; ++x) EXPECT_EQ(pixel(picture, x, y), x == 2 ? kBlack : kWhite);
}

TEST(Render, HasADifferentGlyphForEveryCharacterAndAQuestionMarkForOthers) {
    std::set<Glyph> glyphs;
    for (char c = ' '; c <= '~'; ++c) glyphs.insert(glyphOf(c));
    EXPECT_EQ(glyphs.size(), 94U) << "0 and O look alike";
    EXPECT_EQ(glyphOf('0'), glyphOf('O'));
    EXPECT_EQ(glyphOf('\xC3'), glyphOf('?'));
    EXPECT_EQ(glyphOf('\n'), glyphOf('?'));
}

TEST(Render, AcceptsShapesOutsideTheViewAndTinySizes) {
    Scene scene = tenByTen();
    scene.rectangle(-50, 5, 20, 1000, kRed);
    scene.circle(1e6f, -1e6f, 3, kRed);
    scene.circle(5, 5, 1000, kBlack);
    scene.polygon({-1e5f, 3, 1e5f, 3, 0, 1e5f}, kBlack);
    scene.label(300, 300, 4, "far away", kRed);
    EXPECT_EQ(darkness(render(scene, 10, 10)), 100);
    EXPECT_EQ(render(scene, 1, 1).rgb.size(), 3U);
}

}  // namespace
}  // namespace seedbed
