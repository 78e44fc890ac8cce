// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/page.hpp"

#include <algorithm>

#include <QAction>

namespace seedbed::ui {

QAction* Page::addNamedAction(const QString& id, const QString& text, const QString& shortcut,
                              std::function<void()> triggered) {
    auto* action = new QAction(text, this);
    action->setObjectName(id);
    if (!shortcut.isEmpty()) action->setShortcut(QKeySequence(shortcut));
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, [triggered = std::move(triggered)] { triggered(); });
    addAction(action);
    return action;
}

QList<PageEntry>& pageRegistry() {
    static QList<PageEntry> pages;
    return pages;
}

bool registerPage(const char* id, PageEntry entry) {
    entry.id = QLatin1String(id);
    QList<PageEntry>& pages = pageRegistry();
    const auto place =
        std::upper_bound(pages.begin(), pages.end(), entry,
                         [](const PageEntry& a, const PageEntry& b) { return a.order < b.order; });
    pages.insert(place, std::move(entry));
    return true;
}

}  // namespace seedbed::ui
