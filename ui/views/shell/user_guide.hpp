// SPDX-License-Identifier: GPL-3.0-or-later
// The user guide in a separate window: the pages of docs/, read from disk, without a network.
#pragma once

#include <QDialog>
#include <QString>

namespace seedbed::ui {

// Folder with the guide's pages, next to the installed resources or in the source tree. Empty if it is
// missing.
QString guideFolder();

// A modeless window that shows the guide's first page. It deletes itself when closed. If `folder` has no
// README.md, it shows where the guide was expected.
// page: the first one to show, without its ending.
QDialog* makeUserGuide(const QString& folder, QWidget* parent,
                       const QString& page = QStringLiteral("README"));

}  // namespace seedbed::ui
