// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/languages.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QLocale>

namespace seedbed::ui {

QStringList translationFolders() {
    const QString program = QCoreApplication::applicationDirPath();
    return {program + QStringLiteral("/translations"),
            program + QStringLiteral("/../share/seedbed/translations")};
}

QStringList installedLanguages() {
    QStringList codes{QStringLiteral("en")};
    for (const QString& folder : translationFolders())
        for (const QString& file :
             QDir(folder).entryList({QStringLiteral("seedbed_*.qm")}, QDir::Files, QDir::Name)) {
            const QString code = file.section(QLatin1Char('_'), 1).section(QLatin1Char('.'), 0, 0);
            if (!codes.contains(code)) codes += code;
        }
    return codes;
}

QString languageName(const QString& code) {
    const QLocale locale(code);
    QString name =
        locale.language() == QLocale::English ? QStringLiteral("English") : locale.nativeLanguageName();
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    return name;
}

}  // namespace seedbed::ui
