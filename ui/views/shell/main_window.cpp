// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shell/main_window.hpp"

#include <algorithm>

#include <QActionGroup>
#include <QCloseEvent>
#include <QCoreApplication>
#include <QDialog>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonObject>
#include <QMenuBar>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QUndoGroup>
#include <QUndoStack>
#include <QVBoxLayout>

#include "ui/models/launcher.hpp"
#include "ui/models/queue/queue_model.hpp"
#include "ui/models/run_store.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/settings.hpp"
#include "ui/models/text/core_text.hpp"
#include "ui/models/text/languages.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/page_stack.hpp"
#include "ui/views/shell/command_palette.hpp"
#include "ui/views/shell/help_dialogs.hpp"
#include "ui/views/shell/return_key_filter.hpp"
#include "ui/views/shell/side_bar.hpp"
#include "ui/views/shell/toast.hpp"
#include "ui/views/shell/top_bar.hpp"
#include "ui/views/shell/user_guide.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kCompactBelow = 960;  // pixels of width
constexpr int kCalmMs = 500;        // poll interval of the database on pages without curves
constexpr const char* kPaletteKeys = "Ctrl+K";

QString titleOf(const PageEntry& entry) { return QCoreApplication::translate("Page", entry.title); }
QString plain(QString title) { return title.remove(QLatin1Char('&')); }

}  // namespace

MainWindow::MainWindow(Services services, QWidget* parent) : QMainWindow(parent), services_(services) {
    services_.navigator = this;
    new ReturnKeyFilter(this);
    setWindowTitle(QStringLiteral("Seedbed"));
    setWindowIcon(services_.theme->icon(QStringLiteral("app")));
    auto* centre = new QWidget(this);
    auto* columns = new QHBoxLayout(centre);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    side_ = new SideBar(*services_.theme, centre);
    columns->addWidget(side_);
    auto* right = new QVBoxLayout;
    right->setContentsMargins(kGrid, kGrid, kGrid, kGrid);
    right->setSpacing(0);
    bars_ = new BarStack(*services_.theme, centre);
    right->addWidget(bars_);
    stack_ = new PageStack(centre);
    right->addWidget(stack_, 1);
    columns->addLayout(right, 1);
    setCentralWidget(centre);
    makeSideBar();
    makeMenus();
    // The status bar keeps the time of its messages; the toast shows them.
    statusBar()->hide();
    toast_ = new Toast(stack_);
    connect(statusBar(), &QStatusBar::messageChanged, toast_, &Toast::showText);
    connect(stack_, &QStackedWidget::currentChanged, toast_, &Toast::followPage);
    // Also where another stack is active, and where a text field takes the keys of Undo.
    connect(toast_, &Toast::undoRequested, this, [this] { services_.undo->undo(); });
    restoreLayout();
}

MainWindow::~MainWindow() = default;

void MainWindow::makeSideBar() {
    for (const PageEntry& entry : pageRegistry())
        if (!entry.own_window) side_->addPage(entry.id, plain(titleOf(entry)), entry.icon);
    connect(side_, &SideBar::pageSelected, this, [this](const QString& id) {
        if (id != currentPage()) openPage(id);
    });
    connect(side_, &SideBar::trainingSelected, this, [this](qlonglong run) {
        if (run > 0) open(DashboardLink{run});
        else openPage(QStringLiteral("queue"));
    });
}

void MainWindow::makeMenus() {
    menuBar()->setNativeMenuBar(false);  // it also has the search field and the bell
    QMenu* window = menuBar()->addMenu(tr("&Window"));
    int number = 0;
    for (const PageEntry& entry : pageRegistry()) {
        if (entry.own_window) continue;
        QAction* action = window->addAction(services_.theme->icon(QLatin1String(entry.icon)), titleOf(entry));
        action->setShortcut(QKeySequence(QStringLiteral("Ctrl+%1").arg(++number)));
        connect(action, &QAction::triggered, this, [this, id = entry.id] { openPage(id); });
    }
    window->addSeparator();
    QAction* quit = window->addAction(tr("&Close window (runs continue)"));
    quit->setShortcut(QKeySequence::Quit);
    connect(quit, &QAction::triggered, this, &QWidget::close);

    if (services_.undo_group != nullptr) {
        QMenu* edit = menuBar()->addMenu(tr("&Edit"));
        // A message about an edit is outdated after the next edit or an undo.
        connect(services_.undo, &QUndoStack::indexChanged, this, [this] { statusBar()->clearMessage(); });
        QAction* undo = services_.undo_group->createUndoAction(this, tr("&Undo"));
        undo->setShortcut(QKeySequence::Undo);
        undo->setIcon(services_.theme->icon(QStringLiteral("undo")));
        QAction* redo = services_.undo_group->createRedoAction(this, tr("&Redo"));
        redo->setShortcut(QKeySequence::Redo);
        redo->setIcon(services_.theme->icon(QStringLiteral("redo")));
        edit->addActions({undo, redo});
    }

    QMenu* view = menuBar()->addMenu(tr("&View"));
    addThemes(view);
    view->addSeparator();
    addLanguages(view);
    makeHelpMenu();
    makeTopBar();
}

void MainWindow::makeTopBar() {
    auto* corner = new QWidget(menuBar());
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 5, 12, 6);
    const QString keys = QKeySequence(QLatin1String(kPaletteKeys)).toString(QKeySequence::NativeText);
    auto* search = new SearchButton(*services_.theme, keys, corner);
    connect(search, &QPushButton::clicked, this, &MainWindow::showPalette);
    row->addWidget(search);
    bell_ = new Bell(*services_.theme, corner);
    connect(bell_, &Bell::runSelected, this, [this](qlonglong run) { open(DashboardLink{run}); });
    row->addWidget(bell_);
    menuBar()->setCornerWidget(corner);
}

void MainWindow::addThemes(QMenu* menu) {
    auto* modes = new QActionGroup(this);
    const auto addMode = [&](const QString& text, Theme::Mode mode) {
        QAction* action = menu->addAction(text);
        action->setCheckable(true);
        action->setChecked(services_.theme->mode() == mode);
        modes->addAction(action);
        connect(action, &QAction::triggered, this, [this, mode] {
            services_.theme->setMode(mode);
            services_.settings->setValue(QStringLiteral("window/theme"), static_cast<int>(mode));
        });
    };
    addMode(tr("&System theme"), Theme::Mode::system);
    addMode(tr("&Light theme"), Theme::Mode::light);
    addMode(tr("&Dark theme"), Theme::Mode::dark);
    addMode(tr("&High contrast"), Theme::Mode::high_contrast);
}

void MainWindow::addLanguages(QMenu* menu) {
    auto* languages = new QActionGroup(this);
    const QString now = services_.settings->value(QLatin1String(kLanguageKey)).toString();
    const auto add = [&](const QString& text, const QString& code) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QStringLiteral("language-") + code);
        action->setCheckable(true);
        action->setChecked(code == now);
        languages->addAction(action);
        connect(action, &QAction::triggered, this, [this, code] {
            if (services_.settings->value(QLatin1String(kLanguageKey)).toString() == code) return;
            services_.settings->setValue(QLatin1String(kLanguageKey), code);
            services_.settings->sync();
            Q_EMIT languageSelected();
        });
    };
    add(tr("System langua&ge"), QString());
    for (const QString& code : installedLanguages()) add(languageName(code), code);
}

void MainWindow::makeHelpMenu() {
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    const auto add = [&](const QString& text, const QKeySequence& keys, void (MainWindow::*opened)()) {
        QAction* action = help->addAction(text);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, opened);
    };
    add(tr("&User guide"), {}, &MainWindow::showUserGuide);
    add(tr("&Command palette…"), QKeySequence(QLatin1String(kPaletteKeys)), &MainWindow::showPalette);
    add(tr("&Keyboard shortcuts"), QKeySequence(QStringLiteral("F1")), &MainWindow::showShortcuts);
    add(tr("&About Seedbed"), {}, &MainWindow::showAbout);
}

QList<MainWindow::NamedAction> MainWindow::namedActions() {
    QList<NamedAction> found;
    for (QAction* menu : menuBar()->actions())
        for (QAction* action : menu->menu()->actions())
            if (!action->isSeparator()) found += {plain(menu->text()), action, {}};
    for (const PageEntry& entry : pageRegistry()) {
        if (entry.own_window) continue;
        for (QAction* action : page(entry.id)->actions()) found += {plain(titleOf(entry)), action, entry.id};
    }
    return found;
}

bool MainWindow::createNextPage() {
    for (const PageEntry& entry : pageRegistry()) {
        if (entry.own_window || pages_.contains(entry.id)) continue;
        page(entry.id);
        return true;
    }
    return false;
}

void MainWindow::showPalette() {
    std::vector<PaletteEntry> entries;
    for (const NamedAction& named : namedActions()) {
        if (!named.action->isEnabled() && named.page.isEmpty()) continue;
        entries.push_back({.kind = named.place,
                           .text = plain(named.action->text()),
                           .shortcut = named.action->shortcut().toString(QKeySequence::NativeText),
                           .chosen = [this, named] {
                               if (!named.page.isEmpty() && currentPage() != named.page) openPage(named.page);
                               if (named.action) named.action->trigger();
                           }});
    }
    if (services_.runs != nullptr) {
        const auto& runs = *services_.runs->runs();
        for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
            if (run->in_trash) continue;
            entries.push_back(
                {.kind = tr("Run"),
                 .text = QStringLiteral("%1 · %2 · %3")
                             .arg(runEntry(*run), algoTitle(run->algo), statusText(run->status)),
                 .shortcut = {},
                 .words = tr("run %1").arg(run->id) + QLatin1Char(' ') + QString::fromStdString(run->env) +
                          QLatin1Char(' ') + QString::fromStdString(run->algo),
                 .chosen = [this, id = run->id] { open(DashboardLink{id}); }});
        }
    }
    auto* palette = new CommandPalette(std::move(entries), this);
    palette->open();
    addSettingsTo(palette);
}

// Loads the names of settings from the program once and adds them to the open palette.
void MainWindow::addSettingsTo(CommandPalette* palette) {
    const auto add = [this](CommandPalette* into) {
        std::vector<PaletteEntry> entries;
        for (const auto& [key, help] : settings_)
            entries.push_back({.kind = tr("Setting"),
                               .text = key + QStringLiteral(" · ") + help,
                               .shortcut = {},
                               .chosen = [this, key = key] { open(StartLink{.search = key}); }});
        into->add(std::move(entries));
    };
    if (!settings_.isEmpty()) return add(palette);
    if (services_.launcher == nullptr) return;
    services_.launcher->ask(
        {QStringLiteral("config"), QStringLiteral("cartpole"), QStringLiteral("--fields")}, palette,
        [this, palette, add](const CommandReply& reply) {
            if (!settings_.isEmpty()) return;
            for (const QJsonValue& field : reply.json.object()[QStringLiteral("fields")].toArray())
                settings_ += {field.toObject()[QStringLiteral("key")].toString(),
                              coreText(field.toObject()[QStringLiteral("help")].toString())};
            add(palette);
        });
}

void MainWindow::showShortcuts() {
    QList<Shortcut> shortcuts;
    for (const NamedAction& named : namedActions())
        if (!named.action->shortcut().isEmpty())
            shortcuts += {named.place, plain(named.action->text()),
                          named.action->shortcut().toString(QKeySequence::NativeText)};
    makeShortcutsOverlay(shortcuts + widgetKeys(), this)->open();
}

void MainWindow::showUserGuide() { makeUserGuide(guideFolder(), this)->show(); }

void MainWindow::showAbout() { makeAboutDialog(this)->open(); }

void MainWindow::restoreLayout() {
    if (!restoreGeometry(services_.settings->state(QStringLiteral("window/geometry")).toByteArray()))
        resize(QSize(1200, 780).boundedTo(screen()->availableGeometry().size()));
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    side_->setCompact(width() < kCompactBelow);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    services_.settings->setState(QStringLiteral("window/geometry"), saveGeometry());
    services_.settings->setState(QStringLiteral("window/page"), currentPage());
    services_.settings->sync();
    QMainWindow::closeEvent(event);
}

Page* MainWindow::page(const QString& id) {
    if (const auto made = pages_.find(id); made != pages_.end() && made->second) return made->second;
    for (const PageEntry& entry : pageRegistry()) {
        if (entry.id != id || entry.own_window) continue;
        Page* page = entry.make(services_);
        page->setObjectName(entry.id + QStringLiteral("-page"));
        page->setAccessibleName(plain(titleOf(entry)));
        stack_->addWidget(page);
        pages_[id] = page;
        if (const QVariantMap state = page_states_.take(id).toMap(); !state.isEmpty())
            page->restoreState(state);
        return page;
    }
    return nullptr;
}

void MainWindow::openPage(const QString& id, const std::any& link) {
    for (const PageEntry& entry : pageRegistry())
        if (entry.id == id && entry.own_window) return showOwnWindow(entry, link);
    Page* shown = page(id);
    if (shown == nullptr) return;
    const auto entry = std::ranges::find(pageRegistry(), id, &PageEntry::id);
    services_.runs->setPollInterval(entry->follows_runs ? RunStore::kLiveMs : kCalmMs);
    shown->open(link);
    stack_->setCurrentWidget(shown);
    side_->select(id);
}

void MainWindow::showOwnWindow(const PageEntry& entry, const std::any& link) {
    auto* dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(plain(titleOf(entry)));
    auto* layout = new QVBoxLayout(dialog);
    Page* page = entry.make(services_);
    page->setObjectName(entry.id + QStringLiteral("-page"));
    page->setAccessibleName(plain(titleOf(entry)));
    layout->addWidget(page);
    page->open(link);
    dialog->show();
}

QVariantMap MainWindow::savePages() const {
    QVariantMap all = page_states_;
    for (const auto& [id, page] : pages_)
        if (page) all[id] = page->saveState();
    return all;
}

QString MainWindow::currentPage() const {
    for (const auto& [id, page] : pages_)
        if (page && page == stack_->currentWidget()) return id;
    return {};
}

void MainWindow::showStatus(const QString& text) { statusBar()->showMessage(text, 8000); }

void MainWindow::showUndo(const QString& text) {
    statusBar()->clearMessage();  // an equal text would not be shown again
    statusBar()->showMessage(text, 15000);
    toast_->offerUndo();
}

void MainWindow::showProblem(const QString& text) { bars_->addProblem(text); }
MessageBar* MainWindow::addBar(MessageBar::Kind kind, const QString& text) { return bars_->add(kind, text); }

}  // namespace seedbed::ui
