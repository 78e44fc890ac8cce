// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that several pages have. Thread: GUI.
#pragma once

#include <QString>

class QAction;
class QLabel;
class QPushButton;
class QWidget;

namespace seedbed::ui {

class Theme;

QLabel* pageTitle(const QString& text, QWidget* parent);

// A button with the icon, text, state and shortcut of an action, which it triggers. Its object name is the
// action's with "-button".
QPushButton* actionButton(QAction* action, QWidget* parent);

// A control behind its label, whose access key it gets.
QWidget* labelled(const QString& text, QWidget* control, QWidget* parent);

// The contents of an empty page: a picture, a text for the page to set, a button for the first step, and a
// link to a page of the user guide ("self-play").
struct EmptyState {
    QWidget* widget;
    QLabel* text;         // object name: `name`-empty
    QPushButton* button;  // object name: `name`-first
};
EmptyState emptyState(const QString& name, QAction* action, const Theme& theme, const char* icon,
                      const char* guide, QWidget* parent);

}  // namespace seedbed::ui
