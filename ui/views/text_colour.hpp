// SPDX-License-Identifier: GPL-3.0-or-later
// Labels in semantic colours that follow the theme.
#pragma once

class QLabel;
class QString;

namespace seedbed::ui {

class Theme;

enum class TextColour { plain, quiet, good, warning, bad };

// Colours a label, following the theme. May be called again with a different colour. `theme` must outlive
// the label.
void setTextColour(QLabel* label, const Theme& theme, TextColour colour);

// Prepares a label for error messages: it wraps, can be selected and copied with mouse and keyboard, and is
// hidden while empty.
void makeMessage(QLabel* label, const Theme& theme, TextColour colour);
void showMessage(QLabel* label, const QString& text);

}  // namespace seedbed::ui
