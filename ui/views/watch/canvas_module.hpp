// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses and makes the live canvas. The environment variable SEEDBED_CANVAS: "vulkan" (also on a software
// device), "painter", or anything else for Vulkan if there is a graphics card, otherwise QPainter.
#pragma once

#include <memory>

#include "ui/views/watch/canvas.hpp"

namespace seedbed::ui {

// Loads the Vulkan module on first use. Without the module or a device that can show pictures on this
// platform, it is a PaintCanvas.
std::unique_ptr<Canvas> makeCanvas(QWidget* parent, CanvasReports reports);

}  // namespace seedbed::ui
