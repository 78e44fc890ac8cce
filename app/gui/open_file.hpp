// SPDX-License-Identifier: GPL-3.0-or-later
// Files that desktops pass to the window, for example after a double click.
#pragma once

#include <QString>

namespace seedbed {

namespace ui {
class MainWindow;
}

// Imports weights and exported folders into the library; plays every other file as a recorded game. Does
// nothing if `file` is empty.
void openFile(ui::MainWindow& window, const QString& file);

}  // namespace seedbed
