// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/application.hpp"

#include <QCoreApplication>
#include <QTimer>
#include <QUndoGroup>
#include <QUndoStack>

#include "ui/models/catalogue.hpp"
#include "ui/models/editor.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/league/league_list.hpp"
#include "ui/models/packs/env_pictures.hpp"
#include "ui/models/packs/own_environments.hpp"
#include "ui/models/packs/pack_list.hpp"
#include "ui/models/population/population_list.hpp"
#include "ui/models/run_store.hpp"
#include "ui/models/settings.hpp"
#include "ui/views/shell/run_monitor.hpp"
#include "ui/views/theme.hpp"

namespace seedbed {
namespace {

QString programOf(const WindowOptions& options) {
    return options.program.isEmpty() ? QCoreApplication::applicationDirPath() + QStringLiteral("/seedbed")
                                     : options.program;
}

}  // namespace

// In the order of their dependencies, since each uses earlier ones.
struct WindowApplication::Parts {
    Parts(const UserFolders& folders, const WindowOptions& options)
        : settings(folders, options.safe_mode),
          launcher(programOf(options), QString::fromStdString(folders.data.string())),
          catalogue(launcher),
          packs(launcher),
          own(launcher.dataFolder()),
          pictures(launcher),
          runs(folders.data),
          leagues(launcher, runs),
          populations(launcher, runs),
          // Edits are part of the user's data, so edits made in safe mode are also stored. Unsaved edits of
          // earlier sessions are left for the next normal start.
          editor(runs, undo, folders.state / "unsaved-edits.jsonl",
                 options.safe_mode ? ui::Editor::Earlier::leave : ui::Editor::Earlier::write) {}
    ~Parts() { undo.clear(); }

    ui::Settings settings;
    ui::Theme theme;
    ui::Launcher launcher;
    ui::Catalogue catalogue;
    ui::PackList packs;
    ui::OwnEnvironments own;
    ui::EnvPictures pictures;
    ui::RunStore runs;
    ui::LeagueList leagues;
    ui::PopulationList populations;
    QUndoGroup undo_group;
    QUndoStack undo{&undo_group};
    ui::Editor editor;
    std::unique_ptr<ui::Desktop> desktop;
    QTimer page_timer;
};

WindowApplication::WindowApplication(const UserFolders& folders, const WindowOptions& options,
                                     std::unique_ptr<ui::Desktop> desktop)
    : parts_(std::make_unique<Parts>(folders, options)) {
    parts_->desktop = desktop ? std::move(desktop) : std::make_unique<ui::Desktop>();
    parts_->theme.setMode(
        static_cast<ui::Theme::Mode>(parts_->settings.value(QStringLiteral("window/theme"), 0).toInt()));
    const QStringList problems{parts_->catalogue.load(), parts_->own.load()};
    if (parts_->packs.mayHaveInstalled()) parts_->packs.refresh();
    services_.runs = &parts_->runs;
    services_.editor = &parts_->editor;
    services_.launcher = &parts_->launcher;
    services_.catalogue = &parts_->catalogue;
    services_.packs = &parts_->packs;
    services_.leagues = &parts_->leagues;
    services_.populations = &parts_->populations;
    services_.own = &parts_->own;
    services_.pictures = &parts_->pictures;
    services_.settings = &parts_->settings;
    services_.theme = &parts_->theme;
    services_.undo = &parts_->undo;
    services_.undo_group = &parts_->undo_group;
    parts_->undo_group.setActiveStack(services_.undo);
    QObject::connect(&parts_->launcher, &ui::Launcher::ended, &parts_->runs, &ui::RunStore::refresh);
    QObject::connect(&parts_->runs, &ui::RunStore::runsChanged, &parts_->catalogue,
                     [this] { parts_->catalogue.setTraining(parts_->runs.isTraining()); });
    window_ = std::make_unique<ui::MainWindow>(services_);
    services_.navigator = window_.get();
    new ui::RunMonitor(*window_, services_, *parts_->desktop);
    for (const QString& problem : problems)
        if (!problem.isEmpty()) window_->showProblem(problem);
    QObject::connect(&parts_->editor, &ui::Editor::failed, window_.get(), &ui::MainWindow::showProblem);

    // Creates the other pages one at a time while the window is idle, so that they open without delay and
    // their actions are available.
    QObject::connect(&parts_->page_timer, &QTimer::timeout, window_.get(), [this] {
        if (!window_->createNextPage()) parts_->page_timer.stop();
    });
    QTimer::singleShot(1500, window_.get(), [this] { parts_->page_timer.start(200); });
    if (options.measure && !options.safe_mode)
        QTimer::singleShot(4000, &parts_->catalogue, &ui::Catalogue::measure);
    window_->restorePages(options.page_states);
    window_->openPage(
        parts_->settings.state(QStringLiteral("window/page"), QStringLiteral("start")).toString());
    if (window_->currentPage().isEmpty()) window_->openPage(QStringLiteral("start"));
}

WindowApplication::~WindowApplication() { window_.reset(); }

}  // namespace seedbed
