// SPDX-License-Identifier: Apache-2.0
// Tests the page of leagues with the real program: the first league, members, matches, and removed policies.
#include <algorithm>
#include <cmath>

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableWidget>

#include "tests/ui/program_fixture.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/models/league/league_list.hpp"
#include "ui/models/play/duel_candidates.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/duel/duel_link.hpp"
#include "ui/views/league/ladder_view.hpp"
#include "ui/views/league/league_dialogs.hpp"
#include "ui/views/league/payoff_view.hpp"
#include "ui/views/league/train_league_dialog.hpp"

namespace seedbed::ui {
namespace {

class LeaguePageTest : public ProgramTest {
protected:
    void TearDown() override {
        page_.reset();
        leagues_.reset();
    }
    void openPage() {
        openStore();
        catalogue_ = std::make_unique<Catalogue>(*launcher_);
        catalogue_->load();
        leagues_ = std::make_unique<LeagueList>(*launcher_, *runs_);
        services_.catalogue = catalogue_.get();
        services_.leagues = leagues_.get();
        for (const PageEntry& entry : pageRegistry())
            if (entry.id == QStringLiteral("leagues")) page_.reset(entry.make(services_));
        ASSERT_NE(page_, nullptr);
        page_->resize(1100, 700);
        page_->show();
        page_->open({});
        ASSERT_TRUE(QTest::qWaitFor([&] { return leagues_->isKnown(); }, kTimeoutMs));
    }
    void makeLeague(const QStringList& players) {
        seedbed({QStringLiteral("league"), QStringLiteral("create"), QStringLiteral("club"),
                 QStringLiteral("--env"), QStringLiteral("tic_tac_toe")});
        seedbed(QStringList{QStringLiteral("league"), QStringLiteral("add"), QStringLiteral("club")} +
                players);
    }
    void playInTerminal() {
        seedbed({QStringLiteral("league"), QStringLiteral("play"), QStringLiteral("club"),
                 QStringLiteral("--games"), QStringLiteral("10"), QStringLiteral("--quiet")});
    }
    template <class Widget = QPushButton>
    Widget* find(const char* id) {
        return page_->findChild<Widget*>(QLatin1String(id));
    }
    bool waitForMembers(int count) {
        return QTest::qWaitFor([&] { return find<QTableWidget>("ladder")->rowCount() == count; }, kTimeoutMs);
    }
    QString note() { return find<QLabel>("league-note")->text(); }
    bool waitForNote(const QString& part) {
        return QTest::qWaitFor([&] { return note().contains(part); }, kTimeoutMs);
    }
    QString cell(const char* table, int row, int column) {
        return find<QTableWidget>(table)->item(row, column)->text();
    }
    template <class Dialog>
    Dialog* dialog() {
        Dialog* found = nullptr;
        EXPECT_TRUE(QTest::qWaitFor(
            [&] { return (found = page_->findChild<Dialog*>()) != nullptr && found->isVisible(); },
            kTimeoutMs));
        return found;
    }
    static void accept(QDialog* dialog) {
        auto* button = dialog->findChild<QPushButton*>(QStringLiteral("accept"));
        ASSERT_TRUE(button->isEnabled());
        QTest::mouseClick(button, Qt::LeftButton);
    }

    std::unique_ptr<Catalogue> catalogue_;
    std::unique_ptr<LeagueList> leagues_;
    std::unique_ptr<Page> page_;
};

TEST_F(LeaguePageTest, FromAnEmptyFolderToALadder) {
    openPage();
    ASSERT_TRUE(find<QLabel>("league-empty")->text().contains(QStringLiteral("No leagues yet")));
    EXPECT_FALSE(QDir(dataFolder()).exists(QStringLiteral("seedbed.db"))) << "looking creates no database";
    savePicture(*page_, QStringLiteral("league-empty"));
    QTest::mouseClick(find("league-first"), Qt::LeftButton);
    auto* made = dialog<NewLeagueDialog>();
    ASSERT_NE(made, nullptr);
    EXPECT_FALSE(made->findChild<QPushButton*>(QStringLiteral("accept"))->isEnabled()) << "it needs a name";
    made->findChild<QLineEdit*>(QStringLiteral("league-name"))->setText(QStringLiteral("club"));
    auto* env = made->findChild<QComboBox*>(QStringLiteral("league-env"));
    ASSERT_GE(env->findData(QStringLiteral("tic_tac_toe")), 0);
    EXPECT_LT(env->findData(QStringLiteral("cartpole")), 0) << "it has one seat";
    env->setCurrentIndex(env->findData(QStringLiteral("tic_tac_toe")));
    savePicture(*made, QStringLiteral("league-new"));
    accept(made);
    ASSERT_TRUE(waitForNote(QStringLiteral("was created"))) << note().toStdString();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return leagues_->shown().name == QStringLiteral("club"); }, kTimeoutMs));
    EXPECT_FALSE(find("league-play-button")->isEnabled()) << "a match needs two members";
    EXPECT_TRUE(find<QLabel>("league-facts")->text().contains(QStringLiteral("needs two members")));

    QTest::mouseClick(find("league-add-button"), Qt::LeftButton);
    auto* added = dialog<AddMembersDialog>();
    ASSERT_NE(added, nullptr);
    auto* players = added->findChild<QTableWidget*>(QStringLiteral("players"));
    for (int row = 0; row < players->rowCount(); ++row) {
        const QString id = players->item(row, 0)->text();
        EXPECT_NE(id, QStringLiteral("alpha_beta")) << "it plays another game";
        if (id == QStringLiteral("random") || id == QStringLiteral("minimax"))
            players->item(row, 0)->setCheckState(Qt::Checked);
    }
    savePicture(*added, QStringLiteral("league-add"));
    accept(added);
    ASSERT_TRUE(waitForMembers(2)) << note().toStdString();
    EXPECT_EQ(cell("ladder", 0, LadderView::kRating), QStringLiteral("–")) << "no rating without games";

    find<QSpinBox>("league-rounds")->setValue(3);
    find<QSpinBox>("league-games")->setValue(40);
    ASSERT_TRUE(QTest::qWaitFor([&] { return find("league-play-button")->isEnabled(); }, kTimeoutMs));
    QTest::mouseClick(find("league-play-button"), Qt::LeftButton);
    EXPECT_TRUE(leagues_->isPlaying());
    EXPECT_TRUE(find<QProgressBar>("league-progress")->isVisible());
    EXPECT_EQ(leagues_->job().expected_games, 120);
    ASSERT_TRUE(waitForNote(QStringLiteral("Matches played: 3"))) << note().toStdString();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return cell("ladder", 0, LadderView::kGames) == QStringLiteral("120"); }, kTimeoutMs));
    EXPECT_EQ(cell("ladder", 0, LadderView::kMember), QStringLiteral("minimax"));
    EXPECT_TRUE(cell("ladder", 0, LadderView::kRating).startsWith(QLatin1Char('+')));
    const GameTally games = leagues_->shown().matrix[0][1];
    EXPECT_EQ(cell("ladder", 0, LadderView::kResults),
              QStringLiteral("%1 / %2 / %3").arg(games.wins).arg(games.draws).arg(games.losses));
    EXPECT_EQ(cell("payoff", 0, 1), QStringLiteral("%1 %").arg(std::lround(100 * games.share())));
    EXPECT_FALSE(find<QProgressBar>("league-progress")->isVisible());
    for (const auto mode : {Theme::Mode::light, Theme::Mode::dark}) {
        theme_.setMode(mode);
        savePicture(*page_, mode == Theme::Mode::light ? QStringLiteral("league-light")
                                                       : QStringLiteral("league-dark"));
    }
}

TEST_F(LeaguePageTest, MatchesOfAnotherProgramAppearWhileThePageIsShown) {
    makeLeague({QStringLiteral("random"), QStringLiteral("minimax")});
    openPage();
    ASSERT_TRUE(waitForMembers(2));
    EXPECT_EQ(cell("ladder", 0, LadderView::kGames), QStringLiteral("0"));
    playInTerminal();
    EXPECT_TRUE(QTest::qWaitFor([&] { return cell("ladder", 0, LadderView::kGames) == QStringLiteral("10"); },
                                kTimeoutMs));
}

TEST_F(LeaguePageTest, StoppedMatchesKeepTheirResults) {
    makeLeague({QStringLiteral("random"), QStringLiteral("minimax")});
    openPage();
    ASSERT_TRUE(waitForMembers(2));
    find<QSpinBox>("league-rounds")->setValue(1'000'000);
    ASSERT_TRUE(QTest::qWaitFor([&] { return find("league-play-button")->isEnabled(); }, kTimeoutMs));
    QTest::mouseClick(find("league-play-button"), Qt::LeftButton);
    EXPECT_FALSE(find("league-play-button")->isEnabled()) << "one command at a time";
    ASSERT_TRUE(QTest::qWaitFor([&] { return leagues_->playedGames() >= 40; }, kTimeoutMs));
    EXPECT_TRUE(QTest::qWaitFor([&] { return cell("ladder", 0, LadderView::kGames) != QStringLiteral("0"); },
                                kTimeoutMs))
        << "the ladder follows the matches in progress";
    savePicture(*page_, QStringLiteral("league-playing"));
    QTest::mouseClick(find("league-stop-button"), Qt::LeftButton);
    EXPECT_FALSE(leagues_->isPlaying());
    EXPECT_TRUE(note().contains(QStringLiteral("finished matches are stored"))) << note().toStdString();
    // The process exits: the number of games does not change any more.
    qint64 games = -1;
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            leagues_->refresh();
            QTest::qWait(1500);
            const qint64 now = leagues_->leagues().first().games;
            return std::exchange(games, now) == now && now >= 40;
        },
        kTimeoutMs));
    EXPECT_EQ(games % 20, 0) << "only whole matches count";
}

TEST_F(LeaguePageTest, AnExcludedMemberDoesNotPlayAndCanReturnWithItsPolicy) {
    train(QStringLiteral("tic_tac_toe"), QStringLiteral("2000"));
    makeLeague({QStringLiteral("1"), QStringLiteral("random")});
    seedbed({QStringLiteral("rm"), QStringLiteral("1")});  // the member has a copy of the policy
    openPage();
    ASSERT_TRUE(waitForMembers(2));
    auto* ladder = find<LadderView>("ladder");
    const auto row = [&] {
        for (int i = 0; i < ladder->rowCount(); ++i)
            if (ladder->item(i, LadderView::kMember)->text().startsWith(QLatin1Char('1'))) return i;
        return -1;
    };
    ladder->setCurrentCell(row(), 0);
    ASSERT_TRUE(find("league-toggle-button")->isEnabled());
    QTest::mouseClick(find("league-toggle-button"), Qt::LeftButton);
    ASSERT_TRUE(waitForNote(QStringLiteral("plays no further matches"))) << note().toStdString();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return ladder->item(row(), LadderView::kMember)->text() == QStringLiteral("1 (no longer plays)");
        },
        kTimeoutMs));
    EXPECT_FALSE(find("league-play-button")->isEnabled());
    ladder->setCurrentCell(row(), 0);
    EXPECT_EQ(find("league-toggle-button")->text(), QStringLiteral("Include the member again"));
    QTest::mouseClick(find("league-toggle-button"), Qt::LeftButton);
    ASSERT_TRUE(waitForNote(QStringLiteral("plays again"))) << note().toStdString();
    EXPECT_TRUE(QTest::qWaitFor([&] { return find("league-play-button")->isEnabled(); }, kTimeoutMs));
}

TEST_F(LeaguePageTest, AMemberWhosePolicyWasRemovedIsNamedAndTheOthersPlay) {
    train(QStringLiteral("tic_tac_toe"), QStringLiteral("2000"));
    makeLeague({QStringLiteral("1"), QStringLiteral("random"), QStringLiteral("minimax")});
    ASSERT_TRUE(QDir(dataFolder() + QStringLiteral("/leagues")).removeRecursively());
    openPage();
    ASSERT_TRUE(waitForMembers(3));
    const QString facts = find<QLabel>("league-facts")->text();
    EXPECT_TRUE(facts.contains(QStringLiteral("“1” cannot play because its policy was removed")))
        << facts.toStdString();
    ASSERT_TRUE(QTest::qWaitFor([&] { return find("league-play-button")->isEnabled(); }, kTimeoutMs));
    find<QSpinBox>("league-rounds")->setValue(1);
    QTest::mouseClick(find("league-play-button"), Qt::LeftButton);
    EXPECT_EQ(leagues_->job().expected_games, 20) << "two members can play";
    ASSERT_TRUE(waitForNote(QStringLiteral("Matches played: 1"))) << note().toStdString();
    EXPECT_TRUE(note().contains(QStringLiteral("The policy of member '1' was removed")))
        << note().toStdString();
    EXPECT_TRUE(leagues_->noteIsProblem());
    savePicture(*page_, QStringLiteral("league-removed"));
    // Its run still exists.
    auto* ladder = find<LadderView>("ladder");
    for (int row = 0; row < ladder->rowCount(); ++row)
        if (ladder->item(row, LadderView::kMember)->text().startsWith(QLatin1Char('1')))
            ladder->setCurrentCell(row, 0);
    QTest::keyClick(ladder, Qt::Key_Return);
    const auto* link = navigator_.opened<DashboardLink>();
    ASSERT_NE(link, nullptr);
    EXPECT_EQ(link->run, 1);
}

TEST_F(LeaguePageTest, AMemberIsPlayedAgainstAndAMatchIsWatchedInADuel) {
    train(QStringLiteral("tic_tac_toe"), QStringLiteral("2000"));
    makeLeague({QStringLiteral("1"), QStringLiteral("minimax")});
    openPage();
    ASSERT_TRUE(waitForMembers(2));
    auto* ladder = find<LadderView>("ladder");
    auto* payoff = find<QTableWidget>("payoff");
    EXPECT_FALSE(find("league-challenge-button")->isEnabled()) << "no member is selected";
    EXPECT_FALSE(find("league-watch-button")->isEnabled());
    const int learner = cell("ladder", 0, LadderView::kMember) == QLatin1String("1") ? 0 : 1;
    ladder->setCurrentCell(learner, 0);
    QTest::mouseClick(find("league-challenge-button"), Qt::LeftButton);
    const auto* link = navigator_.opened<DuelLink>();
    ASSERT_NE(link, nullptr);
    EXPECT_EQ(link->a, QLatin1String(kPersonPlayer));
    EXPECT_EQ(link->b, QStringLiteral("league:club/1"));
    EXPECT_EQ(link->env, QStringLiteral("tic_tac_toe"));
    ASSERT_TRUE(link->rules);
    EXPECT_EQ(link->rules->opening, 2);
    EXPECT_FALSE(link->rules->samples);
    payoff->setCurrentCell(1, 1);
    EXPECT_FALSE(find("league-watch-button")->isEnabled()) << "a member does not play against itself";
    payoff->setCurrentCell(1 - learner, learner);
    QTest::mouseClick(find("league-watch-button"), Qt::LeftButton);
    link = navigator_.opened<DuelLink>();
    EXPECT_EQ(link->a, QStringLiteral("minimax")) << "the row";
    EXPECT_EQ(link->b, QStringLiteral("league:club/1"));
    savePicture(*page_, QStringLiteral("league-match"));
    // Without its policy it cannot play, even if it stays selected.
    ASSERT_TRUE(QDir(dataFolder() + QStringLiteral("/leagues")).removeRecursively());
    leagues_->refresh();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !find("league-watch-button")->isEnabled(); }, kTimeoutMs));
    EXPECT_FALSE(find("league-challenge-button")->isEnabled());
}

TEST_F(LeaguePageTest, VersionsOfARunJoinAndTheirRatingsAreShownOverTheSteps) {
    seedbed({QStringLiteral("train"), QStringLiteral("tic_tac_toe"), QStringLiteral("--steps"),
             QStringLiteral("8000"), QStringLiteral("--quiet"), QStringLiteral("--actor.num_envs=8"),
             QStringLiteral("--algo.rollout_length=16"), QStringLiteral("--eval.final_episodes=5"),
             QStringLiteral("--checkpoint.milestone_steps=1024")});
    makeLeague({QStringLiteral("random")});
    openPage();
    ASSERT_TRUE(waitForMembers(1));
    auto* tabs = find<QTabWidget>("league-results");
    EXPECT_FALSE(tabs->isTabVisible(1));
    QTest::mouseClick(find("league-follow-button"), Qt::LeftButton);
    auto* asked = dialog<FollowRunDialog>();
    ASSERT_NE(asked, nullptr);
    EXPECT_EQ(asked->run(), 1);
    find<QSpinBox>("league-games")->setValue(200);
    savePicture(*asked, QStringLiteral("league-follow"));
    accept(asked);
    ASSERT_TRUE(QTest::qWaitFor([&] { return leagues_->isFollowing(); }, kTimeoutMs));
    EXPECT_EQ(find("league-follow-button")->text(), QStringLiteral("Stop following the run"));
    ASSERT_TRUE(waitForNote(QStringLiteral("Tic-tac-toe · run 1 has ended"))) << note().toStdString();
    ASSERT_TRUE(QTest::qWaitFor([&] { return tabs->isTabVisible(1); }, kTimeoutMs));
    tabs->setCurrentIndex(1);
    const auto runs = leagues_->shown().versions();
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0].run, 1);
    EXPECT_EQ(runs[0].versions.size(), leagues_->shown().ladder.size() - 1);
    EXPECT_TRUE(std::is_sorted(runs[0].versions.begin(), runs[0].versions.end(),
                               [](const auto& a, const auto& b) { return a.step < b.step; }));
    EXPECT_TRUE(find<QWidget>("league-versions")
                    ->accessibleDescription()
                    .contains(countText(runs[0].versions.back().step)));
    // Greedy policies repeat games: there are 72 openings, two seats and two players that can start.
    const auto [games, distinct] = leagues_->shown().totals();
    EXPECT_LT(distinct, games);
    EXPECT_TRUE(
        find<QLabel>("league-facts")
            ->text()
            .contains(
                QStringLiteral("%1 of %2 games are distinct").arg(countText(distinct), countText(games))))
        << find<QLabel>("league-facts")->text().toStdString();
    savePicture(*page_, QStringLiteral("league-versions"));
}

TEST_F(LeaguePageTest, MainAgentsAndExploitersAreTrainedAndJoin) {
    makeLeague({QStringLiteral("random")});
    openPage();
    ASSERT_TRUE(waitForMembers(1));
    find<QSpinBox>("league-games")->setValue(4);
    QTest::mouseClick(find("league-train-button"), Qt::LeftButton);
    auto* asked = dialog<TrainLeagueDialog>();
    ASSERT_NE(asked, nullptr);
    EXPECT_EQ(asked->training().preset, QStringLiteral("tic_tac_toe"));
    const auto time = [&] { return asked->findChild<QLabel*>(QStringLiteral("train-time"))->text(); };
    EXPECT_TRUE(time().startsWith(QStringLiteral("10 "))) << time().toStdString();
    asked->findChild<QSpinBox*>(QStringLiteral("train-steps"))->setValue(3000);
    asked->findChild<QSpinBox*>(QStringLiteral("train-generations"))->setValue(1);
    EXPECT_TRUE(time().startsWith(QStringLiteral("2 "))) << time().toStdString();
    savePicture(*asked, QStringLiteral("league-train"));
    accept(asked);
    ASSERT_TRUE(leagues_->isTraining());
    EXPECT_EQ(find("league-train-button")->text(), QStringLiteral("Stop the training"));
    EXPECT_TRUE(find<QLabel>("league-facts")->text().contains(QStringLiteral("are being trained")));
    ASSERT_TRUE(waitForNote(QStringLiteral("2 trained agent(s) joined"))) << note().toStdString();
    ASSERT_TRUE(waitForMembers(3));
    EXPECT_EQ(leagues_->leagues().first().games, 12) << "three pairs";
    EXPECT_EQ(find("league-train-button")->text(), QStringLiteral("Train agents…"));
    QStringList names;
    for (const LeagueRow& row : leagues_->shown().ladder) names += row.name;
    names.sort();
    EXPECT_EQ(names.join(QLatin1Char(' ')), QStringLiteral("exploiter-1 main-1 random"));
    // Only main agents, and they continue from those that exist.
    QTest::mouseClick(find("league-train-button"), Qt::LeftButton);
    asked = dialog<TrainLeagueDialog>();
    ASSERT_NE(asked, nullptr);
    EXPECT_EQ(asked->training().generations, 6);
    asked->findChild<QCheckBox*>(QStringLiteral("train-exploiters"))->setChecked(false);
    EXPECT_TRUE(
        asked->training().arguments(QStringLiteral("club")).contains(QStringLiteral("--no-exploiters")));
    asked->reject();
    leagues_->train(QStringLiteral("club"), {.preset = QStringLiteral("pong"), .steps = 1});
    ASSERT_TRUE(waitForNote(QStringLiteral("trains in 'pong'"))) << note().toStdString();
    EXPECT_TRUE(note().startsWith(QStringLiteral("This configuration"))) << note().toStdString();
    EXPECT_TRUE(leagues_->noteIsProblem());
    // A training that is stopped saves its run and continues.
    leagues_->train(QStringLiteral("club"),
                    {.preset = QStringLiteral("tic_tac_toe"), .steps = 100'000'000, .generations = 2});
    const auto second = [&]() -> const RunRecord* {
        for (const RunRecord& run : *runs_->runs())
            if (run.name == "club main-2") return &run;
        return nullptr;
    };
    // The main agent of the first generation has joined, so the second one is trained.
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return second() != nullptr && second()->progress.steps > 0; }, kTimeoutMs));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            leagues_->refresh();
            QTest::qWait(50);
            return leagues_->shown().is_training;
        },
        kTimeoutMs));
    QTest::mouseClick(find("league-train-button"), Qt::LeftButton);
    EXPECT_FALSE(find("league-train-button")->isEnabled());
    ASSERT_TRUE(waitForNote(QStringLiteral("Stopped. The same training continues"))) << note().toStdString();
    EXPECT_FALSE(leagues_->noteIsProblem());
    EXPECT_TRUE(QTest::qWaitFor([&] { return second()->status == RunStatus::interrupted; }, kTimeoutMs));
    EXPECT_TRUE(QTest::qWaitFor([&] { return find("league-train-button")->isEnabled(); }, kTimeoutMs));
}

TEST_F(LeaguePageTest, AnErrorOfACommandIsShown) {
    makeLeague({QStringLiteral("random")});
    openPage();
    ASSERT_TRUE(waitForMembers(1));
    leagues_->add(QStringLiteral("club"), {QStringLiteral("7:best")});
    ASSERT_TRUE(waitForNote(QStringLiteral("7"))) << note().toStdString();
    EXPECT_TRUE(leagues_->noteIsProblem());
    EXPECT_FALSE(note().startsWith(QStringLiteral("seedbed:"))) << note().toStdString();
}

TEST(PayoffColours, AreReadableInBothThemesAndSeparateWinsFromLosses) {
    Theme theme;
    const auto luminance = [](const QColor& colour) {
        const auto linear = [](double part) {
            return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
               0.0722 * linear(colour.blueF());
    };
    for (const auto mode : {Theme::Mode::light, Theme::Mode::dark}) {
        theme.setMode(mode);
        for (int percent = 0; percent <= 100; ++percent) {
            const QColor back = scoreColour(theme, percent / 100.0);
            const double a = luminance(back), b = luminance(readableOn(back));
            EXPECT_GE((std::max(a, b) + 0.05) / (std::min(a, b) + 0.05), 4.5) << percent;
        }
        const QColor win = scoreColour(theme, 1), loss = scoreColour(theme, 0);
        EXPECT_GT(win.blue(), win.red());
        EXPECT_GT(loss.red(), loss.blue());
        EXPECT_EQ(scoreColour(theme, 0.5), QApplication::palette().color(QPalette::Base));
    }
}

TEST(PlainMessages, HaveNoPrefixAndNoRepetition) {
    EXPECT_EQ(plainMessages(QStringLiteral("seedbed: a; 'x' does not play\nseedbed: b\nseedbed: b\n\n")),
              QStringLiteral("A; 'x' does not play\nB"));
}

}  // namespace
}  // namespace seedbed::ui
