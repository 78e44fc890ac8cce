// SPDX-License-Identifier: Apache-2.0
// Leagues and populations in the whole window: narrow windows, both themes, and matches when the window
// closes.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSpinBox>
#include <QTableWidget>
#include <QTreeWidget>

#include "tests/ui_window/driver.hpp"
#include "ui/models/league/league_list.hpp"
#include "ui/models/population/population_list.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

class LeagueStory : public WindowTest {
protected:
    void makeLeague() {
        seedbed({QStringLiteral("league"), QStringLiteral("create"), QStringLiteral("club"),
                 QStringLiteral("--env"), QStringLiteral("tic_tac_toe")});
        seedbed({QStringLiteral("league"), QStringLiteral("add"), QStringLiteral("club"),
                 QStringLiteral("random"), QStringLiteral("minimax")});
    }
    qint64 games() {
        const auto document = QJsonDocument::fromJson(
            seedbed({QStringLiteral("league"), QStringLiteral("list"), QStringLiteral("--json")}));
        return document.array()[0][QStringLiteral("games")].toInteger();
    }
    void expectInside(const char* id) {
        const QWidget* button = find(id);
        ASSERT_NE(button, nullptr) << id;
        const QRect place(button->mapTo(&window(), QPoint()), button->size());
        EXPECT_TRUE(window().rect().contains(place)) << id;
        EXPECT_GE(button->width(), button->sizeHint().width()) << id;
    }
};

TEST_F(LeagueStory, ThePagesFitIntoNarrowWindows) {
    makeLeague();
    seedbed({QStringLiteral("league"), QStringLiteral("play"), QStringLiteral("club"),
             QStringLiteral("--quiet")});
    seedbed({QStringLiteral("population"), QStringLiteral("start"), QStringLiteral("cartpole"),
             QStringLiteral("--members"), QStringLiteral("2"), QStringLiteral("--steps"),
             QStringLiteral("2000"), QStringLiteral("--every"), QStringLiteral("1000"),
             QStringLiteral("--mutate"), QStringLiteral("algo.learning_rate=1e-4..1e-2:log"),
             QStringLiteral("--quiet"), QStringLiteral("--eval.final_episodes=2")});
    openWindow();
    for (const auto mode : {Theme::Mode::light, Theme::Mode::dark}) {
        app->services().theme->setMode(mode);
        const QString ending = mode == Theme::Mode::light ? QStringLiteral("light") : QStringLiteral("dark");
        for (const QSize size : {QSize(1200, 780), QSize(800, 600)}) {
            window().resize(size);
            window().openPage(QStringLiteral("leagues"));
            ASSERT_TRUE(
                QTest::qWaitFor([&] { return find<QTableWidget>("ladder")->rowCount() == 2; }, kTimeoutMs));
            QTest::qWait(300);
            EXPECT_LE(window().page(QStringLiteral("leagues"))->minimumSizeHint().width(), 600)
                << "the page does not force a larger window";
            for (const char* id : {"league-add-button", "league-play-button", "league-stop-button"})
                expectInside(id);
            picture(QStringLiteral("leagues-%1-%2").arg(size.width()).arg(ending));
            window().openPage(QStringLiteral("populations"));
            ASSERT_TRUE(QTest::qWaitFor([&] { return find<QTreeWidget>("lineage")->topLevelItemCount() > 0; },
                                        kTimeoutMs));
            QTest::qWait(300);
            EXPECT_LE(window().page(QStringLiteral("populations"))->minimumSizeHint().width(), 600);
            for (const char* id : {"population-best-button", "population-stop-button"}) expectInside(id);
            picture(QStringLiteral("populations-%1-%2").arg(size.width()).arg(ending));
        }
    }
}

TEST_F(LeagueStory, ClosingTheWindowStopsTheMatches) {
    makeLeague();
    openWindow();
    window().openPage(QStringLiteral("leagues"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return find<QTableWidget>("ladder")->rowCount() == 2; }, kTimeoutMs));
    find<QSpinBox>("league-rounds")->setValue(1'000'000);
    click(find("league-play-button"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return games() > 0; }, kTimeoutMs));
    closeWindow();
    qint64 before = -1;
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            QTest::qWait(1500);
            const qint64 now = games();
            return std::exchange(before, now) == now;
        },
        kTimeoutMs));
    EXPECT_EQ(before % 20, 0) << "only whole matches count";
}

}  // namespace
}  // namespace seedbed::ui
