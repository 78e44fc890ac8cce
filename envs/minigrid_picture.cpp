// SPDX-License-Identifier: Apache-2.0
// The picture of a MiniGrid environment, in the colours of the original: one world unit per cell, the agent's
// view lightened.
#include <cmath>
#include <numbers>

#include "envs/minigrid.hpp"

namespace seedbed::minigrid {
namespace {

constexpr Colour kPaints[] = {{220, 50, 47},  {60, 190, 60},  {60, 110, 235},
                              {150, 60, 210}, {235, 205, 50}, {120, 124, 132}};
constexpr Colour kGround{26, 28, 34}, kGridLine{52, 55, 64};

// Draws into the cell whose lower left corner is (x, y).
class CellPainter {
public:
    CellPainter(Scene& scene, float x, float y) : scene_(scene), x_(x), y_(y) {}

    void paint(Cell cell) {
        const Colour colour = kPaints[cell >> 4 & 7];
        switch (kindOf(cell)) {
            case Kind::wall: box(0.5f, 0.5f, 1, 1, {104, 108, 116}); break;
            case Kind::goal: box(0.5f, 0.5f, 0.94f, 0.94f, colour); break;
            case Kind::lava: lava(); break;
            case Kind::key: key(colour); break;
            case Kind::ball: scene_.circle(x_ + 0.5f, y_ + 0.5f, 0.32f, colour); break;
            case Kind::box:
                box(0.5f, 0.5f, 0.72f, 0.72f, colour);
                box(0.5f, 0.5f, 0.52f, 0.52f, kGround);
                box(0.5f, 0.5f, 0.56f, 0.1f, colour);
                break;
            case Kind::open_door:
                box(0.92f, 0.5f, 0.16f, 1, colour);
                box(0.92f, 0.5f, 0.08f, 0.9f, kGround);
                break;
            case Kind::closed_door:
            case Kind::locked_door: door(colour, kindOf(cell) == Kind::locked_door); break;
            default: break;
        }
    }

private:
    void box(float x, float y, float w, float h, Colour colour) {
        scene_.rectangle(x_ + x, y_ + y, w, h, colour);
    }
    void key(Colour colour) {
        box(0.56f, 0.42f, 0.12f, 0.52f, colour);
        box(0.44f, 0.22f, 0.18f, 0.09f, colour);
        box(0.44f, 0.38f, 0.18f, 0.09f, colour);
        scene_.circle(x_ + 0.56f, y_ + 0.72f, 0.18f, colour);
        scene_.circle(x_ + 0.56f, y_ + 0.72f, 0.08f, kGround);
    }
    void door(Colour colour, bool locked) {
        box(0.5f, 0.5f, 1, 1, colour);
        box(0.5f, 0.5f, 0.86f, 0.86f, kGround);
        if (!locked) {
            box(0.5f, 0.5f, 0.7f, 0.7f, colour);
            box(0.5f, 0.5f, 0.6f, 0.6f, kGround);
            scene_.circle(x_ + 0.7f, y_ + 0.5f, 0.08f, colour);
            return;
        }
        const auto dark = [](std::uint8_t c) { return static_cast<std::uint8_t>(c * 45 / 100); };
        box(0.5f, 0.5f, 0.86f, 0.86f, {dark(colour.r), dark(colour.g), dark(colour.b)});
        scene_.circle(x_ + 0.5f, y_ + 0.58f, 0.12f, colour);
        box(0.5f, 0.42f, 0.1f, 0.28f, colour);
    }
    void lava() {
        box(0.5f, 0.5f, 1, 1, {240, 120, 20});
        for (const float height : {0.25f, 0.5f, 0.75f}) {
            constexpr float kWave[] = {0.08f, 0.29f, 0.5f, 0.71f, 0.92f};
            for (std::size_t i = 0; i + 1 < std::size(kWave); ++i) {
                const float rise = i % 2 == 0 ? 0.08f : -0.08f;
                scene_.line(x_ + kWave[i], y_ + height - rise / 2, x_ + kWave[i + 1], y_ + height + rise / 2,
                            0.05f, {70, 26, 8});
            }
        }
    }

    Scene& scene_;
    float x_, y_;
};

}  // namespace

void GridEnv::draw(Scene& scene) const {
    const int size = rules_.size;
    const auto extent = static_cast<float>(size);
    scene.clear(0, 0, extent, extent, kGround);
    for (int i = 1; i < size; ++i) {
        const auto at = static_cast<float>(i);
        scene.line(at, 0, at, extent, 0.03f, kGridLine);
        scene.line(0, at, extent, at, 0.03f, kGridLine);
    }
    const auto left = [](Point p) { return static_cast<float>(p.x); };
    const auto bottom = [size](Point p) { return static_cast<float>(size - 1 - p.y); };
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x)
            CellPainter(scene, left({x, y}), bottom({x, y})).paint(grid_.get({x, y}));

    const View view = look();
    for (int y = 0; y < kView; ++y) {
        for (int x = 0; x < kView; ++x) {
            const Point p = onGrid(x, y);
            const bool inside = p.x >= 0 && p.y >= 0 && p.x < size && p.y < size;
            if (inside && view[static_cast<std::size_t>(y * kView + x)] != 0)
                scene.rectangle(left(p) + 0.5f, bottom(p) + 0.5f, 1, 1, {255, 255, 255, 62});
        }
    }

    // The agent is a triangle that points in its direction; a carried object is drawn on it.
    const float x = left(agent_) + 0.5f, y = bottom(agent_) + 0.5f;
    const float angle = -static_cast<float>(direction_) * std::numbers::pi_v<float> / 2, c = std::cos(angle),
                s = std::sin(angle);
    std::vector<float> triangle;
    for (const auto& [along, across] : {std::pair{0.4f, 0.0f}, {-0.34f, 0.34f}, {-0.34f, -0.34f}}) {
        triangle.push_back(x + c * along - s * across);
        triangle.push_back(y + s * along + c * across);
    }
    scene.polygon(std::move(triangle), {240, 60, 50});
    if (carried_ != 0) scene.circle(x - 0.08f * c, y - 0.08f * s, 0.14f, kPaints[carried_ >> 4 & 7]);
}

}  // namespace seedbed::minigrid
