// SPDX-License-Identifier: GPL-3.0-or-later
// A page of the main window. A new page is one file: a class and a last line that registers it.
//
//   SEEDBED_REGISTER_PAGE(compare, {.order = 30, .title = QT_TRANSLATE_NOOP("Page", "&Compare"),
//                                   .icon = "compare",
//                                   .make = [](const Services& s) -> Page* { return new ComparePage(s); }});
//
// A page that others link to also has a header with its link struct (see Navigator::open).
#pragma once

#include <any>
#include <functional>

#include <QList>
#include <QString>
#include <QVariantMap>
#include <QWidget>

#include "ui/views/navigator.hpp"
#include "ui/views/services.hpp"

class QAction;

namespace seedbed::ui {

class Page : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    // Called before the page becomes visible, and again for each later link to it. Must return within 50 ms.
    // `link`: this page's link struct; empty to show the previous contents.
    virtual void open(const std::any& link) = 0;
    // The contents of the page and the user's selections and input, for restoreState() of the same page in a
    // new window (after a change of language). Values: numbers, strings, lists.
    virtual QVariantMap saveState() const { return {}; }
    // Called before the first open().
    virtual void restoreState(const QVariantMap&) {}
    // QWidget::actions() lists all actions of the page for the command palette and the list of shortcuts; see
    // addNamedAction().

protected:
    // Adds an action of this page: it appears in the command palette, and its shortcut ("" for none) works
    // while the page is visible. `text`: translated; must name the action without context ("Stop run").
    QAction* addNamedAction(const QString& id, const QString& text, const QString& shortcut,
                            std::function<void()> triggered);
};

// One entry of the sidebar. Pages are created when first shown.
struct PageEntry {
    QString id{};
    int order = 0;              // position in the sidebar
    const char* title = "";     // QT_TRANSLATE_NOOP("Page", ...), with & before its access key
    const char* icon = "";      // name of an SVG file in icons/; see Theme::icon()
    bool own_window = false;    // shown as a dialog instead of a page (export)
    bool follows_runs = false;  // shows curves of running runs
    std::function<Page*(const Services&)> make{};
};

// Sorted by `order`. Filled before main() starts, read-only afterwards.
QList<PageEntry>& pageRegistry();
bool registerPage(const char* id, PageEntry entry);

}  // namespace seedbed::ui

#define SEEDBED_REGISTER_PAGE(name, ...)                     \
    [[maybe_unused]] static const bool seedbed_page_##name = \
        ::seedbed::ui::registerPage(#name, ::seedbed::ui::PageEntry __VA_ARGS__)
