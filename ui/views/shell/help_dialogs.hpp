// SPDX-License-Identifier: GPL-3.0-or-later
// F1 and About: which keys do what, and what the program is made of.
#pragma once

#include <QDialog>
#include <QList>
#include <QString>

namespace seedbed::ui {

struct Shortcut {
    QString place, text, keys;
};

// Keys of widgets that have no action: charts, tables, lists, the pictures of agents. They work where the
// focus is.
QList<Shortcut> widgetKeys();
QDialog* makeShortcutsOverlay(const QList<Shortcut>& shortcuts, QWidget* parent);
QDialog* makeAboutDialog(QWidget* parent);

}  // namespace seedbed::ui
