// SPDX-License-Identifier: GPL-3.0-or-later
// One JSON document per line: the data folder, the run, and what it should become.
#include "ui/models/unsaved_edits.hpp"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

namespace seedbed::ui {
namespace {

QString text(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

QJsonArray arrayOf(const std::vector<std::string>& tags) {
    QJsonArray array;
    for (const std::string& tag : tags) array.append(QString::fromStdString(tag));
    return array;
}

std::vector<std::string> tagsOf(const QJsonValue& value) {
    std::vector<std::string> tags;
    for (const QJsonValue& tag : value.toArray()) tags.push_back(tag.toString().toStdString());
    return tags;
}

QJsonObject jsonOf(const Editor::Wish& wish) {
    QJsonObject json{{QStringLiteral("run"), static_cast<qint64>(wish.run)}};
    if (wish.edit.name) json[QStringLiteral("name")] = QString::fromStdString(*wish.edit.name);
    if (wish.edit.notes) json[QStringLiteral("notes")] = QString::fromStdString(*wish.edit.notes);
    if (wish.edit.star) json[QStringLiteral("star")] = *wish.edit.star;
    if (wish.edit.archived) json[QStringLiteral("archived")] = *wish.edit.archived;
    if (wish.edit.in_bin) json[QStringLiteral("in_bin")] = *wish.edit.in_bin;
    if (!wish.edit.add_tags.empty()) json[QStringLiteral("add_tags")] = arrayOf(wish.edit.add_tags);
    if (!wish.edit.remove_tags.empty()) json[QStringLiteral("remove_tags")] = arrayOf(wish.edit.remove_tags);
    if (wish.tags) json[QStringLiteral("tags")] = arrayOf(*wish.tags);
    return json;
}

Editor::Wish wishOf(const QJsonObject& json) {
    Editor::Wish wish;
    wish.run = json[QStringLiteral("run")].toInteger();
    const auto string = [&](const char* key, std::optional<std::string>& to) {
        if (const QJsonValue value = json[QLatin1String(key)]; value.isString()) to = value.toString().toStdString();
    };
    const auto flag = [&](const char* key, std::optional<bool>& to) {
        if (const QJsonValue value = json[QLatin1String(key)]; value.isBool()) to = value.toBool();
    };
    string("name", wish.edit.name), string("notes", wish.edit.notes);
    flag("star", wish.edit.star), flag("archived", wish.edit.archived), flag("in_bin", wish.edit.in_bin);
    wish.edit.add_tags = tagsOf(json[QStringLiteral("add_tags")]), wish.edit.remove_tags = tagsOf(json[QStringLiteral("remove_tags")]);
    if (json.contains(QStringLiteral("tags"))) wish.tags = tagsOf(json[QStringLiteral("tags")]);
    return wish;
}

}  // namespace

bool keepUnsavedEdits(const std::filesystem::path& file, const std::filesystem::path& data_folder,
                      const std::vector<Editor::Wish>& wishes) {
    if (wishes.empty()) return true;
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    QFile out(text(file));
    if (!out.open(QIODevice::WriteOnly | QIODevice::Append)) return false;
    for (const Editor::Wish& wish : wishes) {
        QJsonObject json = jsonOf(wish);
        json[QStringLiteral("data")] = text(data_folder);
        out.write(QJsonDocument(json).toJson(QJsonDocument::Compact) + '\n');
    }
    return out.flush();
}

std::vector<Editor::Wish> readUnsavedEdits(const std::filesystem::path& file, const std::filesystem::path& data_folder) {
    std::vector<Editor::Wish> wishes;
    QByteArray others;
    {
        QFile in(text(file));
        if (!in.open(QIODevice::ReadOnly)) return {};
        while (!in.atEnd()) {
            const QByteArray line = in.readLine();
            const QJsonObject json = QJsonDocument::fromJson(line).object();
            if (json.isEmpty()) continue;
            if (json[QStringLiteral("data")].toString() == text(data_folder)) wishes.push_back(wishOf(json));
            else others += line;
        }
    }
    if (others.isEmpty()) {
        QFile::remove(text(file));
    } else if (QSaveFile out(text(file)); out.open(QIODevice::WriteOnly)) {
        out.write(others);
        out.commit();
    }
    return wishes;
}

}  // namespace seedbed::ui
