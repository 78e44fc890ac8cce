// SPDX-License-Identifier: GPL-3.0-or-later
// The live canvas in QPainter: on every platform, in pictures of the window and without Vulkan.
#pragma once

#include <QWidget>

#include "ui/views/watch/canvas.hpp"

namespace seedbed::ui {

// Its mouse events reach the parent, so it reports none. Never lost.
class PaintCanvas : public QWidget, public Canvas {
public:
    // `radius`: of the upper corners, which are those of a card with its outline.
    explicit PaintCanvas(QWidget* parent, qreal radius = 0);

    QWidget* widget() override { return this; }
    void show(std::shared_ptr<const CanvasPicture> picture) override;
    std::uint64_t drawn() const override { return drawn_; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    qreal radius_;
    std::shared_ptr<const CanvasPicture> picture_;
    std::uint64_t drawn_ = 0;
};

}  // namespace seedbed::ui
