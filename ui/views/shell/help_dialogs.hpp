// SPDX-License-Identifier: GPL-3.0-or-later
// The dialogs of the help menu: keyboard shortcuts and About.
#pragma once

#include <QDialog>
#include <QList>
#include <QString>

namespace seedbed::ui {

struct Shortcut {
    QString place, text, keys;
};

// Keys of widgets without actions: charts, tables, lists, pictures of agents. They work in the focused
// widget.
QList<Shortcut> widgetKeys();
QDialog* makeShortcutsOverlay(const QList<Shortcut>& shortcuts, QWidget* parent);
QDialog* makeAboutDialog(QWidget* parent);

}  // namespace seedbed::ui
