// SPDX-License-Identifier: GPL-3.0-or-later
// seedbed-gui: the window. Makes the services and passes them on; trains nothing and steps no environment.
#include <cstdio>

#include <QApplication>
#include <QCommandLineParser>
#include <QTimer>
#include <QUndoStack>

#include "core/base/paths.hpp"
#include "core/base/version.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/models/editor.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/run_store.hpp"
#include "ui/models/settings.hpp"
#include "ui/views/shell/main_window.hpp"
#include "ui/views/theme.hpp"

namespace seedbed {
namespace {

struct Options {
    std::optional<std::string> data;
    bool safe_mode = false;
};

Options parse(const QApplication& app) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QCoreApplication::translate("main", "The window of Seedbed: train, watch and compare agents."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption data(QStringLiteral("data"),
                                  QCoreApplication::translate("main", "Data folder, instead of the one in the XDG data folder."),
                                  QStringLiteral("DIR"));
    const QCommandLineOption safe(QStringLiteral("safe-mode"),
                                  QCoreApplication::translate("main", "Ignore and keep unchanged what the window remembers."));
    parser.addOptions({data, safe});
    parser.process(app);
    Options options;
    if (parser.isSet(data)) options.data = parser.value(data).toStdString();
    options.safe_mode = parser.isSet(safe);
    return options;
}

int run(int argc, char** argv) {
    QApplication app(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("seedbed-gui"));
    QCoreApplication::setApplicationVersion(QLatin1String(kVersion));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Seedbed"));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.seedbed.Seedbed"));
    const Options options = parse(app);
    const Result<UserFolders> folders = userFolders(options.data);
    if (!folders) {
        std::fprintf(stderr, "seedbed-gui: %s\n", folders.error().text().c_str());
        return exitCode(folders.error().code);
    }

    ui::Settings settings(*folders, options.safe_mode);
    ui::Theme theme;
    theme.setMode(static_cast<ui::Theme::Mode>(settings.value(QStringLiteral("window/theme"), 0).toInt()));
    ui::Launcher launcher(QCoreApplication::applicationDirPath() + QStringLiteral("/seedbed"),
                          QString::fromStdString(folders->data.string()));
    ui::Catalogue catalogue(launcher);
    const QString catalogue_problem = catalogue.load();
    QUndoStack undo;
    ui::RunStore runs(folders->data);
    ui::Editor editor(runs, undo);
    ui::Services services;
    services.runs = &runs;
    services.editor = &editor;
    services.catalogue = &catalogue;
    services.launcher = &launcher;
    services.settings = &settings;
    services.theme = &theme;
    services.undo = &undo;
    ui::MainWindow window(services);
    window.showStart();
    window.show();
    if (!catalogue_problem.isEmpty()) window.complain(catalogue_problem);
    QTimer::singleShot(3000, &catalogue, &ui::Catalogue::measure);  // when the window is up and nothing was clicked at once
    return QApplication::exec();
}

}  // namespace
}  // namespace seedbed

int main(int argc, char** argv) { return seedbed::run(argc, argv); }
