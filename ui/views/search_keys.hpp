// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of search fields.
#pragma once

class QLineEdit;

namespace seedbed::ui {

// Escape clears the field; in an empty field the key is left to the page.
void clearByEscape(QLineEdit* field);

}  // namespace seedbed::ui
