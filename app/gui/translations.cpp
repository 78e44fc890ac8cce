// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/translations.hpp"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

#include "ui/models/text/languages.hpp"

namespace seedbed {

std::vector<std::unique_ptr<QTranslator>> installTranslations(const QString& language) {
    // A chosen language also sets the formats of numbers and dates; the system's own language keeps its
    // formats.
    static const QLocale system;  // initialised before this function changes the default for the first time
    const QLocale chosen =
        language.isEmpty() || QLocale(language).language() == system.language() ? system : QLocale(language);
    QLocale::setDefault(chosen);
    std::vector<std::unique_ptr<QTranslator>> installed;
    const auto install = [&](const QLocale& locale, const QString& name, const QStringList& folders) {
        auto translator = std::make_unique<QTranslator>();
        for (const QString& folder : folders) {
            if (!translator->load(locale, name, QStringLiteral("_"), folder)) continue;
            QCoreApplication::installTranslator(translator.get());
            installed.push_back(std::move(translator));
            return;
        }
    };
    install(QLocale(QLocale::English), QStringLiteral("seedbed"), ui::translationFolders());
    if (chosen.language() == QLocale::English) return installed;
    install(chosen, QStringLiteral("seedbed"),
            ui::translationFolders());  // the translator installed last has priority
    install(chosen, QStringLiteral("qtbase"), {QLibraryInfo::path(QLibraryInfo::TranslationsPath)});
    return installed;
}

}  // namespace seedbed
