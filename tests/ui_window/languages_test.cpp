// SPDX-License-Identifier: Apache-2.0
// Tests changing the language: the choice in the menu is saved; plural forms, number formats, and
// untranslated strings.
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QMenuBar>
#include <QSet>
#include <QTabBar>
#include <QXmlStreamReader>

#include "app/gui/translations.hpp"
#include "tests/ui/page_link.hpp"
#include "tests/ui_window/driver.hpp"
#include "ui/models/settings.hpp"
#include "ui/models/text/languages.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/start/start_link.hpp"

namespace seedbed::ui {
namespace {

// English strings with a different German translation, excluding those that contain a number or a name.
QSet<QString> translatedTexts() {
    QSet<QString> texts;
    QFile file(QStringLiteral(SEEDBED_SOURCE_DIR) + QStringLiteral("/ui/translations/seedbed_de.ts"));
    if (!file.open(QIODevice::ReadOnly)) return texts;
    QXmlStreamReader xml(&file);
    QString source;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        if (xml.name() == QLatin1String("source")) source = xml.readElementText();
        else if (xml.name() == QLatin1String("translation") &&
                 xml.attributes().value(QLatin1String("type")) != QLatin1String("unfinished"))
            if (const QString german = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
                german != source && !source.contains(QLatin1Char('%')))
                texts += source;
    }
    return texts;
}

QStringList textsOf(QWidget* root) {
    QStringList texts;
    for (const QLabel* label : root->findChildren<QLabel*>()) texts += label->text();
    // Names of environments are not translated, for example NetHack's "Score".
    for (const QAbstractButton* button : root->findChildren<QAbstractButton*>())
        if (!button->objectName().startsWith(QLatin1String("watch-"))) texts += button->text();
    for (const QAction* action : root->findChildren<QAction*>()) texts += action->text();
    for (const QTabBar* tabs : root->findChildren<QTabBar*>())
        for (int tab = 0; tab < tabs->count(); ++tab) texts += tabs->tabText(tab);
    for (const QComboBox* box : root->findChildren<QComboBox*>())
        for (int item = 0; item < box->count(); ++item) texts += box->itemText(item);
    for (const QWidget* widget : root->findChildren<QWidget*>())
        texts << widget->accessibleName() << widget->toolTip();
    return texts;
}

class Languages : public WindowTest {
protected:
    ~Languages() override {
        app.reset();
        QLocale::setDefault(QLocale::c());
    }
    void queue(const char* seeds) {
        seedbed({QStringLiteral("queue"), QStringLiteral("add"), QStringLiteral("cartpole"),
                 QStringLiteral("--seeds"), QLatin1String(seeds)});
    }
    bool shows(const char* page, const QString& text) {
        return QTest::qWaitFor(
            [&] {
                for (const QLabel* label : window().page(QLatin1String(page))->findChildren<QLabel*>())
                    if (label->text().contains(text)) return true;
                return false;
            },
            20'000);
    }
};

TEST_F(Languages, AChosenLanguageIsSavedAndTheWindowIsRecreated) {
    if (!installedLanguages().contains(QStringLiteral("de")))
        GTEST_SKIP() << "lrelease was not found, so there are no compiled translations";
    openWindow();
    QAction* german = nullptr;
    for (QAction* menu : window().menuBar()->actions())
        for (QAction* action : menu->menu()->actions())
            if (action->objectName() == QStringLiteral("language-de")) german = action;
    ASSERT_NE(german, nullptr);
    EXPECT_EQ(german->text(), QStringLiteral("Deutsch"));
    int chosen = 0;
    QObject::connect(&window(), &MainWindow::languageSelected, [&] { ++chosen; });
    german->trigger();
    german->trigger();  // already selected
    EXPECT_EQ(chosen, 1);
    EXPECT_EQ(app->services().settings->value(QLatin1String(kLanguageKey)).toString(), QStringLiteral("de"));
    // As main() does after a change of language.
    closeWindow();
    const auto translators = installTranslations(QStringLiteral("de"));
    openWindow();
    EXPECT_EQ(window().findChild<QListWidget*>(QStringLiteral("pages"))->item(0)->text(),
              QStringLiteral("Start"));
    EXPECT_EQ(window().menuBar()->actions().front()->text(), QStringLiteral("&Fenster"));
}

TEST_F(Languages, PluralFormsAreThoseOfTheLanguage) {
    if (!installedLanguages().contains(QStringLiteral("de")))
        GTEST_SKIP() << "lrelease was not found, so there are no compiled translations";
    seedbed({QStringLiteral("queue"), QStringLiteral("pause")});
    queue("1");
    for (const auto& [language, one, two] :
         {std::tuple{"en", "0 running, 1 queued", "0 running, 2 queued"},
          std::tuple{"de", "0 Läufe trainieren, 1 Lauf wartet", "0 Läufe trainieren, 2 Läufe warten"}}) {
        const auto translators = installTranslations(QString::fromLatin1(language));
        openWindow();
        window().openPage(QStringLiteral("queue"));
        EXPECT_TRUE(shows("queue", QString::fromUtf8(one))) << language;
        queue("2");
        EXPECT_TRUE(shows("queue", QString::fromUtf8(two))) << language;
        seedbed({QStringLiteral("queue"), QStringLiteral("remove"),
                 QString::fromLatin1(language) == QStringLiteral("en") ? QStringLiteral("2")
                                                                       : QStringLiteral("3")});
        picture(QStringLiteral("queue-") + QLatin1String(language));
        closeWindow();
    }
}

TEST_F(Languages, InGermanTextsAreTranslatedAndNumbersHaveCommaAndPoint) {
    if (!installedLanguages().contains(QStringLiteral("de")))
        GTEST_SKIP() << "lrelease was not found, so there are no compiled translations";
    seedbed({QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
             QStringLiteral("3000"), QStringLiteral("--quiet")});
    const auto translators = installTranslations(QStringLiteral("de"));
    openWindow();
    const QSet<QString> english = translatedTexts();
    ASSERT_GT(english.size(), 300);
    for (const PageEntry& entry : pageRegistry()) {
        window().openPage(entry.id, linkTo(entry.id, {1}));
        settle(500);
        if (!entry.own_window) picture(QStringLiteral("de-") + entry.id);
        for (const QString& text : textsOf(&window()))
            EXPECT_FALSE(english.contains(text))
                << entry.id.toStdString() << " is still in English: " << text.toStdString();
    }
    window().open(DashboardLink{1});
    EXPECT_TRUE(shows("run", QStringLiteral("3.0")));  // the German format of 3,0xx of 3,000 steps
    window().open(
        StartLink{.new_run = NewRunRequest{.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}}});
    settle(1500);
    picture(QStringLiteral("de-form"));
}

}  // namespace
}  // namespace seedbed::ui
