// SPDX-License-Identifier: GPL-3.0-or-later
// Adapts pictures of games to the theme: many have a white background, which is too bright on a dark page.
#pragma once

#include <QColor>
#include <QImage>

namespace seedbed::ui {

class Theme;

// The colour that replaces white in pictures of games: white, or light grey in the dark theme. Other colours
// are multiplied by it.
QColor paperColour(const Theme& theme);
// Multiplies a picture with a white background by `paper`; other pictures are unchanged.
QImage tintPaper(QImage picture, const QColor& paper);

}  // namespace seedbed::ui
