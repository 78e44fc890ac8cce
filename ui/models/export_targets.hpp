// SPDX-License-Identifier: GPL-3.0-or-later
// The export targets of the program and their options, as printed by `seedbed export --list --json`.
#pragma once

#include <QJsonArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace seedbed::ui {

struct ExportOptionInfo {
    enum class Kind { choice, text, on_off };
    struct Choice {
        QString value, title;
    };

    QString id;        // profile
    QString argument;  // --profile; for Kind::on_off it takes no value and turns the option off
    Kind kind = Kind::text;
    QString title, help;    // translated
    QString default_value;  // only for a choice or a text
    QList<Choice> choices;  // only for a choice
};

struct ExportTargetInfo {
    QString id;               // onnx
    QString title, sentence;  // translated
    QStringList files;        // files that are written for this target
    QList<ExportOptionInfo> options;
};

// Unknown kinds of options are skipped.
QList<ExportTargetInfo> exportTargetsFromJson(const QJsonArray& json);

}  // namespace seedbed::ui
