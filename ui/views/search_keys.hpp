// SPDX-License-Identifier: GPL-3.0-or-later
// Keyboard handling for search fields.
#pragma once

class QLineEdit;

namespace seedbed::ui {

// Escape clears the field; if the field is empty, the page handles the key.
void clearByEscape(QLineEdit* field);

}  // namespace seedbed::ui
