// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the inspector: what the agent would do, its estimates over time, and its memory.
#pragma once

#include <vector>

#include <QFontMetricsF>

#include "ui/models/charts/inspector_model.hpp"
#include "ui/views/watch/canvas.hpp"

namespace seedbed::ui {

struct Tokens;

// Fills `area` from the top; parts that do not fit are left out, the table has all.
std::vector<CanvasMark> inspectorMarks(const InspectorModel& model, const QRectF& area,
                                       const QFontMetricsF& font, const Tokens& colours);

}  // namespace seedbed::ui
