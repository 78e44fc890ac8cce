// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/packs/env_pictures.hpp"

#include <algorithm>

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "ui/models/launcher.hpp"

namespace seedbed::ui {
namespace {

constexpr auto kPixels = "230", kFrames = "40";

// When the environment's Python file was changed; invalid for environments of packages.
QDateTime changeOf(const EnvChoice& choice) {
    const QString file = choice.file();
    return file.isEmpty() ? QDateTime() : QFileInfo(file).lastModified();
}

}  // namespace

EnvPictures::EnvPictures(Launcher& launcher, QObject* parent) : QObject(parent), launcher_(launcher) {}

QString EnvPictures::path(const EnvChoice& choice) const {
    return QStringLiteral("%1/pictures/%2.gif").arg(launcher_.dataFolder(), choice.key());
}

QString EnvPictures::file(const EnvChoice& choice) const {
    const QFileInfo picture(path(choice));
    if (!picture.exists()) return {};
    if (const QDateTime changed = changeOf(choice); changed.isValid() && changed > picture.lastModified())
        return {};
    return picture.filePath();
}

bool EnvPictures::isDrawing(const EnvChoice& choice) const {
    return std::find(queue_.begin(), queue_.end(), choice) != queue_.end();
}

void EnvPictures::request(const EnvChoice& choice, bool again) {
    const QString key = choice.key();
    const auto failed = problems_.constFind(key);
    const bool is_hopeless = !again && failed != problems_.constEnd() && failed->changed == changeOf(choice);
    if (isDrawing(choice) || !file(choice).isEmpty() || is_hopeless) return;
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
    const QDateTime begin = changeOf(choice);
    launcher_.run(arguments + choice.settings(), this, [this, begin](const CommandReply& reply) {
        const QString key = queue_.front().key();
        queue_.pop_front();
        is_drawing_ = false;
        if (!reply.ok()) problems_[key] = {reply.error, begin};
        prune();
        Q_EMIT changed(key);
        drawNext();
    });
}

// Deletes the oldest pictures: after an edit of arguments, the previous picture is no longer shown.
void EnvPictures::prune() const {
    QDir folder(launcher_.dataFolder() + QStringLiteral("/pictures"));
    const QStringList newest_first = folder.entryList({QStringLiteral("*.gif")}, QDir::Files, QDir::Time);
    for (const QString& name : newest_first.mid(kMost)) {
        folder.remove(name);
        folder.remove(name.chopped(3) + QStringLiteral("png"));  // the picture of the first frame, which is
                                                                 // written with the GIF
    }
}

}  // namespace seedbed::ui
