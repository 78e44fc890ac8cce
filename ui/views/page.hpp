// SPDX-License-Identifier: GPL-3.0-or-later
// A page of the main window. A new page is one file: a class and a last line that registers it.
//
//   class ComparePage : public Page { ... };
//   SEEDBED_REGISTER_PAGE(compare, {.order = 30, .title = QT_TRANSLATE_NOOP("Page", "&Compare"), .icon =
//   "compare",
//                                   .make = [](const Services& s) -> Page* { return new ComparePage(s); }});
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <QList>
#include <QString>
#include <QVariantMap>
#include <QWidget>

#include "ui/models/run_id.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/services.hpp"

class QAction;

namespace seedbed::ui {

// What a page is asked to show. Empty: what it showed last, or its beginning.
struct PageRequest {
    std::vector<RunId> runs{};
    std::optional<std::int64_t> checkpoint_step{};
    std::optional<NewRunRequest> new_run{};
    QString search{};  // a setting to be found in the form
};

class Page : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;
    // Called before it becomes visible, and again whenever somebody leads here. Must return within 50 ms.
    virtual void open(const PageRequest& request) = 0;
    // What it shows and what was chosen and typed in it, for the same page of a window that takes this one's
    // place. Numbers, texts, lists.
    virtual QVariantMap handOver() const { return {}; }
    // Before the first open().
    virtual void takeOver(const QVariantMap&) {}
    // Everything that can be done here, for palette and shortcut overlay: QWidget::actions(). Make them with
    // addNamedAction().

protected:
    // An action of this page: in the palette, with a shortcut that works while the page is visible ("" for
    // none). `text` is translated and names the action without its context ("Stop run").
    QAction* addNamedAction(const QString& id, const QString& text, const QString& shortcut,
                            std::function<void()> triggered);
};

// One line of the side list; pages are made when first needed. Ids that the Navigator knows: start, run,
// watch, compare, queue, export.
struct PageEntry {
    QString id{};
    int order = 0;            // place in the side list
    const char* title = "";   // QT_TRANSLATE_NOOP("Page", ...), with & before its access key
    const char* icon = "";    // name of an SVG of icons/, see Theme::icon()
    bool own_window = false;  // a dialog of its own instead of a page (export)
    std::function<Page*(const Services&)> make{};
};

// In order. Filled before main, read-only afterwards.
QList<PageEntry>& pageRegistry();
bool registerPage(const char* id, PageEntry entry);

}  // namespace seedbed::ui

#define SEEDBED_REGISTER_PAGE(name, ...)                     \
    [[maybe_unused]] static const bool seedbed_page_##name = \
        ::seedbed::ui::registerPage(#name, ::seedbed::ui::PageEntry __VA_ARGS__)
