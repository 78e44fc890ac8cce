// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/packs/env_pictures.hpp"

#include <algorithm>

#include <QDateTime>
#include <QFileInfo>

#include "ui/models/launcher.hpp"

namespace seedbed::ui {
namespace {

constexpr auto kPixels = "230", kFrames = "40";

}  // namespace

EnvPictures::EnvPictures(Launcher& launcher, QObject* parent) : QObject(parent), launcher_(launcher) {}

QString EnvPictures::path(const EnvChoice& choice) const {
    return QStringLiteral("%1/pictures/%2.gif").arg(launcher_.dataFolder(), choice.key());
}

QString EnvPictures::file(const EnvChoice& choice) const {
    const QFileInfo picture(path(choice));
    if (!picture.exists()) return {};
    const QString source = choice.file();
    if (!source.isEmpty() && QFileInfo(source).lastModified() > picture.lastModified()) return {};
    return picture.filePath();
}

bool EnvPictures::isDrawing(const EnvChoice& choice) const {
    return std::find(queue_.begin(), queue_.end(), choice) != queue_.end();
}

void EnvPictures::request(const EnvChoice& choice, bool again) {
    const QString key = choice.key();
    if (isDrawing(choice) || !file(choice).isEmpty() || (!again && problems_.contains(key))) return;
    problems_.remove(key);
    queue_.push_back(choice);
    Q_EMIT changed(key);
    drawNext();
}

void EnvPictures::drawNext() {
    if (is_drawing_ || queue_.empty()) return;
    is_drawing_ = true;
    const EnvChoice& choice = queue_.front();
    QStringList arguments{QStringLiteral("env"),      QStringLiteral("gallery"),
                          QStringLiteral("--out"),    launcher_.dataFolder() + QStringLiteral("/pictures"),
                          QStringLiteral("--env"),    choice.env,
                          QStringLiteral("--name"),   choice.key(),
                          QStringLiteral("--size"),   QLatin1String(kPixels),
                          QStringLiteral("--frames"), QLatin1String(kFrames),
                          QStringLiteral("--gif")};
    launcher_.run(arguments + choice.settings(), this, [this](const CommandReply& reply) {
        const QString key = queue_.front().key();
        queue_.pop_front();
        is_drawing_ = false;
        if (!reply.ok()) problems_[key] = reply.error;
        Q_EMIT changed(key);
        drawNext();
    });
}

}  // namespace seedbed::ui
