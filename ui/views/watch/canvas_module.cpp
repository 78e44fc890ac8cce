// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/watch/canvas_module.hpp"

#include <dlfcn.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QGuiApplication>

#include "core/base/version.hpp"
#include "ui/views/watch/paint_canvas.hpp"

namespace seedbed::ui {
namespace {

// Graphics drivers of Linux; without such a file, loading Vulkan would only find software devices.
bool hasGraphicsCard() {
    return !QDir(QStringLiteral("/dev/dri"))
                .entryList({QStringLiteral("renderD*")}, QDir::System)
                .isEmpty() ||
           QFile::exists(QStringLiteral("/dev/nvidiactl")) || QFile::exists(QStringLiteral("/dev/dxg"));
}

// Null with a reason if the module cannot be loaded. It is never closed, because drivers start threads.
CanvasEntry loadModule(QString& reason) {
    const QDir folder(QCoreApplication::applicationDirPath());
    for (const QString& path : {folder.filePath(QStringLiteral("seedbed_live.so")),
                                folder.filePath(QStringLiteral("../lib/seedbed/seedbed_live.so"))}) {
        if (!QFile::exists(path)) continue;
        void* library = dlopen(QFile::encodeName(path).constData(), RTLD_NOW | RTLD_LOCAL);
        if (library != nullptr) return reinterpret_cast<CanvasEntry>(dlsym(library, kCanvasEntry));
        reason = QString::fromUtf8(dlerror());
    }
    return nullptr;
}

}  // namespace

std::unique_ptr<Canvas> makeCanvas(QWidget* parent, CanvasReports reports) {
    const QByteArray choice = qgetenv("SEEDBED_CANVAS");
    const bool wanted = choice == "vulkan";
    CanvasRequest request{kVersion, parent, wanted, std::move(reports), {}};
    // Other platforms cannot embed a native window, or have no Vulkan (offscreen).
    if (QGuiApplication::platformName() == QLatin1String("xcb") && choice != "painter" &&
        (wanted || hasGraphicsCard())) {
        request.reason = QStringLiteral("this build has no module seedbed_live.so");
        const CanvasEntry make = loadModule(request.reason);
        if (Canvas* canvas = make != nullptr ? make(request) : nullptr)
            return std::unique_ptr<Canvas>(canvas);
    }
    if (wanted) qWarning("The canvas uses no Vulkan: %s", qPrintable(request.reason));
    return std::make_unique<PaintCanvas>(parent);
}

}  // namespace seedbed::ui
