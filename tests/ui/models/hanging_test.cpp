// SPDX-License-Identifier: Apache-2.0
// Tests that the window never blocks on hanging processes, and that commands outlive the window.
#include <csignal>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

#include "core/control/protocol.hpp"
#include "core/ipc/json_socket.hpp"
#include "tests/ui/models/held_time.hpp"
#include "tests/ui/models/ui_fixture.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/play/player_client.hpp"
#include "ui/models/run_link.hpp"
#include "ui/models/run_report.hpp"

namespace seedbed::testing {
namespace {

// Waiting for a reply would take 2 to 10 s.
constexpr double kHeldMs = 1'000;

class HangingTest : public UiTest {
protected:
    // A listening socket that never replies, like that of a stopped process.
    static JsonListener silent(const std::filesystem::path& path) {
        std::filesystem::create_directories(path.parent_path());
        return must(JsonListener::create(path));
    }
    QString script(const std::string& text) {
        std::filesystem::create_directories(folder());
        const auto path = folder() / "program.sh";
        std::ofstream(path) << "#!/bin/sh\n" << text << "\n";
        chmod(path.c_str(), 0700);
        return QString::fromStdString(path.string());
    }
    std::string contents(const char* name) {
        std::ifstream in(folder() / name);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    QString data() const { return QString::fromStdString(folder().string()); }
};

TEST_F(HangingTest, AnUnresponsiveRunIsLeftImmediatelyAndReported) {
    JsonListener listener = silent(controlSocket(folder(), 1));
    ui::RunLink link(folder());
    link.follow(1);
    auto connection = must(listener.accept({}, deadlineIn(120'000)));
    ASSERT_TRUE(connection.has_value());
    EXPECT_TRUE(waitFor([&] { return link.status() && !link.status()->answers; }));
    const HeldTime held;
    link.follow(2);
    link.follow(0);
    EXPECT_LT(held.ms(), kHeldMs);
    EXPECT_FALSE(link.status().has_value());
}

TEST_F(HangingTest, AnOldStatusIsMarkedAndMessagesOfThePreviousRunAreDropped) {
    JsonListener listener = silent(controlSocket(folder(), 1));
    ui::RunLink link(folder());
    QStringList reported;
    QObject::connect(&link, &ui::RunLink::message, &link, [&](const QString& text) { reported += text; });
    link.follow(1);
    auto run = must(listener.accept({}, deadlineIn(120'000)));
    ASSERT_TRUE(run.has_value());
    must(run->send({{"hello", "seedbed-control"}, {"version", kControlVersion}}));
    const auto request = must(run->receive({}, deadlineIn(120'000)));
    ASSERT_TRUE(request.has_value());
    must(run->send({{"re", request->json["id"]}, {"ok", true}}));
    must(run->send(
        {{"event", "status"},
         {"status",
          {{"state", "running"}, {"phase", "evaluating"}, {"steps", 41000}, {"steps_per_s", 9000}}}}));
    ASSERT_TRUE(waitFor([&] { return link.status().has_value(); }));
    EXPECT_EQ(link.status()->phase, QStringLiteral("evaluating"));
    EXPECT_TRUE(link.status()->answers);
    EXPECT_EQ(link.status()->steps, 41000);
    // No further message arrives.
    ASSERT_TRUE(waitFor([&] { return !link.status()->answers; }));
    EXPECT_EQ(link.status()->steps, 41000);
    must(run->send({{"event", "status"}, {"status", {{"state", "running"}, {"steps", 42000}}}}));
    ASSERT_TRUE(waitFor([&] { return link.status()->answers; }));
    must(run->send({{"event", "status"}, {"status", {{"state", "paused"}, {"steps", 42000}}}}));
    ASSERT_TRUE(waitFor([&] { return link.status()->state == QLatin1String("paused"); }));
    settle(2500);
    EXPECT_TRUE(link.status()->answers) << "a paused run has nothing to report";
    must(run->send({{"event", "message"}, {"text", "for the page of this run"}}));
    ASSERT_TRUE(waitFor([&] { return !reported.isEmpty(); }));
    // Pending when the page changes: received by the thread but not delivered yet.
    must(run->send({{"event", "message"}, {"text", "of the run before"}}));
    usleep(300'000);
    link.follow(2);
    settle(300);
    EXPECT_EQ(reported, QStringList{QStringLiteral("for the page of this run")});
}

TEST_F(HangingTest, AStoppedPlayerIsClosedImmediatelyAndKilled) {
    std::filesystem::create_directories(folder());
    const auto path = folder() / "player.sock";
    JsonListener listener = silent(path);
    ui::PlayerClient client(script("echo $$ > " + (folder() / "pid").string() + "\necho '{\"socket\": \"" +
                                   path.string() + "\"}'\nkill -STOP $$\nsleep 100"),
                            data());
    client.open({});
    ASSERT_TRUE(waitFor([&] { return listener.accept({}, deadlineIn(0)).value().has_value(); }));
    const pid_t process = std::stoi(contents("pid"));
    const HeldTime held;
    client.close();
    EXPECT_LT(held.ms(), kHeldMs);
    EXPECT_TRUE(waitFor([&] { return kill(process, 0) != 0; })) << "the player is still running";
}

TEST_F(HangingTest, AStoppedPlayerIsKilledWithTheWindow) {
    auto client = std::make_unique<ui::PlayerClient>(
        script("echo $$ > " + (folder() / "pid").string() + "\nkill -STOP $$"), data());
    client->open({});
    ASSERT_TRUE(waitFor([&] { return contents("pid").ends_with('\n'); }));
    const pid_t process = std::stoi(contents("pid"));
    const HeldTime held;
    client.reset();
    EXPECT_LT(held.ms(), kHeldMs);
    EXPECT_NE(kill(process, 0), 0);
}

TEST_F(HangingTest, ALongCommandContinuesWhenTheWindowCloses) {
    auto launcher =
        std::make_unique<ui::Launcher>(script("echo begun > " + (folder() / "begun").string() +
                                              "\nsleep 3\necho done > " + (folder() / "done").string()),
                                       data());
    bool answered = false;
    launcher->run({QStringLiteral("export")}, launcher.get(),
                  [&](const ui::CommandReply&) { answered = true; });
    ASSERT_TRUE(waitFor([&] { return !contents("begun").empty(); }));
    const HeldTime held;
    launcher.reset();
    EXPECT_LT(held.ms(), kHeldMs);
    EXPECT_TRUE(waitFor([&] { return contents("done") == "done\n"; }));
    EXPECT_FALSE(answered);
}

// The doctor found nothing while the run trained; the examination of the finished run finds something.
TEST_F(HangingTest, FindingsFromBeforeTheEndOfARunAreNotShownAfterIt) {
    NewRun new_run;
    new_run.env = "cartpole";
    new_run.algo = "ppo";
    LiveRun live = beginRun(folder(), new_run);
    auto& [store_of_run, owned, writer] = live;
    writer->progress({.steps = 1000});
    must(writer->flush());
    Finding finding;
    finding.rule = "random";
    finding.title = "no better than random";
    finding.settings = Json::object();
    const auto answer = [](const std::string& findings) {
        return "echo '{\"findings\": [" + findings + "]}'";
    };
    ui::Launcher launcher(script("if [ -e \"$0.asked\" ]; then " + answer(toJson(finding).dump()) +
                                 "; else " + answer("") + "; fi; touch \"$0.asked\""),
                          data());
    ui::RunStore store(folder(), 10);
    ui::RunReporter reporter(store, &launcher);
    bool shows_old = false;
    QObject::connect(&reporter, &ui::RunReporter::changed, &reporter, [&] {
        const auto& report = reporter.report();
        shows_old |= report && report->details.run.status == RunStatus::finished && report->examined &&
                     report->findings.empty();
    });
    reporter.follow(owned.id);
    ASSERT_TRUE(waitFor([&] { return reporter.report() && reporter.report()->examined; }));
    EXPECT_TRUE(reporter.report()->findings.empty());
    writer->status(RunStatus::finished, "");
    must(writer->flush());
    owned.lock.reset();
    EXPECT_TRUE(waitFor([&] { return reporter.report()->findings.size() == 1; }));
    EXPECT_FALSE(shows_old);
}

TEST_F(HangingTest, AMeasurementEndsWithTheWindow) {
    auto launcher = std::make_unique<ui::Launcher>(
        script("echo $$ > " + (folder() / "pid").string() + "\nexec sleep 1000"), data());
    bool answered = false;
    launcher->ask({QStringLiteral("doctor")}, launcher.get(),
                  [&](const ui::CommandReply&) { answered = true; });
    ASSERT_TRUE(waitFor([&] { return contents("pid").ends_with('\n'); }));
    const pid_t process = std::stoi(contents("pid"));
    const HeldTime held;
    launcher.reset();
    EXPECT_LT(held.ms(), kHeldMs);
    EXPECT_TRUE(waitFor([&] { return kill(process, 0) != 0; })) << "the measurement is still running";
    EXPECT_FALSE(answered);
}

TEST_F(HangingTest, ACancelledCommandCanEndItsPrograms) {
    ui::Launcher launcher(script("sleep 1000 &\ntrap \"kill $!; exit 130\" TERM\necho $! > " +
                                 (folder() / "pid").string() + "\nwait"),
                          data());
    const quint64 ticket = launcher.run({QStringLiteral("pack"), QStringLiteral("check")}, &launcher, {});
    ASSERT_TRUE(waitFor([&] { return contents("pid").ends_with('\n'); }));
    const pid_t program = std::stoi(contents("pid"));
    launcher.cancel(ticket);
    EXPECT_TRUE(waitFor([&] { return kill(program, 0) != 0; }));
}

TEST_F(HangingTest, ACancelledCommandThatIgnoresItIsKilled) {
    ui::Launcher launcher(
        script("trap '' TERM\necho $$ > " + (folder() / "pid").string() + "\nwhile :; do sleep 1; done"),
        data());
    const quint64 ticket = launcher.run({QStringLiteral("env"), QStringLiteral("check")}, &launcher, {});
    ASSERT_TRUE(waitFor([&] { return contents("pid").ends_with('\n'); }));
    launcher.cancel(ticket);
    EXPECT_TRUE(waitFor([&] { return kill(std::stoi(contents("pid")), 0) != 0; }));
}

// The command itself starts the runs, so it no longer needs the window.
TEST_F(HangingTest, RunsAreQueuedAndStartedByOneCommand) {
    const auto log = (folder() / "commands").string();
    auto launcher = std::make_unique<ui::Launcher>(
        script("echo \"$@\" >> " + log + "\necho '{\"ids\": [7], \"seeds\": [3]}'"), data());
    QList<RunId> started;
    launcher->train({QStringLiteral("cartpole")}, launcher.get(), [&](const ui::Queued& queued) {
        started = queued.runs;
        EXPECT_EQ(queued.seeds, QStringList{QStringLiteral("3")});
        EXPECT_EQ(queued.error, QString());
    });
    ASSERT_TRUE(waitFor([&] { return !started.isEmpty(); }));
    settle(200);
    EXPECT_EQ(started, QList<RunId>{7});
    EXPECT_EQ(contents("commands"), "queue add --start cartpole --json --data " + folder().string() + "\n");
}

TEST_F(HangingTest, RunsQueuedWithoutAStartedQueueAreNamedWithTheReason) {
    ui::Launcher launcher(script("echo '{\"ids\": [7], \"error\": \"no memory\"}'\nexit 1"), data());
    QList<RunId> waiting;
    QString problem;
    launcher.train({QStringLiteral("cartpole")}, &launcher, [&](const ui::Queued& queued) {
        waiting = queued.runs;
        problem = queued.error;
    });
    ASSERT_TRUE(waitFor([&] { return !waiting.isEmpty(); }));
    EXPECT_TRUE(problem.contains(QStringLiteral("were queued"))) << problem.toStdString();
    EXPECT_TRUE(problem.contains(QStringLiteral("no memory"))) << problem.toStdString();
}

}  // namespace
}  // namespace seedbed::testing
