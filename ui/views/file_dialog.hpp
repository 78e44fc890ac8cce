// SPDX-License-Identifier: GPL-3.0-or-later
// Dialogs that ask for a file or folder: they never block, and Qt's own one says what its parts are to a
// screen reader.
#pragma once

#include <functional>

#include <QFileDialog>

namespace seedbed::ui {

// Shows a dialog that deletes itself; `chosen` gets the file, unless the parent is gone by then. `prepare`
// sets modes and names before.
void askForFile(QWidget* parent, const QString& title, const std::function<void(QFileDialog&)>& prepare,
                std::function<void(const QString& file)> chosen);

// A text as the name of a file, without an ending: letters, digits and what stays itself in every shell. Of a
// long one the middle is left out.
QString fileNameOf(QString text);

}  // namespace seedbed::ui
