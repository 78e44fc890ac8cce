// SPDX-License-Identifier: GPL-3.0-or-later
// Texts in a colour that means something, in whatever theme is shown: they change with it.
#pragma once

class QLabel;
class QString;

namespace seedbed::ui {

class Theme;

enum class TextColour { plain, quiet, good, warning, bad };

// From now on, also after a change of theme. May be called again with another colour. `theme` must outlive
// the label.
void setTextColour(QLabel* label, const Theme& theme, TextColour colour);

// For a cause with its remedy: wraps, can be selected and copied by mouse and by keyboard, is hidden while it
// is empty.
void makeMessage(QLabel* label, const Theme& theme, TextColour colour);
void showMessage(QLabel* label, const QString& text);

}  // namespace seedbed::ui
