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
// Draws within scenePlace(scene, area). paper: replaces the white background of drawn scenes; pixel frames
// and other backgrounds are unchanged.
void paintScene(QPainter& painter, const Scene& scene, const QRectF& area, const QColor& paper = Qt::white);

}  // namespace seedbed::ui
