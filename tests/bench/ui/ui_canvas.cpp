// SPDX-License-Identifier: Apache-2.0
// Pictures per second of the live canvas: as many as it can draw, one after another, on the current platform.
//   bench_ui_canvas AGENTS shapes|pictures [SECONDS]
// SEEDBED_CANVAS chooses the canvas. Shapes: about 60 per agent, as in MinAtar; pictures: 160 x 210 pixels,
// as in Atari games. Prints JSON. The canvas has 1200 x 700 pixels.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <QApplication>

#include "ui/views/theme.hpp"
#include "ui/views/watch/paint_canvas.hpp"
#include "ui/views/watch/scene_grid.hpp"

namespace seedbed {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFrames = 8, kWarmUp = 10;

Scene sceneAt(int time, bool picture) {
    Scene scene;
    scene.clear(0, 0, 10, 10, {10, 10, 14, 255});
    if (picture) {
        scene.frame_width = 160;
        scene.frame_height = 210;
        scene.frame.resize(160 * 210 * 3);
        for (std::size_t i = 0; i < scene.frame.size(); ++i)
            scene.frame[i] =
                static_cast<std::uint8_t>(i / 480 + i % 480 + static_cast<std::size_t>(time) * 9);
        return scene;
    }
    for (int i = 0; i < 56; ++i)
        scene.rectangle(static_cast<float>(i % 10) + 0.5F, 9.5F - static_cast<float>(i / 10), 0.9F, 0.9F,
                        {static_cast<std::uint8_t>(40 * (i / 10)), 120, 90, 255});
    scene.line(2, 2, static_cast<float>(time % 8), 4, 0.2F, {120, 120, 120, 255});
    scene.circle(static_cast<float>(time % 8), 4, 0.4F, {255, 255, 255, 255});
    scene.polygon({4, 0.2F, 6, 0.2F, 5, 1}, {90, 160, 250, 255});
    scene.label(8, 1, 0.6F, std::to_string(time), {255, 255, 255, 255});
    return scene;
}

int measure(int agents, bool pictures, double seconds) {
    ui::Theme theme;
    ui::SceneGrid grid(theme);
    grid.resize(1200, 700);
    grid.QWidget::show();
    std::vector<std::shared_ptr<PlayerFrame>> frames;
    for (int time = 0; time < kFrames; ++time) {
        frames.push_back(std::make_shared<PlayerFrame>());
        frames.back()->cells.resize(static_cast<std::size_t>(agents));
        for (int agent = 0; agent < agents; ++agent)
            frames.back()->cells[static_cast<std::size_t>(agent)].scene = sceneAt(time + agent, pictures);
    }
    std::vector<double> times;
    const auto begun = Clock::now();
    for (int i = 0; i < kWarmUp || Clock::now() - begun < std::chrono::duration<double>(seconds); ++i) {
        const auto start = Clock::now();
        const std::uint64_t before = grid.canvas()->drawn();
        grid.show(frames[static_cast<std::size_t>(i % kFrames)]);
        while (grid.canvas()->drawn() == before) {
            QCoreApplication::processEvents();
            if (Clock::now() - start > std::chrono::seconds(20)) return 1;
        }
        if (i >= kWarmUp)
            times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    if (times.empty()) return 1;
    std::sort(times.begin(), times.end());
    double sum = 0;
    for (const double time : times) sum += time;
    const bool painter = dynamic_cast<ui::PaintCanvas*>(grid.canvas()) != nullptr;
    std::printf("{\"canvas\": \"%s\", \"per_second\": %.1f, \"ms_p50\": %.2f, \"ms_p99\": %.2f}\n",
                painter ? "painter" : "vulkan", 1000.0 * static_cast<double>(times.size()) / sum,
                times[times.size() / 2], times[times.size() * 99 / 100]);
    return 0;
}

}  // namespace
}  // namespace seedbed

int main(int argc, char** argv) {
    const QApplication app(argc, argv);
    if (argc < 3) return 2;
    return seedbed::measure(std::atoi(argv[1]), argv[2][0] == 'p', argc > 3 ? std::atof(argv[3]) : 5);
}
