// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/packs/env_choice.hpp"

#include <QCryptographicHash>
#include <QRegularExpression>

namespace seedbed::ui {

QStringList EnvChoice::settings() const {
    QStringList words;
    for (const auto& [name, value] : values) words += QStringLiteral("--env.%1=%2").arg(name, value);
    return words;
}

QString EnvChoice::key() const {
    const QByteArray text = (QStringList{env} + settings()).join(QLatin1Char('\n')).toUtf8();
    return QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex().left(32));
}

QString EnvChoice::file() const {
    const QString place = env.section(QLatin1Char(':'), 1).section(QLatin1Char(':'), 0, -2);
    return place.endsWith(QLatin1String(".py")) ? place : QString();
}

QString shortTitle(const QString& env) {
    const QString name = env.section(QLatin1Char(':'), -1);
    if (env.startsWith(QLatin1String("gym:")) || name.isEmpty()) return name.isEmpty() ? env : name;
    QString title = name;
    title.replace(QLatin1Char('_'), QLatin1Char(' '));
    title[0] = title[0].toUpper();
    return title;
}

QString shortId(const QString& env) {
    static const QRegularExpression folder(QStringLiteral("^(\\w+:)[./~][^:]*/"));
    return QString(env).replace(folder, QStringLiteral("\\1"));
}

QString envIdFromInput(const QString& input) {
    static const QStringList schemes = QStringLiteral(SEEDBED_WORKER_SCHEMES).split(QLatin1Char(','));
    const qsizetype colon = input.indexOf(QLatin1Char(':'));
    if (input.isEmpty() || (colon >= 0 && schemes.contains(input.left(colon)))) return input;
    return QStringLiteral("gym:") + input;
}

QStringList startArguments(const EnvChoice& choice, bool has_preset) {
    QStringList words{choice.env};
    words << choice.settings() << QStringLiteral("--seeds") << QStringLiteral("next");
    if (!has_preset) words << QStringLiteral("--steps") << QLatin1String(kStepsWithoutPreset);
    return words;
}

}  // namespace seedbed::ui
