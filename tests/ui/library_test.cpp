// SPDX-License-Identifier: Apache-2.0
// Tests the library: which policies it lists, what its actions open, imports with the real program, and the
// devices and their measurements with a program of the test.
#include <algorithm>
#include <tuple>

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QInputDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QToolButton>

#include "tests/ui/program_fixture.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/models/library/device_list.hpp"
#include "ui/models/library/policy_list.hpp"
#include "ui/views/duel/duel_link.hpp"
#include "ui/views/export/export_link.hpp"
#include "ui/views/library/device_card.hpp"
#include "ui/views/library/devices_view.hpp"
#include "ui/views/library/policies_view.hpp"
#include "ui/views/start/customize_view.hpp"
#include "ui/views/watch/watch_link.hpp"

namespace seedbed::ui {
namespace {

LibraryPolicy policy(const char* name, double time, RunId run = 1) {
    LibraryPolicy made;
    made.player = made.name = QString::fromUtf8(name);
    made.time = time;
    made.run = run;
    return made;
}

TEST(PolicyListTest, TheFilterMatchesAllWordsAndTheNewestIsFirst) {
    PolicyList list;
    LibraryPolicy old = policy("old", 1);
    old.env_title = QStringLiteral("CartPole");
    old.algo = QStringLiteral("ppo");
    list.setRuns({old, policy("new", 3)});
    list.setImported({policy("friend", 2, 0)});
    ASSERT_EQ(list.rowCount(), 3);
    EXPECT_EQ(list.policyAt(0).name, QStringLiteral("new"));
    EXPECT_EQ(list.policyAt(1).name, QStringLiteral("friend"));
    list.setFilter(QStringLiteral("cart PPO"));
    ASSERT_EQ(list.rowCount(), 1);
    EXPECT_EQ(list.policyAt(0).name, QStringLiteral("old"));
    EXPECT_EQ(list.rowOf(QStringLiteral("friend")), -1);
    list.setFilter(QStringLiteral("imported"));
    EXPECT_EQ(list.rowOf(QStringLiteral("friend")), 0);
    EXPECT_EQ(list.count(), 3u);
}

TEST(PolicyListTest, ScoresAreOrderedWithinEachEnvironment) {
    PolicyList list;
    std::vector<LibraryPolicy> runs;
    for (const auto& [name, env, score] :
         {std::tuple{"c", "Pong", 3.0}, {"a", "CartPole", 2.0}, {"b", "CartPole", 9.0}}) {
        runs.push_back(policy(name, 1));
        runs.back().env_title = QLatin1String(env);
        runs.back().score = score;
    }
    runs.push_back(policy("d", 5));
    runs.back().env_title = QStringLiteral("CartPole");
    list.setRuns(runs);
    const auto names = [&] {
        QString all;
        for (int row = 0; row < list.rowCount(); ++row) all += list.policyAt(row).name;
        return all.toStdString();
    };
    EXPECT_EQ(names().substr(0, 1), "d") << "the newest";
    list.setOrder(PolicyOrder::score);
    EXPECT_EQ(names(), "badc");
    list.setOrder(PolicyOrder::name);
    EXPECT_EQ(names(), "abcd");
}

TEST(PolicyListTest, GoalsAreReachedFromTheirValueOn) {
    LibraryPolicy made = policy("a", 1);
    made.score = 474.9;
    made.goal = 475;
    EXPECT_EQ(goalText(made).toStdString(), "Not solved yet: goal 475");
    made.score = 475;
    EXPECT_EQ(goalText(made).toStdString(), "Solved: goal 475");
    made.goal.reset();
    made.is_evaluated = false;
    EXPECT_EQ(goalText(made).toStdString(), "In training");
}

TEST(PolicyListTest, ImportedPoliciesHaveTheirSourceAndSettings) {
    const QJsonArray json = QJsonDocument::fromJson(R"([
        {"name": "friend", "folder": "/x", "env": "cartpole", "algo": "ppo", "steps": 20000,
         "imported": 1.7e9,
         "source": "/home/you/a\u202e\nb.safetensors", "evaluation": {"mean": 498.5},
         "config": {"env": {"id": "cartpole"}, "algo": {"id": "ppo", "gamma": 0.9}}},
        {"name": "broken", "folder": "/y", "error": "params.safetensors is damaged"}])")
                                .array();
    const std::vector<LibraryPolicy> all = importedPolicies(json, nullptr);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].score, 498.5);
    EXPECT_EQ(all[0].time, 1.7e9);
    EXPECT_EQ(all[0].source.toStdString(), "/home/you/a\xEF\xBF\xBD b.safetensors");
    const std::pair<QString, QString> gamma{QStringLiteral("algo.gamma"), QStringLiteral("0.9")};
    EXPECT_NE(std::find(all[0].settings.begin(), all[0].settings.end(), gamma), all[0].settings.end());
    EXPECT_EQ(factsText(all[1]).toStdString(), "params.safetensors is damaged");
}

class LibraryTest : public testing::PageTest {
protected:
    void openPage(QSize size = {1000, 700}) {
        page_ = makePage(QStringLiteral("library"), size);
        list_ = page_->findChild<QListView*>(QStringLiteral("library-policies"));
        page_->open({});
    }
    void TearDown() override { page_.reset(); }
    bool waitForRows(int rows) {
        return testing::waitFor([&] { return list_->model()->rowCount() == rows; });
    }
    QAction* action(const char* id) { return page_->findChild<QAction*>(QLatin1String(id)); }
    QLabel* label(const char* id) { return page_->findChild<QLabel*>(QLatin1String(id)); }

    std::unique_ptr<Page> page_;
    QListView* list_ = nullptr;
};

TEST_F(LibraryTest, RunsWithWeightsAreListedAndTheirActionsOpenPages) {
    const RunId with = makeRun({.name = "kept", .points = 20, .checkpoint = true, .evaluation = 480});
    makeRun({.name = "without", .points = 20});
    const RunId trashed = makeRun({.name = "trashed", .points = 20, .checkpoint = true});
    RunEdit trash;
    trash.in_trash = true;
    testing::must(testing::must(Store::open(folder())).edit(trashed, trash));
    Catalogue catalogue(*services().launcher);
    ASSERT_EQ(catalogue.load(), QString());
    services().catalogue = &catalogue;
    ASSERT_TRUE(testing::waitFor([&] { return store().find(trashed) != nullptr; }));
    openPage();
    ASSERT_TRUE(waitForRows(1));
    const QModelIndex row = list_->model()->index(0, 0);
    EXPECT_EQ(row.data().toString(), QStringLiteral("kept"));
    const QString spoken = row.data(Qt::AccessibleTextRole).toString();
    EXPECT_TRUE(spoken.contains(QStringLiteral("score 480, Solved: goal 475"))) << spoken.toStdString();

    Q_EMIT list_->activated(row);
    ASSERT_NE(navigator.opened<WatchLink>(), nullptr);
    EXPECT_EQ(navigator.opened<WatchLink>()->run, with);
    EXPECT_EQ(navigator.opened<WatchLink>()->checkpoint_step, 1280);
    action("library-duel")->trigger();
    ASSERT_NE(navigator.opened<DuelLink>(), nullptr);
    EXPECT_TRUE(navigator.opened<DuelLink>()->a.startsWith(QStringLiteral("%1:").arg(with)));
    action("library-export")->trigger();
    ASSERT_NE(navigator.opened<ExportLink>(), nullptr);
    EXPECT_EQ(navigator.opened<ExportLink>()->checkpoint_step, 1280);
    action("library-train")->trigger();
    ASSERT_TRUE(testing::waitFor([&] { return navigator.opened<StartLink>() != nullptr; }));
    const NewRunRequest request = navigator.opened<StartLink>()->new_run.value();
    EXPECT_TRUE(request.init_from.startsWith(QStringLiteral("%1:").arg(with)));
    EXPECT_EQ(request.preset, QStringLiteral("none"));
    EXPECT_EQ(request.env, QStringLiteral("cartpole"));
    EXPECT_FALSE(request.base.empty());
    EXPECT_FALSE(action("library-remove")->isEnabled());  // only of imported policies

    page_->findChild<QLineEdit*>(QStringLiteral("library-filter"))->setText(QStringLiteral("nothing"));
    EXPECT_EQ(list_->model()->rowCount(), 0);
    EXPECT_FALSE(action("library-watch")->isEnabled());
    EXPECT_EQ(label("library-detail")->text(), QStringLiteral("No policy matches the filter."));
}

TEST_F(LibraryTest, TheSelectionIsKeptWhileARunTrains) {
    makeRun({.name = "first", .points = 20, .checkpoint = true});
    makeRun({.name = "second", .points = 20, .checkpoint = true});
    NewRun run;
    run.name = "live";
    run.env = "cartpole";
    run.algo = "ppo";
    auto live = testing::beginRun(folder(), run);
    services();
    openPage();
    ASSERT_TRUE(waitForRows(2));
    auto* view = page_->findChild<PoliciesView*>();
    const auto row = [&](const char* name) {
        for (int i = 0; i < list_->model()->rowCount(); ++i)
            if (list_->model()->index(i, 0).data().toString() == QLatin1String(name)) return i;
        return -1;
    };
    list_->setCurrentIndex(list_->model()->index(row("first"), 0));
    const QString chosen = view->selected();
    for (const std::int64_t step : {100, 200}) {
        CheckpointRecord checkpoint;
        checkpoint.step = step;
        checkpoint.time = 2e9 + static_cast<double>(step);  // it becomes the first row
        checkpoint.folder = "runs/x";
        live.writer->checkpoint(checkpoint);
        live.writer->progress({.steps = step, .frames = step, .updates = 1, .train_seconds = 1});
        testing::must(live.writer->flush());
        ASSERT_TRUE(testing::waitFor([&] {
            return row("live") == 0 && list_->model()
                                           ->index(0, 0)
                                           .data(Qt::AccessibleTextRole)
                                           .toString()
                                           .contains(QStringLiteral("%1 steps").arg(step));
        }));
        EXPECT_EQ(view->selected(), chosen);
    }
}

TEST_F(LibraryTest, TheFormKeepsTheInitialWeightsInANewWindow) {
    Catalogue catalogue(*services().launcher);
    ASSERT_EQ(catalogue.load(), QString());
    services().catalogue = &catalogue;
    page_ = makePage(QStringLiteral("start"));
    page_->open(StartLink{.new_run = NewRunRequest{.env = QStringLiteral("cartpole"),
                                                   .preset = {},
                                                   .settings = {},
                                                   .init_from = QStringLiteral("3:best")}});
    const QVariantMap state = page_->saveState();
    page_ = makePage(QStringLiteral("start"));
    page_->restoreState(state);
    const auto* form = page_->findChild<CustomizeView*>();
    ASSERT_NE(form, nullptr);
    EXPECT_TRUE(form->trainArguments().contains(QStringLiteral("--init-from=3:best")));
    // A form that is opened later starts with new weights.
    page_->open(
        StartLink{.new_run = NewRunRequest{.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}}});
    EXPECT_FALSE(form->trainArguments().contains(QStringLiteral("--init-from=3:best")));
    page_.reset();
}

TEST_F(LibraryTest, AnEmptyLibraryProposesTraining) {
    services();
    openPage();
    ASSERT_TRUE(testing::waitFor([&] { return label("library-empty")->isVisible(); }));
    ASSERT_TRUE(testing::waitFor(
        [&] { return label("library-empty")->text().startsWith(QStringLiteral("No policies yet.")); }));
    page_->findChild<QPushButton*>(QStringLiteral("library-first"))->click();
    EXPECT_NE(navigator.opened<StartLink>(), nullptr);
}

TEST_F(LibraryTest, LongNamesLeaveThePageNarrow) {
    for (unsigned seed = 1; seed < 30; ++seed) makeRun({.seed = seed, .points = 3, .checkpoint = true});
    std::string name(60, 'x');
    for (int i = 0; i < 10; ++i) name += "🌱";
    makeRun({.name = name,
             .env = "gym:/home/you/\x1b[31m" + std::string(200, 'y') + ".py:Env",
             .points = 20,
             .checkpoint = true,
             .evaluation = -123456.78});
    services();
    openPage({580, 560});
    ASSERT_TRUE(waitForRows(30));
    testing::settle();
    EXPECT_LE(page_->minimumSizeHint().width(), 580);
    EXPECT_LE(list_->sizeHintForRow(0), 70);
    picture(*page_, "library-long");
}

class LibraryProgramTest : public ProgramTest {};

TEST_F(LibraryProgramTest, AnImportedPolicyIsListedStartsRunsAndCanBeRemoved) {
    train();
    const QString exported = folder_.filePath(QStringLiteral("friend"));
    seedbed({QStringLiteral("export"), QStringLiteral("1"), QStringLiteral("--to"),
             QStringLiteral("safetensors"), QStringLiteral("--out"), exported});
    seedbed({QStringLiteral("import"), exported});
    // The same settings again, with other initial weights, are another job.
    const QStringList add{QStringLiteral("queue"), QStringLiteral("add"), QStringLiteral("cartpole")};
    seedbed(add);
    seedbed(add + QStringList{QStringLiteral("--init-from"), QStringLiteral("friend")});
    openStore();
    std::unique_ptr<Page> page;
    for (const PageEntry& entry : pageRegistry())
        if (entry.id == QStringLiteral("library")) page.reset(entry.make(services_));
    page->resize(1000, 700);
    page->show();
    page->open({});
    auto* list = page->findChild<QListView*>(QStringLiteral("library-policies"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return list->model()->rowCount() == 2; }, kTimeoutMs));
    EXPECT_EQ(runs_->runs()->size(), 3u);
    const auto run = [&](const char* id) { page->findChild<QAction*>(QLatin1String(id))->trigger(); };
    list->setCurrentIndex(list->model()->index(0, 0));  // imported after the run was trained
    EXPECT_EQ(page->findChild<QLabel*>(QStringLiteral("library-detail"))->text(),
              QStringLiteral("Imported from %1").arg(exported));
    run("library-watch");
    ASSERT_NE(navigator_.opened<WatchLink>(), nullptr);
    EXPECT_EQ(navigator_.opened<WatchLink>()->policy, QStringLiteral("friend"));
    run("library-train");
    ASSERT_NE(navigator_.opened<StartLink>(), nullptr);
    EXPECT_EQ(navigator_.opened<StartLink>()->new_run->init_from, QStringLiteral("friend"));

    // A name that is taken gets a number; a refusal is shown as a sentence.
    auto* view = page->findChild<PoliciesView*>();
    view->importFrom(exported);
    ASSERT_TRUE(QTest::qWaitFor([&] { return list->model()->rowCount() == 3; }, kTimeoutMs));
    EXPECT_EQ(view->selected(), QStringLiteral("friend-2"));
    view->rename(QStringLiteral("friend-2"), QStringLiteral("friend"));
    const auto* problem = page->findChild<QLabel*>(QStringLiteral("library-problem"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return problem->isVisible(); }, kTimeoutMs));
    EXPECT_TRUE(problem->text().contains(QStringLiteral("already exists"))) << problem->text().toStdString();
    view->rename(QStringLiteral("friend-2"), QStringLiteral("teacher"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return view->selected() == QStringLiteral("teacher"); }, kTimeoutMs));
    EXPECT_TRUE(page->findChild<QAction*>(QStringLiteral("library-rename"))->isEnabled());
    run("library-rename");
    auto* dialog = page->findChild<QInputDialog*>();
    ASSERT_NE(dialog, nullptr);
    const auto accepts = [&](const char* name) {
        dialog->setTextValue(QLatin1String(name));
        return dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled();
    };
    EXPECT_FALSE(accepts("friend")) << "taken";
    EXPECT_FALSE(accepts("a b"));
    EXPECT_TRUE(accepts("teacher.2"));
    EXPECT_TRUE(accepts("teacher")) << "its own name";
    dialog->reject();
    view->importFrom(dataFolder());
    EXPECT_TRUE(QTest::qWaitFor([&] { return problem->text().contains(QStringLiteral("contains runs")); },
                                kTimeoutMs))
        << problem->text().toStdString();

    const auto click = [&](const char* id) { page->findChild<QPushButton*>(QLatin1String(id))->click(); };
    run("library-remove");
    EXPECT_TRUE(page->findChild<QLabel*>(QStringLiteral("library-question"))->isVisible());
    click("library-keep");
    EXPECT_EQ(list->model()->rowCount(), 3);
    run("library-remove");
    click("library-confirm");
    ASSERT_TRUE(QTest::qWaitFor([&] { return list->model()->rowCount() == 2; }, kTimeoutMs));
    EXPECT_EQ(view->selected(), QStringLiteral("friend")) << "it took the place of the removed one";
    EXPECT_FALSE(QFile::exists(dataFolder() + QStringLiteral("/policies/teacher")));
    EXPECT_TRUE(QFile::exists(dataFolder() + QStringLiteral("/policies/friend")));
    EXPECT_TRUE(QFile::exists(exported));
}

TEST_F(LibraryProgramTest, ImportedPoliciesAreWatchedAndExported) {
    train();
    const QString exported = folder_.filePath(QStringLiteral("friend"));
    seedbed({QStringLiteral("export"), QStringLiteral("1"), QStringLiteral("--to"),
             QStringLiteral("safetensors"), QStringLiteral("--out"), exported});
    seedbed({QStringLiteral("import"), exported});
    openStore();
    std::unique_ptr<Page> page;
    for (const PageEntry& entry : pageRegistry())
        if (entry.id == QStringLiteral("watch")) page.reset(entry.make(services_));
    page->open(WatchLink{.policy = QStringLiteral("friend")});
    page->show();
    auto* pause = page->findChild<QAction*>(QStringLiteral("watch-pause"));
    ASSERT_NE(pause, nullptr);
    const auto* runs = page->findChild<QComboBox*>(QStringLiteral("watch-run"));
    EXPECT_EQ(runs->currentText(), QStringLiteral("friend · imported"));
    auto* status = page->findChild<QWidget*>(QStringLiteral("watch-start-again"));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            for (const QToolButton* button : page->findChildren<QToolButton*>())
                if (button->defaultAction() == pause && button->isEnabled()) return true;
            return status->isVisible();
        },
        kTimeoutMs));
    EXPECT_FALSE(status->isVisible());  // the player did not fail
    for (const PageEntry& entry : pageRegistry())
        if (entry.id == QStringLiteral("export")) page.reset(entry.make(services_));
    page->open(ExportLink{.policy = QStringLiteral("friend")});
    EXPECT_EQ(page->findChild<QComboBox*>(QStringLiteral("export-weights"))->currentData().toString(),
              QStringLiteral("friend"));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return page->findChild<QPushButton*>(QStringLiteral("export-start"))->isEnabled(); },
        kTimeoutMs));
}

// `seedbed` of the tests of devices.
constexpr const char* kProgram = R"sh(#!/bin/sh
case "$1" in
doctor) tr -d '\n' <<'END'
{"processor": "Test CPU", "cores": 4, "instruction_set": "avx2",
 "memory": {"total_bytes": 2000000000, "available_bytes": 1000000000}, "engines": [
 {"id": "reference", "available": true, "checks": [{"device": "cpu", "description": "cpu"}], "unusable": []},
 {"id": "native", "available": true, "unusable": [], "checks": [{"device": "cpu",
  "description": "cpu (avx2)", "error": null, "forward_error": 1e-7, "gradient_error": 3e-7}]},
 {"id": "vulkan", "available": true, "checks": [{"device": "vulkan:0",
  "description": "vulkan:0 (Card (rev 1, b), 8.0 GiB, driver x)", "error": "gradients differ"}],
  "unusable": ["vulkan:1 (Old card, software): it has no 16-bit storage"]},
 {"id": "torch", "available": false, "reason": "it is not built", "checks": [], "unusable": []}]}
END
echo
exit 8;;
calibrate) tr -d '\n' <<'END'
[{"env": "a", "sps": [1, 3]}, {"env": "b", "sps": [10, 30]}, {"env": "c", "sps": [5, 7]},
 {"env": "d", "sps": [4, 4]}]
END
echo;;
bench) echo "measuring native on cpu: nature (2 of 6)" >&2
[ -e "$0.wait" ] && exec sleep 300
echo "$@" > "$0.arguments"
busy=false speed=1234.4
[ -e "$0.busy" ] && busy=true speed=99
tr -d '\n' <<END
{"version": "9.9", "busy": $busy, "other_cores": 1.5, "devices": [{"engine": "native", "error": null, "latency_us": {"mlp64": {"256": 32}},
 "rates": [{"net": "nature", "forward_rows_per_s": $speed, "train_gflops": 26.5}]}]}
END
echo;;
esac
)sh";

class DeviceTest : public testing::UiTest {
protected:
    void SetUp() override {
        std::filesystem::create_directories(folder());
        QFile file(program_ = QString::fromStdString((folder() / "program").string()));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(kProgram);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        file.close();
        launcher_ = std::make_unique<Launcher>(program_, QStringLiteral("/nonexistent"));
        store_ = std::make_unique<RunStore>(folder() / "data", 20);
        services_.theme = &theme_;
    }
    std::unique_ptr<DeviceList> list() {
        auto made =
            std::make_unique<DeviceList>(*launcher_, *store_, nullptr, folder() / "cache/speeds.json");
        made->refresh();
        EXPECT_TRUE(testing::waitFor([&] { return !made->isRefreshing(); }));
        return made;
    }

    QString program_;
    std::unique_ptr<Launcher> launcher_;
    std::unique_ptr<RunStore> store_;
    Theme theme_;
    Services services_;
};

TEST_F(DeviceTest, DevicesStateWhatTheyAreAndWhyTheyCannotBeUsed) {
    const auto devices = list();
    EXPECT_EQ(devices->problem().toStdString(), "");
    ASSERT_EQ(devices->devices().size(), 4);
    const LibraryDevice &cpu = devices->devices()[0], &card = devices->devices()[1],
                        &old = devices->devices()[2], &torch = devices->devices()[3];
    EXPECT_EQ(cpu.title, QStringLiteral("Test CPU"));
    ASSERT_EQ(cpu.checks.size(), 1);  // not of the engine `reference`
    EXPECT_TRUE(cpu.checks[0].ok && cpu.checks[0].sentence.contains(QStringLiteral("3e-07")));
    EXPECT_EQ(card.title, QStringLiteral("Card (rev 1, b)"));
    EXPECT_EQ(card.facts, (QStringList{QStringLiteral("8.0 GiB"), QStringLiteral("driver x")}));
    EXPECT_FALSE(card.checks[0].ok);
    EXPECT_EQ(old.title, QStringLiteral("Old card"));
    EXPECT_EQ(old.problem, QStringLiteral("it has no 16-bit storage"));
    EXPECT_EQ(torch.problem, QStringLiteral("it is not built"));
    ASSERT_EQ(devices->fastestPresets().size(), 3);
    EXPECT_EQ(devices->fastestPresets()[0], std::pair(QStringLiteral("b"), 20.0));
    DeviceCard shown(services_, *devices, nullptr);
    shown.show(old);
    EXPECT_FALSE(shown.findChild<QPushButton*>(QStringLiteral("device-measure"))->isVisibleTo(&shown));
}

TEST_F(DeviceTest, EqualDevicesThatCannotBeUsedAreAllListed) {
    const QByteArray device = R"("vulkan:1 (Old card, software): it has no 16-bit storage")";
    QFile file(program_);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(QByteArray(kProgram).replace(device, device + ", " + device));
    file.close();
    services_.launcher = launcher_.get();
    services_.runs = store_.get();
    DevicesView view(services_, nullptr);
    for (int time = 0; time < 2; ++time) {
        view.refresh();
        ASSERT_TRUE(testing::waitFor([&] { return !view.devices().isRefreshing(); }));
        EXPECT_EQ(view.findChildren<DeviceCard*>().size(), 5);
    }
}

TEST_F(DeviceTest, MeasurementsAreStoredWithTheirDevice) {
    auto devices = list();
    const LibraryDevice cpu = devices->devices()[0];
    EXPECT_FALSE(devices->measurement(cpu));
    devices->measure(cpu.id);
    ASSERT_TRUE(testing::waitFor([&] { return devices->measured().isEmpty(); }));
    EXPECT_EQ(devices->note(cpu.id), QString());
    QFile arguments(program_ + QStringLiteral(".arguments"));
    ASSERT_TRUE(arguments.open(QIODevice::ReadOnly));
    EXPECT_TRUE(arguments.readAll().startsWith("bench gpu --device cpu "));
    devices = list();  // another window
    const auto measured = devices->measurement(cpu);
    ASSERT_TRUE(measured && measured->speeds.size() == 2);
    EXPECT_DOUBLE_EQ(measured->speeds[0].decisions_per_s, 8e6);
    EXPECT_EQ(measured->speeds[1].train_gflops, 26.5);
    EXPECT_EQ(measured->version, QStringLiteral("9.9"));
    LibraryDevice other = cpu;
    other.title = QStringLiteral("Another CPU");
    EXPECT_FALSE(devices->measurement(other));
}

TEST_F(DeviceTest, AResultOfTheIdleComputerIsNotReplacedByOneOfABusyComputer) {
    const auto devices = list();
    const LibraryDevice cpu = devices->devices()[0];
    DeviceCard card(services_, *devices, nullptr);
    const auto speed = [&] {
        devices->measure(cpu.id);
        EXPECT_TRUE(testing::waitFor([&] { return devices->measured().isEmpty(); }));
        card.show(cpu);
        return devices->measurement(cpu)->speeds[1].decisions_per_s;
    };
    const auto text = [&](const char* id) { return card.findChild<QLabel*>(QLatin1String(id))->text(); };
    QFile busy(program_ + QStringLiteral(".busy"));
    busy.open(QIODevice::WriteOnly);
    EXPECT_EQ(speed(), 99) << "better than none";
    EXPECT_TRUE(text("device-speed").contains(QStringLiteral("Other programs slowed it down")));
    busy.remove();
    EXPECT_EQ(speed(), 1234.4);
    EXPECT_FALSE(text("device-speed").contains(QStringLiteral("Other programs")));
    busy.open(QIODevice::WriteOnly);
    EXPECT_EQ(speed(), 1234.4);
    EXPECT_TRUE(text("device-note").startsWith(QStringLiteral("Other programs used 1.5 cores")))
        << text("device-note").toStdString();
}

TEST_F(DeviceTest, NothingIsMeasuredWhileARunTrains) {
    const auto devices = list();
    QFile(program_ + QStringLiteral(".wait")).open(QIODevice::WriteOnly);
    devices->measure(QStringLiteral("cpu"));
    ASSERT_TRUE(testing::waitFor([&] { return devices->stage().number == 2; }));
    DeviceCard card(services_, *devices, nullptr);
    card.show(devices->devices()[0]);
    EXPECT_EQ(card.findChild<QLabel*>(QStringLiteral("device-stage"))->text(),
              QStringLiteral("Measuring Nature CNN (84 × 84 pictures), engine native (2 of 6)…"));
    EXPECT_EQ(devices->measured(), QStringLiteral("cpu"));
    EXPECT_FALSE(devices->refusal().isEmpty());  // one at a time
    NewRun run;
    run.env = "cartpole";
    run.algo = "ppo";
    auto live = testing::beginRun(folder() / "data", run);
    live.writer->status(RunStatus::running, "");
    testing::must(live.writer->flush());
    ASSERT_TRUE(testing::waitFor([&] { return devices->measured().isEmpty(); }));
    EXPECT_TRUE(devices->note(QStringLiteral("cpu")).contains(QStringLiteral("a run began to train")));
    devices->measure(QStringLiteral("cpu"));
    EXPECT_TRUE(devices->measured().isEmpty());
    EXPECT_TRUE(devices->note(QStringLiteral("cpu")).startsWith(QStringLiteral("A run is training")));
}

}  // namespace
}  // namespace seedbed::ui
