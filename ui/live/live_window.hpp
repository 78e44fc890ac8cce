// SPDX-License-Identifier: GPL-3.0-or-later
// The native window of the canvas, and what it draws in each frame.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "ui/live/overlay.hpp"
#include "ui/live/tiles.hpp"

namespace seedbed::ui::live {

// Thread: GUI.
class LiveWindow : public QVulkanWindow {
public:
    // `lost` is called with a reason, possibly more than once and from within a frame.
    explicit LiveWindow(std::function<void(const QString&)> lost) : lost_(std::move(lost)) {}

    QVulkanWindowRenderer* createRenderer() override;
    void show(std::shared_ptr<const CanvasPicture> picture);
    std::uint64_t drawn() const { return drawn_; }
    void report(const QString& reason) { lost_(reason); }

private:
    friend class Renderer;

    std::function<void(const QString&)> lost_;
    std::shared_ptr<const CanvasPicture> picture_;
    std::uint64_t drawn_ = 0;
};

// Owned by Qt. Resources exist between initResources() and releaseResources().
class Renderer : public QVulkanWindowRenderer {
public:
    explicit Renderer(LiveWindow& window) : window_(window) {}

    void initResources() override;
    void releaseResources() override;
    void startNextFrame() override;
    void physicalDeviceLost() override;
    void logicalDeviceLost() override;

private:
    void beginPass() const;

    LiveWindow& window_;
    Status status_;
    Tiles tiles_;
    Overlay overlay_;
};

}  // namespace seedbed::ui::live
