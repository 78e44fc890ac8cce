// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that several pages have. Thread: GUI.
#pragma once

#include <QString>

class QAction;
class QLabel;
class QPushButton;
class QWidget;

namespace seedbed::ui {

QLabel* pageTitle(const QString& text, QWidget* parent);

// A button with the icon, text, state and shortcut of an action, which it triggers. Its object name is the
// action's with "-button".
QPushButton* actionButton(QAction* action, QWidget* parent);

// A control behind its label, whose access key it gets.
QWidget* labelled(const QString& text, QWidget* control, QWidget* parent);

// The contents of an empty page: a text for the page to set, above a button for the first step.
struct EmptyState {
    QWidget* widget;
    QLabel* text;         // object name: `name`-empty
    QPushButton* button;  // object name: `name`-first
};
EmptyState emptyState(const QString& name, QAction* action, QWidget* parent);

}  // namespace seedbed::ui
