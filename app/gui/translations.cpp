// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/translations.hpp"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

namespace seedbed {

std::vector<std::unique_ptr<QTranslator>> installTranslations() {
    std::vector<std::unique_ptr<QTranslator>> installed;
    const QString program = QCoreApplication::applicationDirPath();
    const auto install = [&](const QLocale& locale, const QString& name, const QStringList& folders) {
        auto translator = std::make_unique<QTranslator>();
        for (const QString& folder : folders) {
            if (!translator->load(locale, name, QStringLiteral("_"), folder)) continue;
            QCoreApplication::installTranslator(translator.get());
            installed.push_back(std::move(translator));
            return;
        }
    };
    const QStringList ours{program + QStringLiteral("/translations"), program + QStringLiteral("/../share/seedbed/translations")};
    install(QLocale(QLocale::English), QStringLiteral("seedbed"), ours);
    if (QLocale().language() == QLocale::English) return installed;
    install(QLocale(), QStringLiteral("seedbed"), ours);  // the later one is asked first
    install(QLocale(), QStringLiteral("qtbase"), {QLibraryInfo::path(QLibraryInfo::TranslationsPath)});
    return installed;
}

}  // namespace seedbed
