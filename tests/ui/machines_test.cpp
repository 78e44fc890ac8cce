// SPDX-License-Identifier: Apache-2.0
// Tests the panel of the actors of a run: its contents, and when it requests them.
#include "ui/views/dashboard/machines_panel.hpp"

#include <fstream>

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTableWidget>

#include "tests/ui/page_fixture.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"

namespace seedbed::testing {
namespace {

constexpr const char* kMachines = R"({"run": 1, "port": 7450, "groups": [
    {"group": 0, "environments": 8, "actor": "alpha:12", "waiting": false, "rows": 5000, "rows_per_s": 1234.0,
     "answered_s": 1, "losses": 0, "form": "windows", "lag": 1003},
    {"group": 1, "environments": 8, "actor": "", "waiting": true, "rows": 9, "rows_per_s": 0.0,
     "answered_s": null, "losses": 2, "form": null, "lag": null}]})";
constexpr const char* kPending = R"({"next": 1, "launches": [{"number": 0, "actors": 2, "on": "slurm",
    "job": "", "options": ["--on", "slurm", "--options", "-p cpu"], "ask": ["echo 5; echo '5|PENDING|Resources'"], "stop": []}]})";

class MachinesTest : public PageTest {
protected:
    // A run in this process. `address`: actor.fleet.
    LiveRun begin(const std::string& address) {
        NewRun run;
        run.env = "cartpole";
        run.algo = "vtrace";
        run.engine = "reference";
        run.config = {{"env", {{"id", "cartpole"}}},
                      {"algo", {{"id", "vtrace"}}},
                      {"actor", {{"fleet", address}}},
                      {"run", {{"seed", 1}, {"steps", 100000}}}};
        LiveRun live = beginRun(folder(), run);
        live.writer->progress({.steps = 64, .frames = 64, .updates = 1, .train_seconds = 1});
        must(live.writer->flush());
        return live;
    }
    void openPage(RunId run) {
        page_ = makePage(QStringLiteral("run"));
        page_->open(ui::DashboardLink{run});
        for (QTabWidget* tabs : page_->findChildren<QTabWidget*>())
            if (tabs->indexOf(page_->findChild<ui::MachinesPanel*>()) >= 0) tabs_ = tabs;
    }
    bool tabIsVisible() {
        return tabs_->isTabVisible(tabs_->indexOf(page_->findChild<ui::MachinesPanel*>()));
    }
    template <class Widget = QLabel>
    Widget* find(const char* id) {
        return page_->findChild<Widget*>(QLatin1String(id));
    }

    std::unique_ptr<ui::Page> page_;
    QTabWidget* tabs_ = nullptr;
};

TEST_F(MachinesTest, ActorsAndJobsAreListedWithWhatToDo) {
    const LiveRun live = begin("0.0.0.0:7450");
    const std::filesystem::path fleet = folder() / "fleet/run-1";
    std::filesystem::create_directories(fleet);
    std::ofstream(fleet / "machines.json") << kMachines;
    std::ofstream(fleet / "launches.json") << kPending;
    openPage(live.owned.id);
    auto* table = find<QTableWidget>("machines-table");
    ASSERT_TRUE(waitFor([&] { return table->rowCount() == 2; }));
    EXPECT_TRUE(tabIsVisible());
    QStringList first, second;
    for (int column = 0; column < table->columnCount(); ++column) {
        first << table->item(0, column)->text();
        second << table->item(1, column)->text();
    }
    EXPECT_TRUE(first[6].endsWith(QStringLiteral(" ago"))) << first[6].toStdString();
    first[6].clear();
    EXPECT_EQ(first.join(QLatin1Char('|')), QStringLiteral("0|alpha|8|1,234|actor|1,003||connected"));
    EXPECT_EQ(second.join(QLatin1Char('|')),
              QStringLiteral("1|–|8|0|–|–|–|waiting for an actor, lost 2 time(s)"));
    EXPECT_EQ(table->horizontalHeaderItem(5)->text(), QStringLiteral("Lag"));
    EXPECT_TRUE(table->horizontalHeaderItem(5)->toolTip().contains(QStringLiteral("learner.max_policy_lag")));
    EXPECT_EQ(find("machines-summary")->text(),
              QStringLiteral("Actors: 1 of 2 connected, 1,234 steps per second."));
    EXPECT_EQ(find("machines-jobs")->text(), QStringLiteral("Slurm job 5 is pending: Resources."));
    const QString advice = find("machines-card-advice")->text();
    EXPECT_TRUE(advice.startsWith(QStringLiteral("1 group(s) are waiting for an actor. The pending job")))
        << advice.toStdString();
    EXPECT_TRUE(find("machines-card-advice")->isVisible());
    picture(*page_, "machines-overview");

    find<QPushButton>("machines-details")->click();
    EXPECT_TRUE(page_->findChild<ui::MachinesPanel*>()->isVisible());
    EXPECT_EQ(find("machines-advice")->text(), advice);
    EXPECT_FALSE(find<QPushButton>("machines-copy")->isVisible());
    for (const QWidget* widget : page_->findChild<ui::MachinesPanel*>()->findChildren<QWidget*>())
        if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible()) {
            const auto* label = qobject_cast<const QLabel*>(widget);
            EXPECT_FALSE(widget->accessibleName().isEmpty() && (label == nullptr || label->text().isEmpty()))
                << widget->metaObject()->className();
        }
    picture(*page_, "machines");

    live.writer->status(RunStatus::interrupted, kStoppedOnRequest);
    must(live.writer->flush());
    ASSERT_TRUE(waitFor([&] { return table->rowCount() == 0; }));
    EXPECT_TRUE(find("machines-summary")->text().startsWith(QStringLiteral("The run is not training.")));
    EXPECT_FALSE(find<ui::MachinesCard>("machines-card")->isVisible());
    page_.reset();
}

TEST_F(MachinesTest, OnlyVisibleLiveRunsWithAFleetAreRead) {
    const LiveRun without = begin("");
    const LiveRun with = begin("0.0.0.0:7450");
    // Records its arguments and prints a list.
    const QString program = QString::fromStdString((folder() / "program").string());
    std::ofstream(program.toStdString()) << "#!/bin/sh\necho \"$*\" >> \"$0.calls\"\necho '{\"groups\": "
                                            "[{\"group\": 0, \"environments\": 8, \"waiting\": true}]}'\n";
    QFile::setPermissions(program, QFile::ReadOwner | QFile::ExeOwner);
    const auto calls = [&] {
        QFile file(program + QStringLiteral(".calls"));
        if (!file.open(QFile::ReadOnly)) return QStringList();
        return QString::fromUtf8(file.readAll()).split(QLatin1Char('\n')).filter(QStringLiteral("fleet"));
    };
    ui::Launcher launcher(program, QStringLiteral("data"));
    services().launcher = &launcher;
    openPage(without.owned.id);
    auto* watch = page_->findChild<ui::FleetWatch*>();
    auto* shown = page_->findChild<QPlainTextEdit*>();
    ASSERT_TRUE(waitFor([&] { return !shown->toPlainText().isEmpty(); }));
    EXPECT_FALSE(tabIsVisible());
    EXPECT_FALSE(watch->isFollowing());
    EXPECT_EQ(calls(), QStringList());

    page_->open(ui::DashboardLink{with.owned.id});
    ASSERT_TRUE(waitFor([&] { return calls().size() == 1; }));
    EXPECT_TRUE(tabIsVisible());
    EXPECT_EQ(calls()[0], QStringLiteral("fleet show 2 --json --data data"));
    // The states of jobs are read less often.
    ASSERT_TRUE(waitFor([&] { return calls().size() == 2; }));
    EXPECT_EQ(calls()[1], QStringLiteral("fleet show 2 --no-jobs --json --data data"));
    find<QPushButton>("machines-details")->click();
    find<QPushButton>("machines-copy")->click();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("seedbed fleet add 2 --actors 1"));
    EXPECT_TRUE(find("machines-advice")->text().endsWith(QGuiApplication::clipboard()->text()));
    EXPECT_TRUE(watch->isFollowing());
    page_->hide();
    EXPECT_FALSE(watch->isFollowing());
    page_->show();
    EXPECT_TRUE(watch->isFollowing());
    page_.reset();
}

TEST(MachinesText, TheAdviceDependsOnTheJobs) {
    ui::FleetStatus status;
    status.groups = {{.group = 0, .is_waiting = true}, {.group = 1, .is_waiting = true, .losses = 1}};
    const auto advice = [&](const char* state) {
        status.launches = {{.on = QStringLiteral("ssh"),
                            .job = QStringLiteral("a, b"),
                            .state = QLatin1String(state),
                            .actors = 2,
                            .running = 1,
                            .options = {QStringLiteral("--on"), QStringLiteral("ssh")}}};
        return ui::waitingAdvice(status, QStringLiteral("COMMAND"));
    };
    EXPECT_TRUE(advice("running").contains(QStringLiteral("their log contains the reason")));
    EXPECT_TRUE(advice("failed").endsWith(QStringLiteral("Start actors with this command: COMMAND")));
    EXPECT_EQ(ui::launchText(status.launches[0]),
              QStringLiteral("The launch on a, b has failed, 1 of 2 actors"));
    EXPECT_EQ(ui::groupFormText({.form = QStringLiteral("actions")}), QStringLiteral("learner"));
    EXPECT_EQ(ui::groupStateText(status.groups[1]), QStringLiteral("waiting for an actor, lost 1 time(s)"));
    EXPECT_EQ(ui::addActorsCommand(status, 3).join(QLatin1Char(' ')),
              QStringLiteral("fleet add 3 --actors 2 --on ssh"));
    for (ui::FleetGroup& group : status.groups) group.is_waiting = false;
    EXPECT_EQ(advice("failed"), QString());
}

}  // namespace
}  // namespace seedbed::testing
