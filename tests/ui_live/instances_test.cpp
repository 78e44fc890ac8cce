// SPDX-License-Identifier: Apache-2.0
#include "ui/live/scene_instances.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace seedbed::ui::live {
namespace {

using Point = std::array<float, 2>;
using Rgba = std::array<std::uint8_t, 4>;

std::vector<ShapeInstance> instancesOf(const Scene& scene) {
    std::vector<ShapeInstance> made;
    appendScene(scene, QRectF(100, 50, 200, 100), 3, made);
    return made;
}

TEST(SceneInstances, ShapesAreInPixelsWithYDownAndInTheirOrder) {
    Scene scene;
    scene.clear(0, 0, 20, 10, {1, 2, 3, 255});
    scene.rectangle(5, 5, 2, 4, {255, 0, 0, 255}, static_cast<float>(M_PI / 2));
    scene.circle(10, 0, 1, {0, 255, 0, 128});
    scene.line(0, 0, 20, 10, 0.5F, {0, 0, 255, 255});
    scene.label(1, 1, 1, "text", {9, 9, 9, 255});
    const auto made = instancesOf(scene);
    ASSERT_EQ(made.size(), 4U) << "background and three shapes; texts are drawn elsewhere";
    EXPECT_EQ(made[0].a, (Point{200, 100}));
    EXPECT_EQ(made[0].b, (Point{100, 50}));
    EXPECT_EQ(made[0].fill, (Rgba{1, 2, 3, 255}));
    EXPECT_EQ(made[1].a, (Point{150, 100}));
    EXPECT_EQ(made[1].b, (Point{10, 20}));
    EXPECT_NEAR(made[1].c[1], -1, 1e-6) << "counter-clockwise with y up is clockwise with y down";
    EXPECT_EQ(made[2].a, (Point{200, 150}));
    EXPECT_EQ(made[2].radius, 10);
    EXPECT_EQ(made[2].fill, (Rgba{0, 255, 0, 128}));
    EXPECT_EQ(made[3].kind, ShapeKind::line);
    EXPECT_EQ(made[3].a, (Point{100, 150}));
    EXPECT_EQ(made[3].b, (Point{300, 50}));
    EXPECT_EQ(made[3].radius, 2.5F);
    EXPECT_EQ(made[3].fill, (Rgba{0, 0, 255, 255}));
}

TEST(SceneInstances, PicturesKeepTheirColours) {
    Scene scene;
    scene.clear(0, 0, 20, 10);
    scene.frame_width = 400;
    scene.frame_height = 200;
    const auto made = instancesOf(scene);
    ASSERT_EQ(made.size(), 1U);
    EXPECT_EQ(made[0].c, (Point{3, 2})) << "layer, and texels per pixel";
    EXPECT_EQ(made[0].fill, Rgba()) << "its colours are in the texture";
}

double areaOf(const std::vector<float>& p) {
    double sum = 0;
    for (const auto& [i, j, k] : triangulate(p))
        sum += std::abs((p[2 * j] - p[2 * i]) * (p[2 * k + 1] - p[2 * i + 1]) -
                        (p[2 * j + 1] - p[2 * i + 1]) * (p[2 * k] - p[2 * i])) /
               2.0;
    return sum;
}

TEST(SceneInstances, TrianglesCoverAPolygonInBothDirections) {
    EXPECT_DOUBLE_EQ(areaOf({0, 0, 4, 0, 4, 4, 0, 4}), 16);
    const std::vector<float> arrow{0, 0, 4, 2, 0, 4, 1, 2};  // a corner is reflex
    EXPECT_DOUBLE_EQ(areaOf(arrow), 6);
    EXPECT_DOUBLE_EQ(areaOf({1, 2, 0, 4, 4, 2, 0, 0}), 6);
    EXPECT_EQ(triangulate(arrow).size(), 2U);
    EXPECT_TRUE(triangulate({0, 0, 1, 1}).empty());
    EXPECT_EQ(triangulate({0, 0, 1, 1, 2, 2, 3, 3}).size(), 2U) << "ends also without an area";
}

}  // namespace
}  // namespace seedbed::ui::live
