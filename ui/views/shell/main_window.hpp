// SPDX-License-Identifier: GPL-3.0-or-later
// The main window: a list of pages at the side, the page, bars for messages, menus. Closing it stops nothing.
#pragma once

#include <map>

#include <QAction>
#include <QMainWindow>
#include <QPointer>
#include <QVariantMap>

#include "ui/views/page.hpp"
#include "ui/views/shell/bar_stack.hpp"

class QListWidget;
class QMenu;
class QStackedWidget;

namespace seedbed::ui {

class MainWindow : public QMainWindow, public Navigator {
    Q_OBJECT

public:
    // services.navigator is set to this window in the copy that pages get. The services must outlive it.
    explicit MainWindow(Services services, QWidget* parent = nullptr);
    ~MainWindow() override;

    // Makes the page when it was not made yet. Unknown ids do nothing.
    void showPage(const QString& id, const PageRequest& request = {});
    // nullptr when there is no such page.
    Page* page(const QString& id);
    QString currentPage() const;
    // What its pages show, for a window in another language that takes the place of this one. takeOver()
    // comes before pages are shown.
    QVariantMap handOver() const;
    void takeOver(const QVariantMap& pages) { handed_over_ = pages; }

    void showStart() override;
    void showRun(RunId run) override;
    void watch(RunId run, std::optional<std::int64_t> checkpoint_step) override;
    void compare(const std::vector<RunId>& runs) override;
    void showExport(RunId run, std::optional<std::int64_t> checkpoint_step) override;
    void startFrom(const NewRunRequest& request) override;
    // Opens the form with this setting in its search line.
    void findSetting(const QString& key);
    void showPalette();
    void showShortcuts();
    void showUserGuide();
    void showAbout();
    // Makes pages that were not shown yet, one per call; false when all are made.
    bool makeNextPage();
    void say(const QString& text) override;
    void complain(const QString& text) override;
    // A bar of its own, also when there is one with the same text.
    MessageBar* addBar(MessageBar::Kind kind, const QString& text);

Q_SIGNALS:
    // The user chose another language, which is remembered; texts are made anew when the window is.
    void languageChosen();

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void makeSideList();
    void makeMenus();
    void restoreLayout();
    void makeHelpMenu();
    void addLanguages(QMenu* menu);
    void showOwnWindow(const PageEntry& entry, const PageRequest& request);
    // Menus first, then those of each page.
    struct NamedAction {
        QString place;
        QPointer<QAction> action;
        QString page;
    };
    QList<NamedAction> namedActions();
    void addSettingsTo(class CommandPalette* palette);

    Services services_;
    QListWidget* side_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    BarStack* bars_ = nullptr;
    std::map<QString, QPointer<Page>> pages_;
    QVariantMap handed_over_;                      // by page; each is given to its page when that is made
    QList<std::pair<QString, QString>> settings_;  // key, sentence; empty until the palette was opened
};

}  // namespace seedbed::ui
