// SPDX-License-Identifier: GPL-3.0-or-later
// Format: one JSON document per line with the data folder, the run and its new values.
#include "ui/models/unsaved_edits.hpp"

#include <functional>

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/base/os/files.hpp"

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

QJsonObject jsonFrom(const Editor::Request& request) {
    QJsonObject json{{QStringLiteral("run"), static_cast<qint64>(request.run)}};
    if (request.edit.name) json[QStringLiteral("name")] = QString::fromStdString(*request.edit.name);
    if (request.edit.notes) json[QStringLiteral("notes")] = QString::fromStdString(*request.edit.notes);
    if (request.edit.star) json[QStringLiteral("star")] = *request.edit.star;
    if (request.edit.archived) json[QStringLiteral("archived")] = *request.edit.archived;
    if (request.edit.in_trash) json[QStringLiteral("in_bin")] = *request.edit.in_trash;
    if (!request.edit.add_tags.empty()) json[QStringLiteral("add_tags")] = arrayOf(request.edit.add_tags);
    if (!request.edit.remove_tags.empty())
        json[QStringLiteral("remove_tags")] = arrayOf(request.edit.remove_tags);
    if (request.tags) json[QStringLiteral("tags")] = arrayOf(*request.tags);
    return json;
}

Editor::Request requestFrom(const QJsonObject& json) {
    Editor::Request request;
    request.run = json[QStringLiteral("run")].toInteger();
    const auto string = [&](const char* key, std::optional<std::string>& to) {
        if (const QJsonValue value = json[QLatin1String(key)]; value.isString())
            to = value.toString().toStdString();
    };
    const auto flag = [&](const char* key, std::optional<bool>& to) {
        if (const QJsonValue value = json[QLatin1String(key)]; value.isBool()) to = value.toBool();
    };
    string("name", request.edit.name);
    string("notes", request.edit.notes);
    flag("star", request.edit.star);
    flag("archived", request.edit.archived);
    flag("in_bin", request.edit.in_trash);
    request.edit.add_tags = tagsOf(json[QStringLiteral("add_tags")]);
    request.edit.remove_tags = tagsOf(json[QStringLiteral("remove_tags")]);
    if (json.contains(QStringLiteral("tags"))) request.tags = tagsOf(json[QStringLiteral("tags")]);
    return request;
}

// Invalid lines are skipped.
void eachLine(const std::filesystem::path& file,
              const std::function<void(const QByteArray& line, const QJsonObject& json)>& use) {
    QFile in(text(file));
    if (!QFileInfo(in).isFile() || !in.open(QIODevice::ReadOnly)) return;
    while (!in.atEnd()) {
        const QByteArray line = in.readLine();
        if (const QJsonObject json = QJsonDocument::fromJson(line).object(); !json.isEmpty()) use(line, json);
    }
}

bool belongsTo(const QJsonObject& json, const std::filesystem::path& data_folder) {
    return json[QStringLiteral("data")].toString() == text(data_folder);
}

}  // namespace

std::vector<Editor::Request> readUnsavedEdits(const std::filesystem::path& file,
                                              const std::filesystem::path& data_folder) {
    std::vector<Editor::Request> requests;
    eachLine(file, [&](const QByteArray&, const QJsonObject& json) {
        if (belongsTo(json, data_folder)) requests.push_back(requestFrom(json));
    });
    return requests;
}

Result<> replaceUnsavedEdits(const std::filesystem::path& file, const std::filesystem::path& data_folder,
                             const std::vector<Editor::Request>& requests) {
    QByteArray lines;
    eachLine(file, [&](const QByteArray& line, const QJsonObject& json) {
        if (!belongsTo(json, data_folder)) lines += line;
    });
    for (const Editor::Request& request : requests) {
        QJsonObject json = jsonFrom(request);
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
