// SPDX-License-Identifier: Apache-2.0
// Tests the page of duels with real players: sentences, where the players stop, keys, and players that are
// missing or are killed.
#include <algorithm>
#include <csignal>

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>

#include "tests/ui/program_fixture.hpp"
#include "ui/models/play/duel_candidates.hpp"
#include "ui/models/play/duel_players.hpp"
#include "ui/models/play/duel_text.hpp"
#include "ui/views/compare/compare_link.hpp"
#include "ui/views/duel/choice_bars.hpp"
#include "ui/views/duel/duel_link.hpp"
#include "ui/views/duel/duel_stage.hpp"
#include "ui/views/duel/player_choice.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/watch/play_panel.hpp"
#include "ui/views/watch/scene_grid.hpp"

namespace seedbed::ui {
namespace {

QJsonObject object(const char* json) { return QJsonDocument::fromJson(json).object(); }

const DuelNames kNames{QStringLiteral("run 3"), QStringLiteral("run 2")};

std::string differenceOf(const char* json) {
    return differenceText(differenceFromJson(object(json)), kNames).toStdString();
}

TEST(DuelText, TheFirstDifferenceIsASentenceWithProbabilities) {
    EXPECT_EQ(
        differenceOf(R"({"differs": true, "step": 37, "seat": 0,
        "a": {"action": [0], "action_text": "push left", "policy": [0.93, 0.07]},
        "b": {"action": [1], "action_text": "push right", "policy": [0.288, 0.712]}})"),
        "The same for 37 decisions. Then run 3 chose push left (93 %), and run 2 chose push right (71 %).");
    // `policy` of a continuous action contains its mean and deviation, that of a scripted player nothing.
    EXPECT_EQ(differenceOf(R"({"differs": true, "step": 0, "seat": 0,
        "a": {"action": [0.5], "action_text": "force 0.5", "policy": [0.4, 0.6]},
        "b": {"action": [-1], "action_text": "force -1", "policy": []}})"),
              "They differ in their first decision: run 3 chose force 0.5, and run 2 chose force -1.");
    EXPECT_EQ(
        differenceOf(R"({"differs": true, "step": 1, "seat": 1,
        "a": {"action": [1], "action_text": "up", "policy": [0.002, 0.998]},
        "b": {"action": [0], "action_text": "down", "policy": [1, 0]}})"),
        "The same for one decision. Then, in seat 2, run 3 chose up (>99 %), and run 2 chose down (100 %).");
    EXPECT_EQ(differenceOf(R"({"differs": false, "step": 500, "seat": 0, "a": {}, "b": {}})"),
              "They never differ: the same actions in all 500 decisions of the episode.");
}

TEST(DuelText, EndsNameReturnsOrTheWinner) {
    EXPECT_EQ(returnsText(kNames, {500, 212}).toStdString(),
              "In the end, run 3 reached 500, and run 2 reached 212.");
    EXPECT_EQ(returnsText(kNames, {500, 500}).toStdString(), "Both reached 500.");
    EXPECT_EQ(winnerText(kNames, {-1, 1}).toStdString(), "Run 2 won.");
    EXPECT_EQ(winnerText(kNames, {5, -5}).toStdString(), "Run 3 won by 5 points.");
    EXPECT_EQ(winnerText(kNames, {3, 2}).toStdString(), "Run 3 won, with a return of 3 against 2.");
    EXPECT_TRUE(winnerText(kNames, {0, 0}).contains(QStringLiteral("draw")));
}

TEST(DuelText, AScoreStatesWhetherItsIntervalShowsADifference) {
    const char* games =
        R"({"seats": 2, "games": 100, "wins": {"n": 82}, "draws": {"n": 6}, "losses": {"n": 12},
        "score": {"share": 0.85, "ci95": [%1, %2]}})";
    const auto score = [&](const char* low, const char* high) {
        return scoreFromJson(
            object(
                QString::fromLatin1(games).arg(QLatin1String(low), QLatin1String(high)).toUtf8().constData()),
            kNames);
    };
    EXPECT_EQ(
        score("0.77", "0.91").numbers.toStdString(),
        "Of 100 games, run 3 won 82, drew 6 and lost 12 against run 2: score 85 % (95 % interval 77 % to "
        "91 %).");
    EXPECT_EQ(score("0.77", "0.91").better, 0);
    EXPECT_EQ(score("0.1", "0.4").better, 1);
    EXPECT_EQ(score("0.5", "0.91").better, -1);
    EXPECT_TRUE(
        score("0.1", "0.4")
            .conclusion.contains(QStringLiteral("Run 2 is stronger than run 3: the interval excludes")));
    EXPECT_TRUE(score("0.5", "0.91").conclusion.contains(QStringLiteral("contains 50 %")));

    const auto returns = [&](const char* low, const char* high) {
        return scoreFromJson(
            object(
                QStringLiteral(R"({"seats": 1, "games": 20, "a_return": {"mean": 487.5, "ci95": [470, 500]},
                "b_return": {"mean": 212, "ci95": [190, 240]}, "difference": {"mean": 275.5, "ci95": [%1, %2]}})")
                    .arg(QLatin1String(low), QLatin1String(high))
                    .toUtf8()
                    .constData()),
            kNames);
    };
    EXPECT_EQ(
        returns("230", "300").numbers.toStdString(),
        "Mean return of 20 episodes: 487.5 for run 3 (95 % interval 470 to 500), and 212 for run 2 (190 "
        "to 240). Difference: +275.5 (+230 to +300).");
    EXPECT_EQ(returns("230", "300").better, 0);
    EXPECT_EQ(returns("-300", "-1").better, 1);
    EXPECT_TRUE(returns("-1", "300").conclusion.contains(QStringLiteral("contains 0")));
}

TEST(DuelCandidates, PlayersFitTheEnvironment) {
    std::vector<RunRecord> runs(3);
    for (std::size_t i = 0; i < 3; ++i) {
        runs[i].id = static_cast<RunId>(i) + 1;
        runs[i].env = "pong";
        runs[i].progress.steps = i == 1 ? 0 : 10;  // run 2 has not trained
    }
    runs[2].last_return = 3.25;
    EXPECT_EQ(duelCandidates(runs, {}, {}, {})[0].text, QStringLiteral("Pong for two · run 3 · 3.25"));
    EXPECT_EQ(duelCandidates(runs, {}, {}, {})[1].text, QStringLiteral("Pong for two · run 1"));
    const auto players = [&](const char* env) {
        QStringList all;
        const auto policies = QJsonDocument::fromJson(R"([{"name": "friend", "env": "pong"},
            {"name": "broken", "error": "damaged"}])")
                                  .array();
        const auto leagues = QJsonDocument::fromJson(R"([{"name": "club", "env": "pong", "players": [
            {"name": "1:9/x", "params_sha256": "ab", "problem": ""}, {"name": "tracker", "params_sha256": ""},
            {"name": "old", "params_sha256": "cd", "problem": "its policy was removed"}]}])")
                                 .array();
        for (const DuelCandidate& each : duelCandidates(runs, policies, leagues, QLatin1String(env)))
            all << each.player;
        return all.join(QLatin1Char(' ')).toStdString();
    };
    EXPECT_EQ(players("pong"), "@you 3 1 friend league:club/1:9/x random tracker");
    EXPECT_EQ(players("connect_four"), "@you 3 1 friend league:club/1:9/x alpha_beta:4 random");
    EXPECT_EQ(leaguePlayerName(QStringLiteral("league:club/1:9/x")), QStringLiteral("1:9/x of club"));
    EXPECT_EQ(leaguePlayerName(QStringLiteral("club/1")), QString());
    EXPECT_EQ(gameOf(QStringLiteral("tic_tac_toe")).seats, 2);
    EXPECT_EQ(gameOf(QStringLiteral("cartpole")).tolerance, 0);
    EXPECT_DOUBLE_EQ(gameOf(QStringLiteral("pendulum")).tolerance, 0.2) << "torques from -2 to 2";
    EXPECT_EQ(splitPlayer(QStringLiteral("3:0")).step(), 0);
    EXPECT_EQ(splitPlayer(QStringLiteral("alpha_beta:4")).base, QStringLiteral("alpha_beta:4"));
}

class DuelPageTest : public ProgramTest {
protected:
    void TearDown() override { page_.reset(); }
    void openPage(const std::any& link = {}) {
        openStore();
        for (const PageEntry& entry : pageRegistry())
            if (entry.id == QLatin1String(DuelLink::kPage)) page_.reset(entry.make(services_));
        ASSERT_NE(page_, nullptr);
        page_->resize(960, 700);
        page_->open(link);
        page_->show();
    }
    // The weights before and after a short training.
    void trainTwoWeights() { train(QStringLiteral("cartpole"), QStringLiteral("6000")); }
    static DuelLink twoWeights() { return {.a = QStringLiteral("1"), .b = QStringLiteral("1:0")}; }

    template <class Widget>
    Widget* find(const char* id) {
        return page_->findChild<Widget*>(QLatin1String(id));
    }
    DuelPlayers& players() { return *page_->findChild<DuelPlayers*>(); }
    QString sentence() { return find<QLabel>("duel-sentence")->text(); }
    QString details() { return find<QLabel>("duel-details")->text(); }
    // -1 before the first frame.
    qint64 row(int side) {
        const auto frame = players().frame(side);
        return frame ? static_cast<qint64>(frame->row) : -1;
    }
    void trigger(const char* action) { find<QAction>(action)->trigger(); }
    template <class Wanted>
    bool until(const Wanted& wanted) {
        return QTest::qWaitFor(wanted, kTimeoutMs);
    }
    bool untilDifference() {
        return until([&] { return sentence().contains(QStringLiteral("chose")) && players().isPaused(); });
    }
    // The reply of `seedbed duel` for the first seed with which the weights differ after some decisions.
    QJsonObject found() {
        for (int seed = 1; seed <= 100; ++seed) {
            QProcess process;
            process.start(program(), {QStringLiteral("duel"), QStringLiteral("1"), QStringLiteral("1:0"),
                                      QStringLiteral("--seed"), QString::number(seed),
                                      QStringLiteral("--json"), QStringLiteral("--data"), dataFolder()});
            EXPECT_TRUE(process.waitForFinished(kTimeoutMs));
            const QJsonObject json = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
            const qint64 step = json[QStringLiteral("step")].toInteger();
            const auto length = [&](const char* side) {
                return json[QLatin1String(side)][QStringLiteral("length")].toInteger();
            };
            if (json[QStringLiteral("differs")].toBool() && step >= 3 &&
                std::min(length("a"), length("b")) > step + 6)
                return json;
        }
        return {};
    }

    std::unique_ptr<Page> page_;
};

TEST_F(DuelPageTest, APlayerThatDoesNotFitAnyMoreIsNotOffered) {
    openStore();
    PlayerChoice choice(services_, 1, nullptr);
    const DuelCandidate pong{.player = QStringLiteral("random"), .text = QStringLiteral("random")};
    const DuelCandidate other{.player = QStringLiteral("tracker"), .text = QStringLiteral("tracker")};
    choice.setCandidates({pong, other});
    choice.choose(QStringLiteral("7"));
    const auto* list = choice.findChild<QComboBox*>(QStringLiteral("duel-b"));
    EXPECT_EQ(list->count(), 3) << "the choice stays, even if it is not listed";
    choice.choose(QStringLiteral("tracker"));
    EXPECT_EQ(list->count(), 2);
    EXPECT_EQ(list->findData(QStringLiteral("7")), -1);
}

TEST_F(DuelPageTest, BothStopAtTheFirstDifferenceAndPlayOnToTheEnd) {
    trainTwoWeights();
    const QJsonObject expected = found();
    const qint64 step = expected[QStringLiteral("step")].toInteger();
    ASSERT_GE(step, 3);
    openPage(twoWeights());
    find<QSpinBox>("duel-seed")->setValue(expected[QStringLiteral("seed")].toInt());
    trigger("duel-start");
    ASSERT_TRUE(untilDifference()) << sentence().toStdString();
    ASSERT_TRUE(until([&] { return row(0) == step && row(1) == step; }));
    EXPECT_NE(players().frame(0)->cells[0].now.action, players().frame(1)->cells[0].now.action);
    EXPECT_TRUE(sentence().contains(QStringLiteral("CartPole · run 1 (newest weights) chose ")));
    EXPECT_TRUE(sentence().contains(QStringLiteral("run 1 at step 0 chose ")));
    savePicture(*page_, QStringLiteral("duel-difference"));
    const QList<ChoiceBars*> bars = page_->findChildren<ChoiceBars*>();
    EXPECT_EQ(std::count_if(bars.begin(), bars.end(), [](auto* each) { return each->isVisible(); }), 2);
    for (const ChoiceBars* each : bars) {
        const QString text = each->isVisible() ? each->text() : QStringLiteral("push left push right");
        EXPECT_TRUE(text.contains(QStringLiteral("push left")) &&
                    text.contains(QStringLiteral("push right")));
    }

    // Keys control both.
    auto* grid = find<SceneGrid>("duel-game-a");
    QTest::keyClick(grid, Qt::Key_Right);
    QTest::keyClick(grid, Qt::Key_Right);
    ASSERT_TRUE(until([&] { return row(0) == step + 2 && row(1) == step + 2; }));
    QTest::keyClick(grid, Qt::Key_Left);
    ASSERT_TRUE(until([&] { return row(0) == step + 1 && row(1) == step + 1; }));
    QTest::keyClick(grid, Qt::Key_Space);
    ASSERT_TRUE(until([&] { return !players().isPaused() && row(0) > step + 4 && row(1) > step + 1; }));
    QTest::keyClick(grid, Qt::Key_Space);
    ASSERT_TRUE(until([&] { return players().isPaused() && row(0) == row(1); }));

    // To the end: the shorter episode stays at its last state.
    players().setSpeed(8);
    trigger("duel-play-on");
    ASSERT_TRUE(until([&] { return players().hasEnded(); }));
    for (const auto& [side, key] : {std::pair(0, "a"), std::pair(1, "b")}) {
        const QJsonValue end = expected[QLatin1String(key)];
        EXPECT_EQ(row(side), end[QStringLiteral("length")].toInteger()) << key;
        EXPECT_EQ(players().frame(side)->cells[0].last_return, end[QStringLiteral("return")].toDouble())
            << key;
    }
    EXPECT_TRUE(details().contains(QStringLiteral("reached"))) << details().toStdString();
    EXPECT_FALSE(find<QAction>("duel-play-on")->isVisible());
    savePicture(*page_, QStringLiteral("duel-end"));

    trigger("duel-again");
    EXPECT_FALSE(sentence().contains(QStringLiteral("chose")));
    ASSERT_TRUE(untilDifference());
    ASSERT_TRUE(until([&] { return row(0) == step && row(1) == step; }));
}

TEST_F(DuelPageTest, ASwapExchangesThePlayersAndHidingPausesThem) {
    trainTwoWeights();
    openPage(twoWeights());
    ASSERT_TRUE(untilDifference()) << sentence().toStdString();
    const QString before = sentence();
    QTest::keyClick(find<SceneGrid>("duel-game-a"), Qt::Key_X);
    ASSERT_TRUE(until([&] { return sentence().contains(QStringLiteral("chose")) && sentence() != before; }));
    EXPECT_LT(sentence().indexOf(QStringLiteral("run 1 at step 0")),
              sentence().indexOf(QStringLiteral("run 1 (newest weights)")));
    const QVariantMap state = page_->saveState();
    EXPECT_EQ(state[QStringLiteral("a")], QStringLiteral("1:0"));
    // A duel is kept, paused, and continues only on request; so is its result.
    trigger("duel-play-on");
    page_->hide();
    EXPECT_TRUE(players().isPaused());
    EXPECT_EQ(players().count(), 2);
    const QString kept = sentence();
    page_->show();
    EXPECT_EQ(sentence(), kept);
    EXPECT_TRUE(players().isPaused());
    players().setSpeed(8);
    trigger("duel-play-on");
    ASSERT_TRUE(until([&] { return players().hasEnded(); }));
    const QString end = details();
    page_->hide();
    page_->show();
    EXPECT_TRUE(players().hasEnded() && end.contains(QStringLiteral("reached")));
    EXPECT_EQ(details(), end);
    // Players that were still preparing do not start again on their own.
    trigger("duel-start");
    page_->hide();
    page_->show();
    EXPECT_EQ(players().count(), 0);

    trigger("duel-start");
    ASSERT_TRUE(untilDifference());
    const auto process = static_cast<pid_t>(players().client(0).about().process);
    page_->hide();
    page_.reset();
    EXPECT_TRUE(until([&] { return ::kill(process, 0) != 0; })) << "players end with the page";
    openPage();
    page_->restoreState(state);
    EXPECT_EQ(page_->saveState(), state);
}

TEST_F(DuelPageTest, TheFirstOpponentIsTheOldRunOrOldWeights) {
    trainTwoWeights();
    openPage();
    ASSERT_TRUE(until([&] { return page_->saveState()[QStringLiteral("b")] == QStringLiteral("1:0"); }))
        << "there is only one run";
    // The newest weights are one entry.
    auto* weights = find<QComboBox>("duel-weights-a");
    ASSERT_TRUE(until([&] { return weights->count() > 1; }));
    EXPECT_TRUE(weights->itemText(0).startsWith(QStringLiteral("Newest weights, return ")));
    EXPECT_TRUE(weights->itemText(0).endsWith(QStringLiteral("(best)")))
        << weights->itemText(0).toStdString();
    EXPECT_EQ(weights->itemText(weights->count() - 1), QStringLiteral("Step 0, untrained"));
    EXPECT_FALSE(weights->itemText(1).endsWith(QStringLiteral("(best)")));
    EXPECT_EQ(page_->saveState()[QStringLiteral("a")], QStringLiteral("1")) << "not a certain step";
    page_->open(DuelLink{.a = QStringLiteral("1:best"), .b = QStringLiteral("random")});
    ASSERT_TRUE(until([&] { return weights->count() > 1; }));
    EXPECT_EQ(weights->currentIndex(), 0);
    page_.reset();
    trainTwoWeights();
    train(QStringLiteral("pendulum"), QStringLiteral("2000"));
    openPage();
    EXPECT_EQ(page_->saveState()[QStringLiteral("a")], QStringLiteral("3"));
    auto* first = find<QComboBox>("duel-a");
    first->setCurrentIndex(first->findData(QStringLiteral("2")));
    EXPECT_EQ(page_->saveState()[QStringLiteral("b")], QStringLiteral("1"))
        << "the environment follows the run";
    EXPECT_EQ(find<QComboBox>("duel-b")->findData(QStringLiteral("3")), -1);
    // A different choice closes the duel that is shown.
    trigger("duel-start");
    EXPECT_EQ(players().count(), 2);
    first->setCurrentIndex(first->findData(QStringLiteral("1")));
    EXPECT_EQ(players().count(), 0);
}

TEST_F(DuelPageTest, ProblemsAreShownWithTheirRemedy) {
    trainTwoWeights();
    openPage(twoWeights());
    ASSERT_TRUE(untilDifference()) << sentence().toStdString();
    ::kill(static_cast<pid_t>(players().client(1).about().process), SIGKILL);
    auto* restart = find<QPushButton>("duel-restart");
    ASSERT_TRUE(until([&] { return restart->isVisible(); }));
    EXPECT_TRUE(
        find<QLabel>("duel-problem")->text().startsWith(QStringLiteral("CartPole · run 1 at step 0: ")));
    savePicture(*page_, QStringLiteral("duel-killed"));
    QTest::mouseClick(restart, Qt::LeftButton);
    ASSERT_TRUE(untilDifference());
    EXPECT_FALSE(restart->isVisible());

    // A run that does not exist, and players of different environments.
    page_->open(DuelLink{.a = QStringLiteral("1"), .b = QStringLiteral("77")});
    ASSERT_TRUE(until([&] { return sentence() == QStringLiteral("There is no run 77."); }))
        << sentence().toStdString();
    EXPECT_FALSE(find<QAction>("duel-start")->isEnabled());
    train(QStringLiteral("pendulum"), QStringLiteral("2000"));
    ASSERT_TRUE(until([&] { return runs_->find(2) != nullptr; }));
    page_->open(DuelLink{.a = QStringLiteral("1"), .b = QStringLiteral("2")});
    EXPECT_TRUE(sentence().contains(QStringLiteral("different environments"))) << sentence().toStdString();
    EXPECT_EQ(players().count(), 0);
}

TEST_F(DuelPageTest, AGameForTwoNamesTheWinnerAndPlayersSwapTheirSeats) {
    openPage(DuelLink{
        .a = QStringLiteral("minimax"), .b = QStringLiteral("random"), .env = QStringLiteral("tic_tac_toe")});
    find<QComboBox>("duel-speed")->setCurrentIndex(find<QComboBox>("duel-speed")->count() - 1);
    const auto check = [&](int seat) {
        ASSERT_TRUE(until([&] { return players().hasEnded(); }))
            << find<QLabel>("duel-problem")->text().toStdString();
        EXPECT_EQ(players().count(), 1);
        const PlayerCell& cell = players().frame(0)->cells[0];
        const double own = cell.lastReturnOf(seat), other = cell.lastReturnOf(1 - seat);
        EXPECT_GE(own, other) << "minimax does not lose";
        EXPECT_TRUE(
            sentence().contains(own == other ? QStringLiteral("draw") : QStringLiteral("Minimax won")))
            << sentence().toStdString();
    };
    check(0);
    trigger("duel-swap");
    EXPECT_EQ(page_->saveState()[QStringLiteral("a")], QStringLiteral("random"));
    check(1);
    EXPECT_FALSE(find<QLabel>("duel-score-numbers")->text().contains(QStringLiteral("differ")));
    EXPECT_FALSE(find<SceneGrid>("duel-game-b")->isVisible());
    savePicture(*page_, QStringLiteral("duel-seats"));
}

TEST_F(DuelPageTest, APersonPlaysTheSameEpisodeOrASeat) {
    trainTwoWeights();
    const QString you = QLatin1String(kPersonPlayer);
    openPage(DuelLink{.a = QStringLiteral("1"), .b = you});
    const auto panel = [&]() -> PlayPanel* {
        for (PlayPanel* each : page_->findChildren<PlayPanel*>())
            if (each->plays()) return each;
        return nullptr;
    };
    ASSERT_TRUE(until([&] { return panel() != nullptr; })) << sentence().toStdString();
    EXPECT_FALSE(find<QPushButton>("duel-measure")->isVisible()) << "scores need no keyboard";
    EXPECT_EQ(panel()->findChild<QPushButton*>(QStringLiteral("play-return"))->text(),
              QStringLiteral("Stop"));
    auto* grid = find<SceneGrid>("duel-game-b");
    // The agent waits for the person, who falls by one key.
    ASSERT_TRUE(until([&] { return players().client(1).status().waiting; }));
    EXPECT_EQ(row(1), 0);
    QTest::keyPress(grid, Qt::Key_Right);
    ASSERT_TRUE(until([&] {
        const auto frame = players().frame(1);
        return frame && frame->cells[0].last_end == EpisodeMark::terminated;
    }));
    QTest::keyRelease(grid, Qt::Key_Right);
    EXPECT_LT(players().frame(1)->cells[0].last_return, 20);
    EXPECT_EQ(players().frame(1)->cells[0].now.step, 0) << "the last picture of the person's game stays";
    ASSERT_TRUE(until([&] { return players().hasEnded(); }));
    EXPECT_EQ(players().frame(1)->cells[0].now.step, 0) << "while the agent played on";
    EXPECT_TRUE(sentence().contains(QStringLiteral("you reached"))) << sentence().toStdString();
    EXPECT_EQ(row(0), static_cast<qint64>(players().frame(0)->cells[0].last_return))
        << "the agent's own episode";
    for (PlayPanel* each : page_->findChildren<PlayPanel*>()) EXPECT_FALSE(each->isVisible());
    EXPECT_TRUE(find<QAction>("duel-back")->isEnabled());
    EXPECT_TRUE(find<QAction>("duel-back")->shortcut().isEmpty()) << "the key was the person's";

    // The person plays again, and ends the duel by leaving it.
    trigger("duel-again");
    ASSERT_TRUE(until([&] { return panel() != nullptr; }));
    QTest::keyClick(grid, Qt::Key_Escape);
    EXPECT_EQ(players().count(), 0);

    // In a game of two, the first seat, then the second one.
    page_->open(DuelLink{.a = you, .b = QStringLiteral("minimax"), .env = QStringLiteral("tic_tac_toe")});
    ASSERT_TRUE(until([&] { return panel() != nullptr && players().client(0).status().waiting; }));
    EXPECT_EQ(players().count(), 1);
    EXPECT_EQ(row(0), 0) << "no move was made";
    trigger("duel-swap");
    ASSERT_TRUE(until([&] { return panel() != nullptr && players().client(0).status().waiting; }));
    EXPECT_EQ(row(0), 1) << "minimax has moved";
    // A game that does not wait begins with the person's first key.
    page_->open(DuelLink{.a = you, .b = QStringLiteral("tracker"), .env = QStringLiteral("pong")});
    ASSERT_TRUE(until([&] { return panel() != nullptr && players().isPaused() && players().frame(0); }));
    QTest::qWait(200);
    const qint64 at = row(0);
    QTest::qWait(300);
    EXPECT_EQ(row(0), at);
    QTest::keyPress(find<SceneGrid>("duel-game-a"), Qt::Key_Up);
    EXPECT_TRUE(until([&] { return !players().isPaused() && row(0) > at + 3; }));
    QTest::keyRelease(find<SceneGrid>("duel-game-a"), Qt::Key_Up);

    // The other player of a person decides what is played.
    auto* other = find<QComboBox>("duel-b");
    const int run = other->findData(QStringLiteral("1"));
    ASSERT_GE(run, 0) << "of another environment";
    other->setCurrentIndex(run);
    trigger("duel-start");
    ASSERT_TRUE(until([&] { return panel() != nullptr && players().frame(0); }));
    EXPECT_EQ(players().client(0).about().env, QStringLiteral("cartpole"));

    // Two persons are one too many.
    page_->open(DuelLink{.a = you, .b = you, .env = QStringLiteral("tic_tac_toe")});
    EXPECT_FALSE(find<QAction>("duel-start")->isEnabled());
}

TEST_F(DuelPageTest, MembersOfALeaguePlayByItsRules) {
    train(QStringLiteral("tic_tac_toe"), QStringLiteral("2000"));
    for (const char* command : {"league create club --env tic_tac_toe", "league add club 1 minimax", "rm 1"})
        seedbed(QString::fromLatin1(command).split(QLatin1Char(' ')));
    const QString member = QStringLiteral("league:club/1");
    openPage(DuelLink{.a = QStringLiteral("minimax"),
                      .b = member,
                      .env = QStringLiteral("tic_tac_toe"),
                      .rules = DuelLink::Rules{3, true}});
    ASSERT_TRUE(until([&] { return players().hasEnded(); })) << sentence().toStdString();
    const auto labels = page_->findChildren<QLabel*>();
    EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->isVisible() && label->text() == QStringLiteral("1 of club · seat 2");
    }));
    const auto command = [&] {
        QTest::mouseClick(find<QPushButton>("duel-copy"), Qt::LeftButton);
        return QGuiApplication::clipboard()->text();
    };
    EXPECT_TRUE(command().contains(QStringLiteral("--opening 3"))) << command().toStdString();
    EXPECT_TRUE(command().contains(QStringLiteral("--sample"))) << command().toStdString();
    ASSERT_TRUE(until([&] { return find<QComboBox>("duel-a")->findData(member) >= 0; }));
    // Other players have no league.
    find<QComboBox>("duel-a")->setCurrentIndex(find<QComboBox>("duel-a")->findData(QStringLiteral("random")));
    EXPECT_FALSE(command().contains(QStringLiteral("--opening"))) << command().toStdString();
    page_->open(DuelLink{.a = QStringLiteral("random"), .b = QStringLiteral("league:club/2")});
    EXPECT_TRUE(until([&] {
        return find<QLabel>("duel-problem")->text().contains(QStringLiteral("no member '2'"));
    })) << find<QLabel>("duel-problem")->text().toStdString();
}

TEST_F(DuelPageTest, BothPlayInTheEnvironmentOfTheRun) {
    seedbed({QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
             QStringLiteral("3000"), QStringLiteral("--quiet"), QStringLiteral("--env.wrap.time_limit=6")});
    openPage(
        DuelLink{.a = QStringLiteral("random"), .b = QStringLiteral("1"), .env = QStringLiteral("cartpole")});
    ASSERT_TRUE(untilDifference()) << sentence().toStdString();
    players().setSpeed(8);
    trigger("duel-play-on");
    ASSERT_TRUE(until([&] { return players().hasEnded(); }));
    EXPECT_EQ(row(0), 6);
    EXPECT_EQ(row(1), 6);
}

TEST_F(DuelPageTest, ScoresArePlayedAndCanBeCancelled) {
    trainTwoWeights();
    openPage(DuelLink{.a = QStringLiteral("1"), .b = QStringLiteral("random")});
    auto* games = find<QSpinBox>("duel-games");
    auto* measure = find<QPushButton>("duel-measure");
    games->setValue(games->maximum());
    QTest::mouseClick(measure, Qt::LeftButton);
    EXPECT_TRUE(find<QWidget>("duel-progress")->isVisibleTo(page_.get()));
    QTest::mouseClick(find<QPushButton>("duel-cancel"), Qt::LeftButton);
    EXPECT_FALSE(find<QWidget>("duel-progress")->isVisibleTo(page_.get()));
    games->setValue(20);
    QTest::mouseClick(measure, Qt::LeftButton);
    auto* conclusion = find<QLabel>("duel-score-sentence");
    ASSERT_TRUE(until([&] { return conclusion->text().contains(QStringLiteral("interval")); }))
        << conclusion->text().toStdString();
    auto* numbers = find<QLabel>("duel-score-numbers");
    EXPECT_TRUE(numbers->text().contains(QStringLiteral("of 20 episodes")));

    // The result is that of the pair.
    const QString result = numbers->text();
    find<QSpinBox>("duel-seed")->setValue(7);
    EXPECT_EQ(numbers->text(), result);
    trigger("duel-swap");
    EXPECT_NE(numbers->text(), result);
    trigger("duel-swap");
    EXPECT_EQ(numbers->text(), result);

    // A player does not differ from itself, also in more games.
    const QString random = QStringLiteral("random");
    page_->open(DuelLink{.a = random, .b = random, .env = QStringLiteral("cartpole")});
    auto* more = find<QPushButton>("duel-more");
    EXPECT_FALSE(more->isVisible());
    QTest::mouseClick(measure, Qt::LeftButton);
    ASSERT_TRUE(until([&] { return more->isVisible(); })) << conclusion->text().toStdString();
    QTest::mouseClick(more, Qt::LeftButton);
    ASSERT_TRUE(until([&] { return numbers->text().contains(QStringLiteral("of 200 episodes")); }));
}

TEST_F(DuelPageTest, AScoreIsMeasuredToTheEndWhenTheRunEnds) {
    QProcess training;
    training.start(program(), {QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
                               QStringLiteral("1000000000"), QStringLiteral("--quiet"),
                               QStringLiteral("--data"), dataFolder()});
    ASSERT_TRUE(training.waitForReadyRead(kTimeoutMs)) << "prints the id of the run";
    openPage();
    const auto first = [&] { return page_->saveState()[QStringLiteral("a")].toString(); };
    ASSERT_TRUE(until([&] { return first().startsWith(QStringLiteral("1:")); })) << "the weights have a step";
    auto* second = find<QComboBox>("duel-b");
    second->setCurrentIndex(second->findData(QStringLiteral("random")));
    find<QSpinBox>("duel-games")->setValue(find<QSpinBox>("duel-games")->maximum());
    QTest::mouseClick(find<QPushButton>("duel-measure"), Qt::LeftButton);
    training.terminate();
    ASSERT_TRUE(training.waitForFinished(kTimeoutMs));
    ASSERT_TRUE(until([&] { return first() == QLatin1String("1"); }));
    EXPECT_TRUE(find<QWidget>("duel-progress")->isVisible())
        << find<QLabel>("duel-score-sentence")->text().toStdString() << '\n'
        << find<QLabel>("duel-score-numbers")->text().toStdString();
}

TEST_F(DuelPageTest, WithoutRunsThereIsAFirstStepAndOnSmallPagesNothingIsCut) {
    openPage();
    auto* first = find<QPushButton>("duel-first");
    ASSERT_TRUE(first->isVisible());
    QTest::mouseClick(first, Qt::LeftButton);
    EXPECT_NE(navigator_.opened<StartLink>(), nullptr);
    page_.reset();

    trainTwoWeights();
    openPage();
    page_->resize(520, 420);
    auto* area = page_->findChild<QScrollArea*>();
    const auto isWhole = [](const QLabel* label) {
        return label->height() >= label->heightForWidth(label->width());
    };
    const QList<QLabel*> labels{find<QLabel>("duel-sentence"), find<QLabel>("duel-details"),
                                find<QLabel>("duel-score-sentence"), find<QLabel>("duel-score-numbers")};
    // Texts arrive while the page is laid out.
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            return area->verticalScrollBar()->maximum() > 0 &&
                   std::all_of(labels.begin(), labels.end(), isWhole);
        },
        kTimeoutMs));
    EXPECT_LE(area->widget()->width(), area->viewport()->width());
    const QRect stage = page_->findChild<DuelStage*>()->rect(),
                game = find<SceneGrid>("duel-game-a")->geometry();
    EXPECT_LT(game.bottom() + 40, stage.bottom()) << "the caption is below the game";
    savePicture(*page_, QStringLiteral("duel-small"));
}

}  // namespace
}  // namespace seedbed::ui
