// SPDX-License-Identifier: GPL-3.0-or-later
// seedbed-gui: the window. Makes the services and passes them on; trains nothing and steps no environment.
#include <cstdio>

#include <QApplication>
#include <QCommandLineParser>

#include "app/gui/application.hpp"
#include "app/gui/single_instance.hpp"
#include "app/gui/translations.hpp"
#include "core/base/paths.hpp"
#include "core/base/version.hpp"

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
    const std::vector<std::unique_ptr<QTranslator>> translators = installTranslations();
    const Options options = parse(app);
    const Result<UserFolders> folders = userFolders(options.data);
    if (!folders) {
        std::fprintf(stderr, "seedbed-gui: %s\n", folders.error().text().c_str());
        return exitCode(folders.error().code);
    }
    SingleInstance instance(*folders);
    if (instance.showOther()) {
        std::fprintf(stderr, "seedbed-gui: the window of this data folder is open already and was shown\n");
        return 0;
    }
    WindowApplication application(*folders, {.safe_mode = options.safe_mode, .measure = true, .program = {}});
    ui::MainWindow& window = application.window();
    instance.listen([&window] {
        window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
        window.show();
        window.raise();
        window.activateWindow();
    });
    window.show();
    return QApplication::exec();
}

}  // namespace
}  // namespace seedbed

int main(int argc, char** argv) { return seedbed::run(argc, argv); }
