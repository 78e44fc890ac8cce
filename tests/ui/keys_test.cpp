// SPDX-License-Identifier: Apache-2.0
// Tests access keys: they are unique on every page and differ from those of the menus; F1 lists the keys
// without actions.
#include <QAbstractButton>
#include <QKeySequence>
#include <QLabel>
#include <QTabBar>

#include "tests/ui/page_fixture.hpp"
#include "tests/ui/page_link.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/views/shell/help_dialogs.hpp"
#include "ui/views/start/start_link.hpp"

namespace seedbed::testing {
namespace {

class KeysTest : public PageTest {};

TEST_F(KeysTest, AccessKeysAreUniquePerPage) {
    const RunId run = makeRun({.points = 20, .checkpoint = true});
    ui::Catalogue catalogue(*services().launcher);
    ASSERT_EQ(catalogue.load(), QString());
    services().catalogue = &catalogue;
    ASSERT_TRUE(waitFor([&] { return store().find(run) != nullptr; }));
    for (const char* id : {"start", "run", "compare", "queue", "library"}) {
        auto page = makePage(QLatin1String(id));
        page->open(id == std::string("start")
                       ? ui::StartLink{.new_run = ui::NewRunRequest{.env = QStringLiteral("cartpole"),
                                                                    .preset = {},
                                                                    .settings = {}}}
                       : ui::linkTo(QLatin1String(id), {run}));
        settle(500);
        // The menus of the window: Window, Edit, View, Help.
        QMap<QString, QString> taken;
        for (const char* menu : {"&Window", "&Edit", "&View", "&Help"})
            taken[QKeySequence::mnemonic(QLatin1String(menu)).toString()] = QLatin1String(menu);
        const auto take = [&](const QString& text) {
            const QString keys = QKeySequence::mnemonic(text).toString();
            if (keys.isEmpty()) return;
            EXPECT_FALSE(taken.contains(keys)) << id << ": " << keys.toStdString() << " is used by "
                                               << taken[keys].toStdString() << " and " << text.toStdString();
            taken[keys] = text;
        };
        for (const QLabel* label : page->findChildren<QLabel*>())
            if (label->buddy() != nullptr && label->isVisible()) take(label->text());
        for (const QAbstractButton* button : page->findChildren<QAbstractButton*>())
            if (button->isVisible()) take(button->text());
        for (const QTabBar* tabs : page->findChildren<QTabBar*>())
            for (int tab = 0; tab < tabs->count(); ++tab) take(tabs->tabText(tab));
        EXPECT_GT(taken.size(), 4) << id;
    }
}

TEST_F(KeysTest, TheOverlayNamesKeysOfChartsAndAgents) {
    QStringList keys;
    for (const ui::Shortcut& shortcut : ui::widgetKeys()) {
        EXPECT_FALSE(shortcut.place.isEmpty() || shortcut.text.isEmpty() || shortcut.keys.isEmpty());
        keys += shortcut.keys;
    }
    const QString all = keys.join(QLatin1Char(' '));
    for (const char* key : {"+", "-", "Return", "PgUp", "Home"})
        EXPECT_TRUE(all.contains(QLatin1String(key))) << key << " " << all.toStdString();
}

}  // namespace
}  // namespace seedbed::testing
