// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/open_file.hpp"

#include <QFile>
#include <QFileInfo>

#include "ui/views/library/library_link.hpp"
#include "ui/views/shell/main_window.hpp"
#include "ui/views/watch/watch_link.hpp"
#include "ui/views/watch/watch_page.hpp"

namespace seedbed {
namespace {

// As in packaging/desktop/org.seedbed.Seedbed.mime.xml: the header follows its length.
constexpr qint64 kHeaderOffset = 8;
constexpr auto kWeightsHeader = R"({"__metadata__":{"format":"seedbed-policy")";

bool isWeights(const QString& path) {
    const QFileInfo info(path);
    if (info.isDir() || path.endsWith(QLatin1String(".safetensors"))) return true;
    QFile file(path);
    return info.isFile() && file.open(QIODevice::ReadOnly) && file.seek(kHeaderOffset) &&
           file.read(static_cast<qint64>(qstrlen(kWeightsHeader))) == kWeightsHeader;
}

}  // namespace

void openFile(ui::MainWindow& window, const QString& file) {
    if (file.isEmpty()) return;
    if (isWeights(file)) return window.open(ui::LibraryLink{.file = file});
    // Opened before the page is shown, so that no other player starts.
    if (auto* page = dynamic_cast<ui::WatchPage*>(window.page(QLatin1String(ui::WatchLink::kPage))))
        page->openFile(file);
    window.openPage(QLatin1String(ui::WatchLink::kPage));
}

}  // namespace seedbed
