// SPDX-License-Identifier: GPL-3.0-or-later
// One JSON document per line: the data folder, the run, and what it should become.
#include "ui/models/unsaved_edits.hpp"

#include <functional>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/base/files.hpp"

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
    if (wish.edit.in_trash) json[QStringLiteral("in_bin")] = *wish.edit.in_trash;
    if (!wish.edit.add_tags.empty()) json[QStringLiteral("add_tags")] = arrayOf(wish.edit.add_tags);
    if (!wish.edit.remove_tags.empty()) json[QStringLiteral("remove_tags")] = arrayOf(wish.edit.remove_tags);
    if (wish.tags) json[QStringLiteral("tags")] = arrayOf(*wish.tags);
    return json;
}

Editor::Wish wishOf(const QJsonObject& json) {
    Editor::Wish wish;
    wish.run = json[QStringLiteral("run")].toInteger();
    const auto string = [&](const char* key, std::optional<std::string>& to) {
        if (const QJsonValue value = json[QLatin1String(key)]; value.isString())
            to = value.toString().toStdString();
    };
    const auto flag = [&](const char* key, std::optional<bool>& to) {
        if (const QJsonValue value = json[QLatin1String(key)]; value.isBool()) to = value.toBool();
    };
    string("name", wish.edit.name), string("notes", wish.edit.notes);
    flag("star", wish.edit.star), flag("archived", wish.edit.archived), flag("in_bin", wish.edit.in_trash);
    wish.edit.add_tags = tagsOf(json[QStringLiteral("add_tags")]),
    wish.edit.remove_tags = tagsOf(json[QStringLiteral("remove_tags")]);
    if (json.contains(QStringLiteral("tags"))) wish.tags = tagsOf(json[QStringLiteral("tags")]);
    return wish;
}

// What is no line of ours is passed over.
void eachLine(const std::filesystem::path& file,
              const std::function<void(const QByteArray& line, const QJsonObject& json)>& use) {
    QFile in(text(file));
    if (!in.open(QIODevice::ReadOnly)) return;
    while (!in.atEnd()) {
        const QByteArray line = in.readLine();
        if (const QJsonObject json = QJsonDocument::fromJson(line).object(); !json.isEmpty()) use(line, json);
    }
}

bool isOf(const QJsonObject& json, const std::filesystem::path& data_folder) {
    return json[QStringLiteral("data")].toString() == text(data_folder);
}

}  // namespace

std::vector<Editor::Wish> readUnsavedEdits(const std::filesystem::path& file,
                                           const std::filesystem::path& data_folder) {
    std::vector<Editor::Wish> wishes;
    eachLine(file, [&](const QByteArray&, const QJsonObject& json) {
        if (isOf(json, data_folder)) wishes.push_back(wishOf(json));
    });
    return wishes;
}

Result<> replaceUnsavedEdits(const std::filesystem::path& file, const std::filesystem::path& data_folder,
                             const std::vector<Editor::Wish>& wishes) {
    QByteArray lines;
    eachLine(file, [&](const QByteArray& line, const QJsonObject& json) {
        if (!isOf(json, data_folder)) lines += line;
    });
    for (const Editor::Wish& wish : wishes) {
        QJsonObject json = jsonOf(wish);
        json[QStringLiteral("data")] = text(data_folder);
        lines += QJsonDocument(json).toJson(QJsonDocument::Compact) + '\n';
    }
    RealFileSystem files;
    if (lines.isEmpty()) {
        SEEDBED_ASSIGN(const auto there, files.info(file));
        return there ? files.remove(file) : Result<>();
    }
    SEEDBED_TRY(makeFolders(files, file.parent_path()));
    return writeFileAtomically(files, file,
                               std::string_view(lines.constData(), static_cast<std::size_t>(lines.size())));
}

}  // namespace seedbed::ui
