// SPDX-License-Identifier: Apache-2.0
// Tests the page of a run: contents, links of its buttons, and accessible names of all controls.
#include <sqlite3.h>

#include <QAccessible>
#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QProcess>
#include <QPushButton>
#include <QTreeWidget>

#include "core/analysis/resume_step.hpp"
#include "tests/ui/page_fixture.hpp"
#include "ui/models/charts/chart_table_model.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/charts/chart_widget.hpp"
#include "ui/views/dashboard/bottleneck_strip.hpp"
#include "ui/views/dashboard/chart_board.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/dashboard/doctor_panel.hpp"
#include "ui/views/dashboard/run_header.hpp"
#include "ui/views/dashboard/run_lists.hpp"
#include "ui/views/export/export_link.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/watch/watch_link.hpp"

namespace seedbed::testing {
namespace {

using ui::ChartBoard;
using ui::ChartWidget;

class DashboardTest : public PageTest {
protected:
    // A run with all the usual metrics, collapsing entropy, two segments, checkpoints, evaluations and
    // events.
    RunId fullRun(const std::string& name, int points = 300) {
        Store store = must(Store::open(folder()));
        NewRun run;
        run.name = name;
        run.env = "cartpole";
        run.algo = "ppo";
        run.seed = 3;
        run.engine = "native";
        run.config = {{"env", {{"id", "cartpole"}}},
                      {"algo", {{"id", "ppo"}, {"learning_rate", 0.001}, {"entropy_cost", 0.0}}},
                      {"run", {{"seed", 3}, {"steps", 100000}}}};
        OwnedRun owned = must(store.createRun(run));
        must(store.beginSegment(*owned.lock, 0, ProcessInfo{}));
        const auto write = [&](int from, int to) {
            auto writer = must(RunWriter::open(folder(), *owned.lock, {}));
            const auto curve = learning(200, 0.02, 1);
            for (int i = from; i < to; ++i) {
                const std::int64_t step = 256 * (i + 1);
                const double p = std::exp(-0.05 * i);
                const RunWriter::Value values[] = {{"episode/return", curve(i)},
                                                   {"episode/length", curve(i)},
                                                   {"loss/policy", -0.01 * p},
                                                   {"loss/value", 5 * p + 0.1},
                                                   {"policy/entropy", 0.69 * p},
                                                   {"policy/kl", 0.01 * p},
                                                   {"value/explained_variance", 1 - p},
                                                   {"optimiser/learning_rate", 0.001 * (1 - i / 400.0)},
                                                   {"speed/env_steps_per_s", 40000},
                                                   {"speed/updates_per_s", 150},
                                                   {"time/env", 0.002},
                                                   {"time/inference", 0.001},
                                                   {"time/forward", 0.001},
                                                   {"time/backward", 0.002},
                                                   {"time/idle", 0.0005}};
                writer->metrics(step, 1.7e9 + 0.1 * i, values);
                writer->progress(
                    {.steps = step, .frames = step, .updates = i + 1, .train_seconds = (i + 1) / 150.0});
                if (i % 100 == 99) {
                    const double score = curve(i);
                    const RunWriter::Value value[] = {{"eval/return", score}};
                    writer->evaluation(
                        {.step = step, .time = 1.7e9 + i, .mean = score, .episodes = {{score, 10}}}, value);
                    CheckpointRecord checkpoint;
                    checkpoint.step = step;
                    checkpoint.time = 1.7e9 + i;
                    checkpoint.updates = i;
                    checkpoint.folder = "runs/1/checkpoints/" + std::to_string(step);
                    checkpoint.bytes = 40000;
                    checkpoint.score = score;
                    writer->checkpoint(checkpoint);
                }
            }
            EventRecord event;
            event.step = 256 * to;
            event.time = 1.7e9;
            event.kind = "note";
            event.text = "something happened";
            writer->event(event);
            writer->status(RunStatus::interrupted, kStoppedOnRequest);
            must(writer->flush());
        };
        write(0, points / 2);
        must(store.beginSegment(*owned.lock, 256 * (points / 2), ProcessInfo{}));
        write(points / 2, points);
        return owned.id;
    }
};

TEST_F(DashboardTest, ACompleteRunShowsAllItsParts) {
    const RunId id = fullRun("everything");
    auto page = makePage(QStringLiteral("run"));
    page->open(ui::DashboardLink{id});
    auto* board = page->findChild<ChartBoard*>();
    auto* doctor = page->findChild<ui::DoctorPanel*>();
    ASSERT_TRUE(waitFor([&] { return doctor->findings() > 0; }));
    ASSERT_TRUE(waitFor([&] {
        const auto charts = board->shownCharts();
        return charts.size() == 8 && std::all_of(charts.begin(), charts.end(),
                                                 [](ChartWidget* chart) { return chart->model().idle(); });
    }));
    // The return chart contains the evaluations.
    ChartWidget* returns = board->shownCharts()[0];
    ASSERT_EQ(returns->model().series()->size(), 2U);
    EXPECT_EQ((*returns->model().series())[1].raw->statistics().points, 3U);
    EXPECT_EQ((*returns->model().series())[0].raw->statistics().points, 300U);
    EXPECT_EQ(page->findChild<ui::CheckpointList*>()->count(), 3);
    EXPECT_GE(page->findChild<ui::EventList*>()->count(), 2);
    const QString strip = page->findChild<ui::BottleneckStrip*>()->text();
    EXPECT_TRUE(strip.contains(QStringLiteral("environments 31 %"))) << strip.toStdString();
    EXPECT_TRUE(strip.contains(QStringLiteral("learning 46 %"))) << strip.toStdString();
    int whole = 0;
    for (const QString& part : strip.split(QLatin1Char(',')))
        whole += part.section(QLatin1Char(' '), -2, -2).toInt();
    EXPECT_NEAR(whole, 100, 2) << "rounded parts: " << strip.toStdString();
    settle(200);
    picture(*page, "dashboard");
}

TEST_F(DashboardTest, TheHeaderShowsTheCurrentPhase) {
    ui::RunHeader header(services());
    RunRecord run;
    run.id = 1;
    run.env = "cartpole";
    run.algo = "ppo";
    run.status = RunStatus::running;
    const auto text = [&](const char* name) {
        for (const QLabel* label : header.findChildren<QLabel*>())
            if (label->accessibleName() == QLatin1String(name)) return label->text();
        return QString();
    };
    const auto state = [&](std::optional<ui::LiveStatus> live) {
        header.show(nullptr, &run, live);
        return text("Status");
    };
    ui::LiveStatus live;
    EXPECT_EQ(state(std::nullopt), QStringLiteral("running"));
    EXPECT_EQ(state(live), QStringLiteral("running")) << "an older program reports no phase";
    for (const auto& [phase, text] : {std::pair{"training", "running: collecting and learning"},
                                      {"evaluating", "running: evaluating"},
                                      {"saving", "running: saving a checkpoint"},
                                      {"something new", "running"}}) {
        live.phase = QLatin1String(phase);
        EXPECT_EQ(state(live), QLatin1String(text));
    }
    live.phase = QStringLiteral("evaluating");
    live.answers = false;
    EXPECT_EQ(state(live), QStringLiteral("running")) << "the last reported phase may be outdated";
    live.answers = true;
    live.steps_per_s = 5'000;
    EXPECT_NE(state(live), QString());
    EXPECT_EQ(text("Steps/s now"), ui::compactCount(5'000));
    run.status = RunStatus::paused;
    EXPECT_EQ(state(live), QStringLiteral("paused"));
    EXPECT_EQ(text("Steps/s now"), QStringLiteral("–"));
}

TEST_F(DashboardTest, TheHeadOfARunNamesTheKindOfItsScoresAndFollowsARunThatWentBack) {
    ui::RunHeader header(services());
    RunRecord run;
    run.id = 1;
    run.status = RunStatus::running;
    run.best_return = 0.73;
    run.last_return = 0.7;
    run.return_source = "training";
    run.progress = {.steps = 50'000, .train_seconds = 100};
    const auto value = [&](const char* name) {
        for (const QLabel* label : header.findChildren<QLabel*>())
            if (label->accessibleName() == QLatin1String(name)) return label->text();
        return QString();
    };
    header.show(nullptr, &run, std::nullopt);
    EXPECT_EQ(value("Best training return"), QStringLiteral("0.73"));
    EXPECT_EQ(value("Last training return"), QStringLiteral("0.7"));
    // The first evaluation is a different kind of score, so it has a different name.
    run.best_return = run.last_return = 0;
    run.return_source = "evaluation";
    header.show(nullptr, &run, std::nullopt);
    EXPECT_EQ(value("Best evaluation"), QStringLiteral("0"));
    EXPECT_EQ(value("Best training return"), QString());
    // After a crash the process continues from a checkpoint before the latest saved progress.
    ui::LiveStatus live;
    live.steps = 20'000;
    live.goal_steps = 100'000;
    live.trained_s = 40;
    header.show(nullptr, &run, live);
    EXPECT_EQ(value("Steps"), ui::countText(20'000) + QStringLiteral(" of ") + ui::countText(100'000));
    EXPECT_EQ(value("Training time"), ui::durationText(40));
    live.answers = false;
    header.show(nullptr, &run, live);
    EXPECT_EQ(value("Steps"), ui::countText(50'000) + QStringLiteral(" of ") + ui::countText(100'000));
}

TEST_F(DashboardTest, TheHeaderShowsTheStepFromWhichARunThatLostStepsResumes) {
    RealFileSystem files;
    const std::filesystem::path checkpoints = folder() / "checkpoints/1";
    for (const char* step : {"9000", "12000"}) {
        ASSERT_TRUE(makeFolders(files, checkpoints / step));
        ASSERT_TRUE(writeFileAtomically(files, checkpoints / step / "manifest.json", std::string_view("{}")));
    }
    ASSERT_TRUE(makeFolders(files, checkpoints / "13000"));  // an incomplete checkpoint
    ASSERT_TRUE(makeFolders(files, checkpoints / "superseded-15000"));
    ui::RunReport report;
    RunRecord& run = report.details.run;
    run.id = 1;
    run.status = RunStatus::interrupted;
    run.progress = {.steps = 20'000, .train_seconds = 100};
    report.resume_step = resumeStep(files, folder(), run).value();
    ui::RunHeader header(services());
    header.show(&report, &run, std::nullopt);
    const auto* detail = header.findChild<QLabel*>(QStringLiteral("run-detail"));
    EXPECT_TRUE(detail->text().endsWith(QStringLiteral("a resume starts at step ") + ui::countText(12'000)))
        << detail->text().toStdString();
    run.progress.steps = 7'000;  // the database was locked when the run ended
    report.resume_step = resumeStep(files, folder(), run).value();
    EXPECT_EQ(report.resume_step, 12'000);
    run.progress.steps = 12'000;
    report.resume_step = resumeStep(files, folder(), run).value();
    header.show(&report, &run, std::nullopt);
    EXPECT_FALSE(detail->text().contains(QStringLiteral("resume"))) << "nothing is lost";
}

TEST_F(DashboardTest, TheTitleOfARunInAFilesEnvironmentIsItsNumberOrName) {
    const std::string env = "gym:/home/me/my_env.py:MyEnv";
    const RunId unnamed = makeRun({.env = env, .points = 3}),
                named = makeRun({.name = "mine", .env = env, .points = 3});
    auto page = makePage(QStringLiteral("run"));
    const auto text = [&](const char* id) { return page->findChild<QLabel*>(QLatin1String(id))->text(); };
    page->open(ui::DashboardLink{unnamed});
    ASSERT_TRUE(waitFor([&] { return text("run-title") == QStringLiteral("MyEnv · run 1"); }))
        << text("run-title").toStdString();
    EXPECT_TRUE(text("run-detail").startsWith(QStringLiteral("PPO · seed")))
        << text("run-detail").toStdString();
    EXPECT_TRUE(page->findChild<QLabel*>(QStringLiteral("run-detail"))
                    ->toolTip()
                    .startsWith(QString::fromStdString(env)));
    page->open(ui::DashboardLink{named});
    ASSERT_TRUE(waitFor([&] { return text("run-title") == QStringLiteral("mine"); }));
}

TEST_F(DashboardTest, ARunWithoutFindingsIsReportedInTheWordsOfTheCommand) {
    const RunId id = makeRun({.points = 3, .returns = [](int) { return 500.0; }});
    auto page = makePage(QStringLiteral("run"));
    page->open(ui::DashboardLink{id});
    QProcess command;
    command.start(services().launcher->program(),
                  {QStringLiteral("doctor"), QString::number(id), QStringLiteral("--data"),
                   services().launcher->dataFolder()});
    ASSERT_TRUE(command.waitForFinished(120'000));
    const QString said = QString::fromUtf8(command.readAllStandardOutput()).trimmed();
    EXPECT_FALSE(said.isEmpty());
    const auto* doctor = page->findChild<ui::DoctorPanel*>();
    EXPECT_TRUE(waitFor([&] {
        const auto labels = doctor->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel* label) { return label->text() == said; });
    })) << said.toStdString();
}

TEST(DoctorPanel, OffersTheCommandOfAFindingAboutResuming) {
    const ui::Theme theme;
    ui::DoctorPanel panel(theme);
    ui::RunReport report;
    report.examined = true;
    report.details.run.id = 1;
    Finding finding;
    finding.rule = "schedule_over";
    finding.settings = {{"algo.lr_horizon", 200}};
    finding.resume = true;
    finding.command = "seedbed resume 1 --algo.lr_horizon 200";
    report.findings = {finding};
    panel.setReport(&report);
    EXPECT_TRUE(panel.findChildren<QPushButton*>().isEmpty()) << "a new run would not help";
    bool shown = false;
    for (const QLabel* label : panel.findChildren<QLabel*>())
        shown = shown || label->text().contains(QStringLiteral("seedbed resume 1 --algo.lr_horizon 200"));
    EXPECT_TRUE(shown);
}

TEST_F(DashboardTest, TheDoctorsChangeIsTriedInANewRunWithEqualOtherSettings) {
    const RunId id = fullRun("collapsed");
    auto page = makePage(QStringLiteral("run"));
    page->open(ui::DashboardLink{id});
    QPushButton* attempt = nullptr;
    ASSERT_TRUE(waitFor([&] {
        return (attempt = page->findChild<QPushButton*>(QStringLiteral("try-entropy_collapse"))) != nullptr;
    }));
    attempt->click();
    const auto* link = navigator.opened<ui::StartLink>();
    ASSERT_TRUE(link != nullptr && link->new_run);
    const ui::NewRunRequest& request = *link->new_run;
    EXPECT_EQ(request.env, QStringLiteral("cartpole"));
    QMap<QString, QString> settings_now;
    for (const auto& [key, value] : request.settings) settings_now[key] = value;
    EXPECT_EQ(settings_now.value(QStringLiteral("algo.entropy_cost")), QStringLiteral("0.01"));
    EXPECT_EQ(settings_now.size(), 1) << "contains only the suggested change";
    // The form starts with the settings of the run.
    EXPECT_EQ(request.like, id);
    QMap<QString, QString> before;
    for (const auto& [key, value] : request.base) before[key] = value;
    EXPECT_EQ(before.value(QStringLiteral("algo.entropy_cost")), QStringLiteral("0.0"));
    EXPECT_EQ(before.value(QStringLiteral("algo.learning_rate")), QStringLiteral("0.001"));
    EXPECT_FALSE(before.contains(QStringLiteral("run.seed")));
}

TEST_F(DashboardTest, ACheckpointIsWatchedAndButtonsFollowTheStateOfTheRun) {
    const RunId id = fullRun("stopped");
    auto page = makePage(QStringLiteral("run"));
    page->open(ui::DashboardLink{id});
    auto* list = page->findChild<ui::CheckpointList*>();
    ASSERT_TRUE(waitFor([&] { return list->count() == 3; }));
    auto* tree = list->findChild<QTreeWidget*>();
    tree->topLevelItem(2)->setSelected(true);
    list->findChildren<QPushButton*>().front()->click();
    const auto* watched = navigator.opened<ui::WatchLink>();
    ASSERT_NE(watched, nullptr);
    EXPECT_EQ(watched->run, id);
    EXPECT_EQ(watched->checkpoint_step, 25600);
    list->findChildren<QPushButton*>().at(1)->click();
    const auto* exported = navigator.opened<ui::ExportLink>();
    ASSERT_NE(exported, nullptr);
    EXPECT_EQ(exported->run, id);
    EXPECT_EQ(exported->checkpoint_step, 25600);
    const auto offered = [&](const char* name) {
        const auto* button = page->findChild<QPushButton*>(QLatin1String(name));
        return !button->isHidden() && button->isEnabled();
    };
    EXPECT_FALSE(offered("run-stop"));
    EXPECT_FALSE(offered("run-checkpoint"));
    EXPECT_FALSE(offered("run-longer")) << "it is resumed instead";
    EXPECT_TRUE(offered("run-again"));
    EXPECT_TRUE(offered("run-pause"));  // the button now resumes the run
    EXPECT_EQ(page->findChild<QPushButton*>(QStringLiteral("run-pause"))->text(), QStringLiteral("Res&ume"));
}

TEST_F(DashboardTest, ChartsAreAddedMovedRemovedAndSaved) {
    const RunId id = fullRun("arranged");
    {
        auto page = makePage(QStringLiteral("run"));
        page->open(ui::DashboardLink{id});
        auto* board = page->findChild<ChartBoard*>();
        ASSERT_TRUE(waitFor([&] { return board->shownCharts().size() == 8; }));
        ASSERT_TRUE(board->metricsToAdd().contains(QStringLiteral("time/env")));
        board->addChart(QStringLiteral("time/env"));
        EXPECT_EQ(board->shownCharts().size(), 9U);
        board->removeChart(1);
        EXPECT_EQ(board->shownCharts().size(), 8U);
        EXPECT_TRUE(board->moveChart(1, -1));
        EXPECT_FALSE(board->moveChart(0, -1));
        EXPECT_EQ(board->shownCharts()[0]->title(), QStringLiteral("Losses"));
    }
    auto page = makePage(QStringLiteral("run"));
    page->open(ui::DashboardLink{id});
    auto* board = page->findChild<ChartBoard*>();
    ASSERT_TRUE(waitFor([&] { return board->shownCharts().size() == 8; }));
    EXPECT_EQ(board->shownCharts()[0]->title(), QStringLiteral("Losses"));
    EXPECT_EQ(board->shownCharts().back()->title(), QStringLiteral("Environment time (s)"));
    board->resetCharts();
    EXPECT_EQ(board->shownCharts()[0]->title(), QStringLiteral("Return"));
}

TEST_F(DashboardTest, ChartOptionsAreKeptForOtherRuns) {
    const RunId first = fullRun("first"), second = fullRun("second");
    auto page = makePage(QStringLiteral("run"));
    page->open(ui::DashboardLink{first});
    auto* board = page->findChild<ChartBoard*>();
    ASSERT_TRUE(waitFor([&] { return board->shownCharts().size() == 8; }));
    const auto charts = board->shownCharts();
    const auto action = [](ChartWidget* chart, const char* text) -> QAction* {
        for (QAction* one : chart->menu()->actions())
            if (one->text() == QLatin1String(text)) return one;
        return nullptr;
    };
    QAction* log_y = action(charts[2], "&Logarithmic values");
    ASSERT_NE(log_y, nullptr);
    log_y->setChecked(true);
    EXPECT_TRUE(charts[2]->model().options().log_y);
    ui::ChartOptions options = charts[0]->model().options();
    options.smoothing.amount = 5000;
    board->setOptions(options);
    EXPECT_TRUE(charts[2]->model().options().log_y) << "the box is checked";
    EXPECT_FALSE(charts[0]->model().options().log_y);
    EXPECT_EQ(charts[2]->model().options().smoothing.amount, 5000);
    charts[0]->model().setVisible(QStringLiteral("eval/return"), false);
    auto* tables = page->findChild<QAction*>(QStringLiteral("run-tables"));
    tables->trigger();
    EXPECT_TRUE(charts[1]->showsTable());

    page->open(ui::DashboardLink{second});
    ASSERT_TRUE(waitFor([&] {
        return !charts[0]->model().specs().empty() && charts[0]->model().specs()[0].runs[0] == second;
    }));
    EXPECT_EQ(board->shownCharts(), charts) << "the same charts show the other run";
    EXPECT_TRUE(charts[2]->model().options().log_y);
    EXPECT_TRUE(charts[1]->showsTable());
    EXPECT_FALSE(charts[0]->model().specs()[1].visible);
    tables->trigger();
    EXPECT_FALSE(charts[1]->showsTable()) << "one click hides all tables";
}

TEST_F(DashboardTest, UndoRestoresRemovedAndResetCharts) {
    const RunId id = fullRun("undone");
    auto page = makePage(QStringLiteral("run"));
    page->open(ui::DashboardLink{id});
    auto* board = page->findChild<ChartBoard*>();
    ASSERT_TRUE(waitFor([&] { return board->shownCharts().size() == 8; }));
    const auto before = board->charts();
    board->removeChart(0);
    board->addChart(QStringLiteral("time/env"));
    board->resetCharts();
    EXPECT_EQ(board->charts(), before) << "the default charts";
    undo_group.undo();
    EXPECT_EQ(board->charts().back().title, QStringLiteral("Environment time (s)"));
    undo_group.undo();
    undo_group.undo();
    EXPECT_EQ(board->charts(), before);
    page.reset();
    EXPECT_FALSE(undo_group.canRedo()) << "the page was destroyed";
}

TEST_F(DashboardTest, TheReasonOfAFailureIsShownInFullAndCanBeCopied) {
    const RunId id = makeRun({.points = 5});
    const std::string why =
        "the loss is not a number after update 17; the newest checkpoint is at step 4,096. Lower "
        "algo.learning_rate, then continue with 'seedbed resume 1'.";
    {
        Store db = must(Store::open(folder()));
        must(db.setStatus(id, RunStatus::failed, why));
    }
    auto page = makePage(QStringLiteral("run"));
    page->open(ui::DashboardLink{id});
    auto* label = page->findChild<QLabel*>(QStringLiteral("run-problem"));
    ASSERT_TRUE(waitFor([&] { return label->isVisible(); }));
    EXPECT_EQ(label->text(), QString::fromStdString(why));
    EXPECT_TRUE(label->wordWrap());
    EXPECT_TRUE(label->textInteractionFlags().testFlag(Qt::TextSelectableByKeyboard));
    EXPECT_TRUE(label->focusPolicy() & Qt::TabFocus);
    EXPECT_FALSE(page->findChild<QLabel*>(QStringLiteral("run-detail"))
                     ->text()
                     .contains(QStringLiteral("not a number")))
        << "shown once";
    // Without a checkpoint there is nothing to resume; other settings help.
    const auto* resume = page->findChild<QPushButton*>(QStringLiteral("run-pause"));
    const auto* again = page->findChild<QPushButton*>(QStringLiteral("run-again"));
    ASSERT_TRUE(waitFor([&] { return resume->text() == QStringLiteral("Start agai&n"); }));
    EXPECT_EQ(again->text(), QStringLiteral("Chan&ge settings…"));
    EXPECT_TRUE(page->findChild<QPushButton*>(QStringLiteral("run-watch"))->isHidden());
    const auto primary = static_cast<int>(ui::ButtonKind::primary);
    EXPECT_EQ(again->property("seedbed_button_kind").toInt(), primary);
    EXPECT_NE(resume->property("seedbed_button_kind").toInt(), primary);
    // A shortcut that has no effect is reported.
    page->findChild<QAction*>(QStringLiteral("run-stop"))->trigger();
    EXPECT_FALSE(navigator.status.isEmpty());
}

TEST(DoctorPanel, KeepsItsButtonsWhileOnlyEvidenceChanges) {
    ui::Theme theme;
    ui::DoctorPanel panel(theme);
    ui::RunReport report;
    report.examined = true;
    report.details.run.id = 1;
    report.details.config = {{"algo", {{"entropy_cost", 0.0}}}};
    Finding finding;
    finding.rule = "entropy_collapse";
    finding.title = "Entropy fell";
    finding.evidence = {"0.02", {}};
    finding.remedy = "more of it";
    finding.settings = {{"algo.entropy_cost", 0.01}};
    report.findings = {finding};
    panel.setReport(&report);
    const QPointer<QPushButton> button =
        panel.findChild<QPushButton*>(QStringLiteral("try-entropy_collapse"));
    ASSERT_NE(button, nullptr);
    report.findings[0].evidence = {"0.01", {}};
    panel.setReport(&report);
    settle();
    ASSERT_FALSE(button.isNull());
    bool shown = false;
    for (const QLabel* label : panel.findChildren<QLabel*>())
        shown = shown || label->text() == QStringLiteral("Evidence: 0.01");
    EXPECT_TRUE(shown);
    report.details.run.id = 2;
    panel.setReport(&report);
    settle();
    EXPECT_TRUE(button.isNull()) << "the button of the other run's finding was kept";
}

TEST_F(DashboardTest, EveryFocusableWidgetHasANameAndEveryChartATable) {
    const RunId id = fullRun("named");
    auto page = makePage(QStringLiteral("run"));
    page->open(ui::DashboardLink{id});
    auto* board = page->findChild<ChartBoard*>();
    ASSERT_TRUE(waitFor([&] {
        return board->shownCharts().size() == 8 && page->findChild<ui::DoctorPanel*>()->findings() > 0;
    }));
    for (QWidget* widget : page->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisibleTo(page.get())) continue;
        // The scroll area has a name for the widgets inside it.
        if (qobject_cast<QAbstractScrollArea*>(widget->parentWidget()) != nullptr) continue;
        QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
        ASSERT_NE(interface, nullptr);
        EXPECT_FALSE(interface->text(QAccessible::Name).isEmpty())
            << widget->metaObject()->className() << " " << widget->objectName().toStdString();
    }
    ChartWidget* chart = board->shownCharts()[0];
    ASSERT_TRUE(waitFor([&] { return chart->model().idle() && chart->model().series()->size() == 2; }));
    chart->showTable(true);
    EXPECT_TRUE(chart->showsTable());
    EXPECT_FALSE(chart->summary().isEmpty());
    EXPECT_TRUE(chart->plot().accessibleDescription().contains(QStringLiteral("rose from")))
        << chart->summary().toStdString();
}

TEST_F(DashboardTest, NoRunsAndAMissingDatabaseShowAMessageAndARemedy) {
    auto page = makePage(QStringLiteral("run"));
    page->open({});
    ASSERT_TRUE(waitFor([&] { return store().state().kind == ui::StoreState::Kind::empty; }));
    settle();
    bool said = false;
    for (const QLabel* label : page->findChildren<QLabel*>())
        said = said || (label->isVisible() && label->text().contains(QStringLiteral("no runs yet")));
    EXPECT_TRUE(said);
    picture(*page, "dashboard-empty");
}

TEST_F(DashboardTest, ANewRunIsAwaitedSilentlyAndAMissingOneIsReported) {
    auto page = makePage(QStringLiteral("run"));
    makeRun({.name = "before", .points = 5});
    ASSERT_TRUE(waitFor([&] { return store().state().kind == ui::StoreState::Kind::ready; }));
    page->open(ui::DashboardLink{2});
    const auto shown = [&] {
        QStringList texts;
        for (const QLabel* label : page->findChildren<QLabel*>())
            if (label->isVisible() && !label->text().isEmpty()) texts << label->text();
        for (const QPushButton* button : page->findChildren<QPushButton*>())
            if (button->isVisible()) texts << button->text();
        return texts.join(QLatin1Char('\n'));
    };
    settle();
    EXPECT_EQ(shown().toStdString(), "");
    makeRun({.name = "made now", .points = 5});
    EXPECT_TRUE(waitFor([&] { return shown().contains(QStringLiteral("made now")); }));
    page->open(ui::DashboardLink{77});
    EXPECT_TRUE(waitFor([&] { return shown().contains(QStringLiteral("Run 77 does not exist.")); }));
}

TEST_F(DashboardTest, RunsWithOnePointNoPointsOrOnlyNanAreDrawn) {
    const RunId one = makeRun({.name = "one", .points = 1});
    const RunId none = makeRun({.name = "none"});
    const RunId nan =
        makeRun({.name = std::string(100, 'w'), .points = 50, .returns = [](int) { return std::nan(""); }});
    auto page = makePage(QStringLiteral("run"));
    page->open(ui::DashboardLink{one});
    auto* board = page->findChild<ChartBoard*>();
    ASSERT_TRUE(waitFor([&] {
        return board->shownCharts().size() == 2 && board->shownCharts()[0]->model().series()->size() == 1 &&
               (*board->shownCharts()[0]->model().series())[0].raw->statistics().points > 0;
    }));
    EXPECT_EQ((*board->shownCharts()[0]->model().series())[0].raw->statistics().points, 1U);
    settle(200);
    picture(*page, "dashboard-one-point");
    page->open(ui::DashboardLink{none});
    ASSERT_TRUE(waitFor([&] { return board->shownCharts().empty(); }));
    page->open(ui::DashboardLink{nan});
    ASSERT_TRUE(waitFor([&] {
        return board->shownCharts().size() == 2 && board->shownCharts()[0]->model().series()->size() == 1 &&
               board->shownCharts()[0]->model().idle();
    }));
    EXPECT_EQ((*board->shownCharts()[0]->model().series())[0].raw->statistics().points, 0U);
    settle(200);
    picture(*page, "dashboard-nan");
}

TEST_F(DashboardTest, ListsNeverShowThePreviousRun) {
    const RunId a = fullRun("one"), b = fullRun("two");  // the same steps and scores
    {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open((folder() / "seedbed.db").c_str(), &database), SQLITE_OK);
        const std::string statement =
            "UPDATE checkpoint_rows SET bytes = 70000000 WHERE run_id = " + std::to_string(b);
        EXPECT_EQ(sqlite3_exec(database, statement.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(database);
        sqlite3_close(database);
    }
    const RunId empty = makeRun({.name = "nothing yet"});
    auto page = makePage(QStringLiteral("run"));
    page->open(ui::DashboardLink{a});
    auto* list = page->findChild<ui::CheckpointList*>();
    auto* tree = list->findChild<QTreeWidget*>();
    const auto size = [&] {
        return tree->topLevelItemCount() == 0 ? QString() : tree->topLevelItem(0)->text(4);
    };
    ASSERT_TRUE(waitFor([&] { return list->count() == 3; }));
    const QString before = size();
    tree->topLevelItem(1)->setSelected(true);
    page->open(ui::DashboardLink{b});
    EXPECT_EQ(list->count(), 0);  // immediately, without waiting for the database
    EXPECT_EQ(page->findChild<ui::EventList*>()->count(), 0);
    ASSERT_TRUE(waitFor([&] { return list->count() == 3; }));
    EXPECT_NE(size(), before);
    EXPECT_TRUE(tree->selectedItems().isEmpty());
    page->open(ui::DashboardLink{empty});
    EXPECT_EQ(list->count(), 0);
    settle(300);
    EXPECT_EQ(list->count(), 0);
}

}  // namespace
}  // namespace seedbed::testing
