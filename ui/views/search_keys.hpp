// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that fields for searching have in common.
#pragma once

class QLineEdit;

namespace seedbed::ui {

// Escape empties the field; in an empty one it is the page's.
void clearByEscape(QLineEdit* field);

}  // namespace seedbed::ui
