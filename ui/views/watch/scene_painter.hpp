// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a scene: shapes smooth, pictures of pixels with sharp pixels.
#pragma once

#include <QRectF>

#include "core/base/scene.hpp"

class QPainter;

namespace seedbed::ui {

// The largest rectangle of the scene's proportions inside `area`, centred.
QRectF scenePlace(const Scene& scene, const QRectF& area);
// Fills scenePlace(scene, area); nothing is drawn outside it.
void paintScene(QPainter& painter, const Scene& scene, const QRectF& area);

}  // namespace seedbed::ui
