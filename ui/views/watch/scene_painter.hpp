// SPDX-License-Identifier: GPL-3.0-or-later
// Draws scenes: antialiased shapes, and pixel frames without smoothing.
#pragma once

#include <QColor>
#include <QRectF>

#include "core/base/scene.hpp"

class QPainter;

namespace seedbed::ui {

// The largest centred rectangle with the scene's aspect ratio inside `area`.
QRectF scenePlace(const Scene& scene, const QRectF& area);
// Draws within scenePlace(scene, area).
void paintScene(QPainter& painter, const Scene& scene, const QRectF& area);
// Whether it is drawn on white: pixel frames and other backgrounds look right on a dark stage.
bool isOnPaper(const Scene& scene);
// A scene on paper with its colours made for a dark stage, which becomes its background.
Scene onStage(Scene scene, const QColor& stage);

}  // namespace seedbed::ui
