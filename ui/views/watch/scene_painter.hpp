// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a scene: shapes smooth, pictures of pixels with sharp pixels.
#pragma once

#include <QColor>
#include <QRectF>

#include "core/base/scene.hpp"

class QPainter;

namespace seedbed::ui {

// The largest rectangle of the scene's proportions inside `area`, centred.
QRectF scenePlace(const Scene& scene, const QRectF& area);
// Fills scenePlace(scene, area); nothing is drawn outside it. paper: what the white background of drawn
// scenes is; pictures of pixels and scenes on other colours stay as they are.
void paintScene(QPainter& painter, const Scene& scene, const QRectF& area, const QColor& paper = Qt::white);

}  // namespace seedbed::ui
