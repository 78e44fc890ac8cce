// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/packs/own_environments.hpp"

#include <algorithm>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

namespace seedbed::ui {
namespace {

constexpr qint64 kMaxBytes = 1 << 20;

QString fileIn(const QString& folder) { return folder + QStringLiteral("/environments.json"); }

}  // namespace

OwnEnvironments::OwnEnvironments(QString folder, QObject* parent)
    : QObject(parent), folder_(std::move(folder)) {}

QString OwnEnvironments::load() {
    all_.clear();
    is_damaged_ = false;
    QFile file(fileIn(folder_));
    if (!file.exists()) return {};
    is_damaged_ = true;
    if (!QFileInfo(file).isFile())  // opening a pipe would wait for a writer
        return tr("Your environments cannot be read: %1 is not a regular file.").arg(file.fileName());
    if (!file.open(QIODevice::ReadOnly))
        return tr("Your environments cannot be read: %1: %2").arg(file.fileName(), file.errorString());
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(file.read(kMaxBytes), &error);
    if (!document.isArray())
        return tr("Your environments cannot be read: %1: %2. Repair the file, or delete it to start with an "
                  "empty list.")
            .arg(file.fileName(), error.errorString());
    is_damaged_ = false;
    for (const QJsonValue& value : document.array()) {
        OwnEnvironment own{.title = value[QStringLiteral("title")].toString(),
                           .choice = {.env = value[QStringLiteral("env")].toString()}};
        for (const QJsonValue& each : value[QStringLiteral("arguments")].toArray())
            own.choice.values.emplace_back(each[QStringLiteral("name")].toString(),
                                           each[QStringLiteral("value")].toString());
        if (!own.title.isEmpty() && !own.choice.env.isEmpty() && find(own.title) == nullptr) all_ += own;
    }
    return {};
}

const OwnEnvironment* OwnEnvironments::find(const QString& title) const {
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const OwnEnvironment& own) { return own.title == title; });
    return found == all_.end() ? nullptr : &*found;
}

QString OwnEnvironments::put(const OwnEnvironment& environment) {
    QList<OwnEnvironment> all = all_;
    const auto place = std::find_if(
        all.begin(), all.end(), [&](const OwnEnvironment& own) { return own.title == environment.title; });
    if (place == all.end()) all += environment;
    else if (place->choice == environment.choice) return {};
    else *place = environment;
    return save(std::move(all));
}

QString OwnEnvironments::remove(const QString& title) {
    QList<OwnEnvironment> all = all_;
    all.removeIf([&](const OwnEnvironment& own) { return own.title == title; });
    return save(std::move(all));
}

QString OwnEnvironments::freeTitle(const QString& title, const QString& replaced) const {
    QString free = title;
    for (int number = 2; free != replaced && find(free) != nullptr; ++number)
        free = QStringLiteral("%1 (%2)").arg(title).arg(number);
    return free;
}

QString OwnEnvironments::save(QList<OwnEnvironment> all) {
    const QString name = fileIn(folder_);
    if (is_damaged_)
        return tr("Your environments were not stored, because %1 cannot be read. Repair or delete it.")
            .arg(name);
    QJsonArray list;
    for (const OwnEnvironment& own : all) {
        QJsonArray values;
        for (const auto& [key, value] : own.choice.values)
            values += QJsonObject{{QStringLiteral("name"), key}, {QStringLiteral("value"), value}};
        list += QJsonObject{{QStringLiteral("title"), own.title},
                            {QStringLiteral("env"), own.choice.env},
                            {QStringLiteral("arguments"), values}};
    }
    QDir().mkpath(folder_);
    QSaveFile file(name);
    const QByteArray text = QJsonDocument(list).toJson();
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
        return tr("Your environments could not be stored in %1: %2").arg(name, file.errorString());
    all_ = std::move(all);
    Q_EMIT changed();
    return {};
}

}  // namespace seedbed::ui
