// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/export_targets.hpp"

#include <optional>

#include <QJsonObject>

#include "ui/models/text/core_text.hpp"

namespace seedbed::ui {
namespace {

std::optional<ExportOptionInfo> optionFrom(const QJsonObject& json) {
    const auto text = [&](const char* key) { return json[QLatin1String(key)].toString(); };
    ExportOptionInfo option;
    option.id = text("id");
    option.argument = text("argument");
    option.title = coreText(text("title"));
    option.help = coreText(text("help"));
    option.default_value = text("default");
    const QString kind = text("kind");
    if (kind == QLatin1String("choice")) option.kind = ExportOptionInfo::Kind::choice;
    else if (kind == QLatin1String("on_off")) option.kind = ExportOptionInfo::Kind::on_off;
    else if (kind != QLatin1String("text")) return std::nullopt;
    for (const QJsonValue& choice : json[QStringLiteral("choices")].toArray())
        option.choices += {choice[QStringLiteral("value")].toString(),
                           coreText(choice[QStringLiteral("title")].toString())};
    return option;
}

}  // namespace

QList<ExportTargetInfo> exportTargetsFromJson(const QJsonArray& json) {
    QList<ExportTargetInfo> targets;
    for (const QJsonValue& value : json) {
        ExportTargetInfo target;
        target.id = value[QStringLiteral("id")].toString();
        target.title = coreText(value[QStringLiteral("title")].toString());
        target.sentence = coreText(value[QStringLiteral("sentence")].toString());
        for (const QJsonValue& file : value[QStringLiteral("files")].toArray())
            target.files += file.toString();
        for (const QJsonValue& option : value[QStringLiteral("options")].toArray())
            if (auto read = optionFrom(option.toObject())) target.options += std::move(*read);
        targets += std::move(target);
    }
    return targets;
}

}  // namespace seedbed::ui
