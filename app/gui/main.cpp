// SPDX-License-Identifier: GPL-3.0-or-later
// seedbed-gui: the window. Training runs in separate processes, never in this one.
#include <algorithm>
#include <cstdio>
#include <string_view>
#include <utility>

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QFontDatabase>

#include "app/commit.hpp"
#include "app/gui/application.hpp"
#include "app/gui/end_signals.hpp"
#include "app/gui/open_file.hpp"
#include "app/gui/single_instance.hpp"
#include "app/gui/translations.hpp"
#include "core/base/os/paths.hpp"
#include "core/base/version.hpp"
#include "core/config/resources.hpp"
#include "ui/models/settings.hpp"
#include "ui/models/text/languages.hpp"

namespace seedbed {
namespace {

struct Options {
    std::optional<std::string> data;
    bool safe_mode = false;
    QString file;  // absolute path, or ""
};

Options parse(const QCoreApplication& app) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QCoreApplication::translate(
        "main", "Graphical interface of Seedbed: train, watch and compare agents."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption data(
        QStringLiteral("data"),
        QCoreApplication::translate("main", "Data folder (default: in the XDG data folder)."),
        QStringLiteral("DIR"));
    const QCommandLineOption safe(
        QStringLiteral("safe-mode"),
        QCoreApplication::translate("main", "Ignore the stored window state and leave it unchanged."));
    parser.addOptions({data, safe});
    parser.addPositionalArgument(
        QStringLiteral("FILE"),
        QCoreApplication::translate("main",
                                    "A recorded game to show ('seedbed play --record'), or exported "
                                    "weights (*.safetensors) to import."),
        QStringLiteral("[FILE]"));
    parser.process(app);
    Options options;
    if (parser.isSet(data)) options.data = parser.value(data).toStdString();
    options.safe_mode = parser.isSet(safe);
    const QStringList files = parser.positionalArguments();
    if (!files.isEmpty()) options.file = QFileInfo(files.first()).absoluteFilePath();
    return options;
}

constexpr int kRestartWindow = 99;  // exit code of the event loop after a change of language

QString chosenLanguage(const UserFolders& folders, bool safe_mode) {
    return ui::Settings(folders, safe_mode).value(QLatin1String(ui::kLanguageKey)).toString();
}

void nameApplication() {
    QCoreApplication::setApplicationName(QStringLiteral("seedbed-gui"));
    QCoreApplication::setApplicationVersion(
        QStringLiteral("%1 (commit %2)").arg(QLatin1String(kVersion), QLatin1String(kCommit)));
}

// Help and version must work without a display.
bool isTextRequest(int argc, char** argv) {
    return std::any_of(argv + 1, argv + argc, [](const std::string_view argument) {
        return argument == "-h" || argument == "--help" || argument == "--help-all" || argument == "-v" ||
               argument == "--version";
    });
}

// Checked because Qt would abort with a long message if there is no display.
bool hasScreen(int argc, char** argv) {
    const bool chosen = std::any_of(argv + 1, argv + argc, [](const std::string_view argument) {
        return argument.ends_with("-platform");
    });
    const auto set = [](const char* variable) { return !qEnvironmentVariableIsEmpty(variable); };
    return chosen || set("QT_QPA_PLATFORM") || set("DISPLAY") || set("WAYLAND_DISPLAY");
}

// An archive contains fonts, because a system without a window system has none.
void loadFontsIfNoneExist() {
    if (!QFontDatabase::families().isEmpty()) return;
    const auto resources = resourcesFolder();
    if (!resources) return;
    const QDir folder(QString::fromStdString((*resources / "fonts").string()));
    for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("*.ttf")}))
        QFontDatabase::addApplicationFont(file.filePath());
}

// Shows a window until the last one is closed; `window` is the current one, or nullptr.
int showWindows(QApplication& app, const UserFolders& folders, const Options& options,
                ui::MainWindow*& window) {
    std::vector<std::unique_ptr<QTranslator>> translators;
    // A change of language replaces the window and keeps its state; runs are not affected.
    QVariantMap page_states;
    QString file = options.file;
    QString language = chosenLanguage(folders, options.safe_mode);
    while (true) {
        translators = installTranslations(language);
        WindowApplication application(
            folders,
            {.safe_mode = options.safe_mode, .measure = true, .program = {}, .page_states = page_states});
        window = &application.window();
        QObject::connect(window, &ui::MainWindow::languageSelected, &app, [&] {
            language = application.services().settings->value(QLatin1String(ui::kLanguageKey)).toString();
            QApplication::exit(kRestartWindow);
        });
        window->show();
        openFile(*window, std::exchange(file, {}));
        const int code = QApplication::exec();
        if (code != kRestartWindow) return code;
        QGuiApplication::setQuitOnLastWindowClosed(false);
        page_states = window->savePages();
        window->close();  // stores its geometry
        QGuiApplication::setQuitOnLastWindowClosed(true);
        window = nullptr;
    }
}

int run(int argc, char** argv) {
    if (isTextRequest(argc, argv)) {
        const QCoreApplication app(argc, argv);
        nameApplication();
        const auto translators = installTranslations();
        parse(app);  // prints the text and exits
    }
    if (!hasScreen(argc, argv)) {
        std::fprintf(
            stderr,
            "seedbed-gui: no display (neither DISPLAY nor WAYLAND_DISPLAY is set); use 'seedbed' in a "
            "terminal instead\n");
        return exitCode(ErrorCode::failure);
    }
    QApplication app(argc, argv);
    nameApplication();
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Seedbed"));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.seedbed.Seedbed"));
    std::vector<std::unique_ptr<QTranslator>> translators = installTranslations();
    const Options options = parse(app);
    loadFontsIfNoneExist();
    Result<UserFolders> folders = userFolders(options.data);
    if (folders)
        if (auto checked = checkDataFolder(folders->data); !checked)
            folders = tl::unexpected<Error>(std::move(checked).error());
    if (!folders) {
        std::fprintf(stderr, "seedbed-gui: %s\n", folders.error().text().c_str());
        return exitCode(folders.error().code);
    }
    SingleInstance instance(*folders);
    if (instance.showOther(options.file)) {
        std::fprintf(stderr,
                     "seedbed-gui: the window of this data folder is already open and is now shown\n");
        return 0;
    }
    ui::MainWindow* window = nullptr;
    instance.listen([&window](const QString& file) {
        if (window == nullptr) return;
        window->setWindowState(window->windowState() & ~Qt::WindowMinimized);
        window->show();
        window->raise();
        window->activateWindow();
        openFile(*window, file);
    });
    // Every window stores its state when it closes.
    const EndSignals end_signals([] {
        QApplication::closeAllWindows();
        QApplication::quit();
    });
    return showWindows(app, *folders, options, window);
}

}  // namespace
}  // namespace seedbed

int main(int argc, char** argv) { return seedbed::run(argc, argv); }
