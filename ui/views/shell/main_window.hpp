// SPDX-License-Identifier: GPL-3.0-or-later
// The main window: sidebar of pages, current page, message bars, menus. Closing it does not stop runs.
#pragma once

#include <map>

#include <QAction>
#include <QMainWindow>
#include <QPointer>
#include <QVariantMap>

#include "ui/views/page.hpp"
#include "ui/views/shell/bar_stack.hpp"
#include "ui/views/start/start_link.hpp"

class QMenu;
class QStackedWidget;

namespace seedbed::ui {

class Bell;
class SideBar;
class Toast;

class MainWindow : public QMainWindow, public Navigator {
    Q_OBJECT

public:
    // Pages get a copy of `services` with this window as navigator. The services must outlive the window.
    explicit MainWindow(Services services, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openPage(const QString& id, const std::any& link = {}) override;
    // The page, created if needed; nullptr if no page has this id.
    Page* page(const QString& id);
    QString currentPage() const;
    // The state of all pages by id, for the window that replaces this one after a change of language.
    QVariantMap savePages() const;
    // Call before pages are shown.
    void restorePages(const QVariantMap& states) { page_states_ = states; }

    void showPalette();
    void showShortcuts();
    void showUserGuide();
    void showAbout();
    // Creates one page that has not been shown yet; false if all exist.
    bool createNextPage();
    void showStatus(const QString& text) override;
    void showUndo(const QString& text) override;
    void showProblem(const QString& text) override;
    Bell& bell() { return *bell_; }
    SideBar& sideBar() { return *side_; }
    // Adds a bar, even if another bar has the same text.
    MessageBar* addBar(MessageBar::Kind kind, const QString& text);

Q_SIGNALS:
    // The user selected another language. It is saved; labels change when the window is recreated.
    void languageSelected();

protected:
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeSideBar();
    void makeMenus();
    void restoreLayout();
    void makeHelpMenu();
    void makeTopBar();
    void addThemes(QMenu* menu);
    void addLanguages(QMenu* menu);
    void showOwnWindow(const PageEntry& entry, const std::any& link);
    // Actions of the menus, then of each page.
    struct NamedAction {
        QString place;
        QPointer<QAction> action;
        QString page;
    };
    QList<NamedAction> namedActions();
    void addSettingsTo(class CommandPalette* palette);

    Services services_;
    Bell* bell_ = nullptr;
    SideBar* side_ = nullptr;
    Toast* toast_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    BarStack* bars_ = nullptr;
    std::map<QString, QPointer<Page>> pages_;
    QVariantMap page_states_;                      // by page id; applied when the page is created
    QList<std::pair<QString, QString>> settings_;  // key and help; empty until the palette is first opened
};

}  // namespace seedbed::ui
