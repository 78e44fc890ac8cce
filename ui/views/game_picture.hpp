// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of games on the window's page: many are drawn on white, which glares on a dark page.
#pragma once

#include <QColor>
#include <QImage>

namespace seedbed::ui {

class Theme;

// What white is in pictures of games: white, on a dark page a light grey. Other colours become darker by the
// same factors, and stay what they are: red is red.
QColor paperOf(const Theme& theme);
// The picture on such paper; one without a bright background stays as it is.
QImage onPaper(QImage picture, const QColor& paper);

}  // namespace seedbed::ui
