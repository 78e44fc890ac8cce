// SPDX-License-Identifier: GPL-3.0-or-later
// The live canvas: what SceneGrid gives to the code that draws, and what that code reports. PaintCanvas draws
// with QPainter; the module ui/live draws with Vulkan and Dear ImGui. Layout, zoom, hit tests and texts are
// SceneGrid's, so that both look and behave the same.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>

#include "core/base/scene.hpp"

class QEvent;
class QWidget;

namespace seedbed::ui {

// An environment. All lengths of a picture are logical pixels of the canvas.
struct CanvasTile {
    const Scene* scene = nullptr;  // not null; part of CanvasPicture::owner
    QRectF place;                  // has the scene's aspect ratio; may exceed the canvas
};

// A piece of a caption, a frame or the inspector.
struct CanvasMark {
    enum class Kind : std::uint8_t { fill, outline, line, text };

    Kind kind = Kind::fill;
    QRectF area{};                            // of all kinds but lines
    QColor colour{};                          // opaque
    double width = 1;                         // of outlines and lines
    double radius = 0;                        // of the corners of fills and outlines
    std::vector<QPointF> points{};            // of lines
    QString text{};                           // one line that fits into the area
    Qt::Alignment alignment = Qt::AlignLeft;  // horizontal; texts are centred vertically

    bool operator==(const CanvasMark&) const = default;
};

struct CanvasPicture {
    std::shared_ptr<const void> owner{};  // keeps the scenes
    std::vector<CanvasTile> tiles{};
    std::vector<CanvasMark> marks{};  // drawn over the tiles, in this order
    QColor background{};
    QFont font{};  // of the marks
};

// Thread: GUI.
struct CanvasReports {
    // A mouse or wheel event of the canvas.
    std::function<void(QEvent&)> input;
    // The canvas no longer draws, for example because the device was lost. Called once, from the event loop;
    // may destroy the canvas.
    std::function<void(const QString& reason)> lost;
};

// Thread: GUI. The destructor destroys the widget.
class Canvas {
public:
    virtual ~Canvas() = default;
    // A child of the parent given at construction. Does not accept the keyboard focus.
    virtual QWidget* widget() = 0;
    // Draws the picture soon; replaces one that was not drawn yet.
    virtual void show(std::shared_ptr<const CanvasPicture> picture) = 0;
    // Pictures drawn so far.
    virtual std::uint64_t drawn() const = 0;
    // For tests: behaves as after the loss of the device.
    virtual void lose() {}
};

// The function that the module exports. `software`: use a software device if there is no other. Null with a
// reason if the canvas cannot be made or the module belongs to a different version.
struct CanvasRequest {
    const char* version = nullptr;
    QWidget* parent = nullptr;
    bool software = false;
    CanvasReports reports{};
    QString reason{};  // set by the module
};
using CanvasEntry = Canvas* (*)(CanvasRequest& request);
inline constexpr const char* kCanvasEntry = "seedbed_live_canvas";

}  // namespace seedbed::ui
