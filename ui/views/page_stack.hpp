// SPDX-License-Identifier: GPL-3.0-or-later
// Stacks and tabs that get their height from the window. Those of Qt ask all their pages, hidden ones as
// well, for the height of their wrapped texts whenever one of these changes.
#pragma once

#include <QStackedWidget>
#include <QTabWidget>

namespace seedbed::ui {

class PageStack : public QStackedWidget {
public:
    using QStackedWidget::QStackedWidget;
    bool hasHeightForWidth() const override { return false; }
};

class PageTabs : public QTabWidget {
public:
    using QTabWidget::QTabWidget;
    bool hasHeightForWidth() const override { return false; }
};

}  // namespace seedbed::ui
