// SPDX-License-Identifier: GPL-3.0-or-later
// Non-blocking file dialogs with accessible names.
#pragma once

#include <functional>

#include <QFileDialog>

namespace seedbed::ui {

// Shows a file dialog, which deletes itself. `prepare` sets its mode and filters; `chosen` is called with the
// file, unless the user cancels or the parent was destroyed.
void askForFile(QWidget* parent, const QString& title, const std::function<void(QFileDialog&)>& prepare,
                std::function<void(const QString& file)> chosen);

// Converts a string to a file name without extension: letters, digits and characters that need no quoting in
// shells. Long names are shortened in the middle.
QString fileNameOf(QString text);

}  // namespace seedbed::ui
