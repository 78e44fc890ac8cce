// SPDX-License-Identifier: Apache-2.0
// Tests the window's view of the database: changes arrive, errors become states, and edits can be undone.
#include "ui/models/run_store.hpp"

#include <fstream>

#include <sqlite3.h>

#include <QUndoStack>

#include "core/store/database.hpp"
#include "tests/ui/models/held_time.hpp"
#include "tests/ui/models/ui_fixture.hpp"
#include "ui/models/editor.hpp"

namespace seedbed::testing {
namespace {

using ui::RunStore;
using ui::StoreState;

constexpr int kPollMs = 10, kNeverMs = 3'600'000;

class RunStoreTest : public UiTest {
protected:
    static bool becomes(RunStore& store, StoreState::Kind kind) {
        return waitFor([&] { return store.state().kind == kind; });
    }
    static std::string contents(const std::filesystem::path& file) {
        std::ifstream in(file);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    // Executes a statement, as another program would.
    void sql(const char* statement) const {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open((folder() / kDatabaseName).c_str(), &database), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, statement, nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(database);
        sqlite3_close(database);
    }
};

TEST(ReadPause, GrowsWithTheTrainingAndEndsWithIt) {
    RunRecord run;
    run.status = RunStatus::running;
    run.progress.train_seconds = 0.5;
    EXPECT_EQ(ui::readPause(run).count(), 10);
    run.progress.train_seconds = 20;
    EXPECT_EQ(ui::readPause(run).count(), 400);
    run.progress.train_seconds = 1e6;
    EXPECT_EQ(ui::readPause(run).count(), 2000);
    run.status = RunStatus::finished;
    EXPECT_EQ(ui::readPause(run).count(), 0);
}

TEST_F(RunStoreTest, AFolderWithoutADatabaseFillsWithTheFirstRun) {
    RunStore store(folder(), kPollMs);
    ASSERT_TRUE(becomes(store, StoreState::Kind::empty));
    EXPECT_TRUE(store.runs()->empty());
    makeRun({.name = "first", .points = 3});
    ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 1; }));
    EXPECT_EQ(store.state().kind, StoreState::Kind::ready);
    EXPECT_EQ(store.runs()->front().name, "first");
}

TEST_F(RunStoreTest, NewPointsArriveAndPublishedListsAreImmutable) {
    const RunId first = makeRun({.points = 3});
    RunStore store(folder(), kPollMs);
    ASSERT_TRUE(waitFor([&] { return store.find(first) != nullptr; }));
    const ui::RunSnapshot before = store.runs();
    const std::int64_t changes = store.changes();
    const RunId second = makeRun({.points = 3});
    ASSERT_TRUE(waitFor([&] { return store.find(second) != nullptr && store.changes() > changes; }));
    EXPECT_EQ(before->size(), 1U);
    EXPECT_EQ(store.runs()->size(), 2U);
    EXPECT_EQ(store.find(99), nullptr);
}

TEST_F(RunStoreTest, AShorterIntervalAppliesAtOnce) {
    makeRun({.name = "first"});
    RunStore store(folder(), kNeverMs);
    ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 1; }));
    makeRun({.name = "second"});
    store.setPollInterval(kPollMs);
    ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 2; }));
    makeRun({.name = "third"});
    EXPECT_TRUE(waitFor([&] { return store.runs()->size() == 3; }));
}

TEST_F(RunStoreTest, AfterARefreshItPollsOften) {
    makeRun({.name = "first"});
    RunStore store(folder(), kNeverMs);
    ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 1; }));
    // Several tries: on a busy machine a run may be written more than a second after the refresh.
    bool found = false;
    for (std::size_t tries = 0; tries < 10 && !found; ++tries) {
        makeRun({});
        store.refresh();
        ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 2 * tries + 2; }));
        makeRun({});
        found = waitFor([&] { return store.runs()->size() == 2 * tries + 3; }, 1.5);
        if (!found) store.refresh();
        ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 2 * tries + 3; }));
    }
    EXPECT_TRUE(found);
}

TEST_F(RunStoreTest, WithoutChangesThereAreNoSignals) {
    makeRun({.points = 3});
    RunStore store(folder(), kPollMs);
    ASSERT_TRUE(becomes(store, StoreState::Kind::ready));
    settle(100);
    int announced = 0;
    QObject::connect(&store, &RunStore::runsChanged, [&] { ++announced; });
    QObject::connect(&store, &RunStore::changed, [&] { ++announced; });
    settle(200);
    EXPECT_EQ(announced, 0);
}

TEST_F(RunStoreTest, AMissingFolderIsReportedKeepsTheListAndReconnects) {
    makeRun({.name = "kept", .points = 3});
    RunStore store(folder(), kPollMs);
    ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 1; }));
    const auto away = folder().parent_path() / "away";
    std::filesystem::rename(folder(), away);
    ASSERT_TRUE(becomes(store, StoreState::Kind::disappeared));
    EXPECT_TRUE(store.state().text.contains(QString::fromStdString(folder().string())));
    EXPECT_EQ(store.runs()->size(), 1U);
    // An edit in this state fails with a reason and does not create a database.
    QUndoStack stack;
    ui::Editor editor(store, stack);
    QString complaint;
    QObject::connect(&editor, &ui::Editor::failed, [&](const QString& text) { complaint = text; });
    editor.setStar({1}, true);
    ASSERT_TRUE(waitFor([&] { return !complaint.isEmpty(); }));
    EXPECT_FALSE(std::filesystem::exists(folder()));
    std::filesystem::rename(away, folder());
    ASSERT_TRUE(becomes(store, StoreState::Kind::ready));
    stack.clear();
}

TEST_F(RunStoreTest, AReplacedDatabaseIsReadAgain) {
    makeRun({.name = "old", .points = 1});
    RunStore store(folder(), kPollMs);
    ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 1; }));
    std::filesystem::rename(folder(), folder().parent_path() / "away");
    makeRun({.name = "new", .points = 1});
    ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 1 && store.runs()->front().name == "new"; }));
}

TEST_F(RunStoreTest, ALockedDatabaseIsReportedUntilItIsFree) {
    makeRun({.name = "behind the lock", .points = 1});
    sqlite3* holder = nullptr;
    ASSERT_EQ(sqlite3_open((folder() / kDatabaseName).c_str(), &holder), SQLITE_OK);
    for (const char* statement :
         {"PRAGMA locking_mode=EXCLUSIVE", "BEGIN IMMEDIATE", "CREATE TABLE held(x)", "COMMIT"})
        ASSERT_EQ(sqlite3_exec(holder, statement, nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(holder);
    {
        RunStore store(folder(), kPollMs);
        ASSERT_TRUE(becomes(store, StoreState::Kind::locked));
        EXPECT_FALSE(store.state().text.isEmpty());
    }  // the destructor does not wait for the lock
    sqlite3_exec(holder, "DROP TABLE held", nullptr, nullptr, nullptr);
    RunStore store(folder(), kPollMs);
    ASSERT_TRUE(becomes(store, StoreState::Kind::locked));
    sqlite3_close(holder);
    ASSERT_TRUE(becomes(store, StoreState::Kind::ready));
    EXPECT_EQ(store.runs()->size(), 1U);
}

TEST_F(RunStoreTest, ADatabaseOfANewerVersionIsRejectedWithTheReason) {
    makeRun({.points = 1});
    sql("PRAGMA user_version=999");
    RunStore store(folder(), kPollMs);
    ASSERT_TRUE(becomes(store, StoreState::Kind::failed));
    EXPECT_TRUE(store.state().text.contains(QStringLiteral("newer"))) << store.state().text.toStdString();
}

TEST_F(RunStoreTest, AFileThatIsNotADatabaseIsReported) {
    std::filesystem::create_directories(folder());
    std::ofstream(folder() / kDatabaseName)
        << "this is a letter and not a database, but it is long enough to be read as the file header";
    RunStore store(folder(), kPollMs);
    ASSERT_TRUE(becomes(store, StoreState::Kind::failed));
    EXPECT_FALSE(store.state().text.isEmpty());
}

TEST_F(RunStoreTest, ADatabaseDamagedWhileOpenIsAStateAndKeepsTheList) {
    makeRun({.points = 600});
    RunStore store(folder(), kPollMs);
    ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 1; }));
    sql("PRAGMA wal_checkpoint(TRUNCATE)");
    const auto file = folder() / kDatabaseName;
    const auto bytes = std::filesystem::file_size(file);
    {
        std::fstream damage(file, std::ios::in | std::ios::out | std::ios::binary);
        damage.seekp(100);
        const std::string rubbish(bytes - 100, '\xee');
        damage.write(rubbish.data(), static_cast<std::streamsize>(rubbish.size()));
    }
    std::filesystem::rename(file, folder() / "x");  // a different inode, so that cached pages are not used
    std::filesystem::copy(folder() / "x", file);
    ASSERT_TRUE(becomes(store, StoreState::Kind::failed));
    EXPECT_EQ(store.runs()->size(), 1U);
}

TEST_F(RunStoreTest, OnlyTheNewestOfRepeatedAnswersArrives) {
    makeRun({.points = 1});
    RunStore store(folder(), kPollMs);
    ASSERT_TRUE(becomes(store, StoreState::Kind::ready));
    QObject context;
    std::vector<int> answers;
    for (int i = 0; i < 20; ++i)
        store.read(
            &context, QStringLiteral("question"), [i](StoreReader&) -> Result<int> { return i; },
            [&](const Result<int>& answer) { answers.push_back(answer.value_or(-1)); });
    ASSERT_TRUE(waitFor([&] { return !store.reading(); }));
    EXPECT_EQ(answers, std::vector<int>{19});
}

TEST_F(RunStoreTest, AnAnswerForADestroyedContextIsDropped) {
    makeRun({.points = 1});
    RunStore store(folder(), kPollMs);
    auto context = std::make_unique<QObject>();
    bool answered = false;
    store.read(
        context.get(), QString(), [](StoreReader&) -> Result<int> { return 1; },
        [&](const Result<int>&) { answered = true; });
    context.reset();
    ASSERT_TRUE(waitFor([&] { return !store.reading(); }));
    EXPECT_FALSE(answered);
}

class EditorTest : public RunStoreTest {
protected:
    QUndoStack stack_;
};

TEST_F(EditorTest, EveryKindOfEditIsWrittenUndoneAndRedone) {
    const RunId a = makeRun({.name = "a", .tags = {"x"}}), b = makeRun({.name = "b"});
    RunStore store(folder(), kPollMs);
    ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 2; }));
    ui::Editor editor(store, stack_);
    const auto is = [&](RunId run, const std::function<bool(const RunRecord&)>& condition) {
        return waitFor([&] { return store.find(run) != nullptr && condition(*store.find(run)); });
    };
    editor.setStar({a, b}, true);
    EXPECT_EQ(stack_.count(), 1);
    ASSERT_TRUE(is(a, [](const RunRecord& run) { return run.star; }));
    ASSERT_TRUE(is(b, [](const RunRecord& run) { return run.star; }));
    editor.rename(a, QStringLiteral("another"));
    editor.setNotes(a, QStringLiteral("ملاحظة"));
    editor.setTags(a, QStringLiteral("y, z"));
    editor.setArchived({b}, true);
    editor.setTrashed({b}, true);
    ASSERT_TRUE(is(a, [](const RunRecord& run) { return run.name == "another" && run.notes == "ملاحظة"; }));
    ASSERT_TRUE(is(a, [](const RunRecord& run) { return run.tags == std::vector<std::string>{"y", "z"}; }));
    ASSERT_TRUE(is(b, [](const RunRecord& run) { return run.archived && run.in_trash; }));
    while (stack_.canUndo()) stack_.undo();
    ASSERT_TRUE(
        is(a, [](const RunRecord& run) { return run.name == "a" && run.notes.empty() && !run.star; }));
    ASSERT_TRUE(is(a, [](const RunRecord& run) { return run.tags == std::vector<std::string>{"x"}; }));
    ASSERT_TRUE(is(b, [](const RunRecord& run) { return !run.archived && !run.in_trash && !run.star; }));
    while (stack_.canRedo()) stack_.redo();
    ASSERT_TRUE(is(b, [](const RunRecord& run) { return run.archived && run.in_trash && run.star; }));
    stack_.clear();
}

TEST_F(EditorTest, ARejectedEditChangesNothingAndReportsTheReason) {
    const RunId a = makeRun({.name = "a"}), b = makeRun({.name = "b"});
    RunStore store(folder(), kPollMs);
    ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 2; }));
    ui::Editor editor(store, stack_);
    QString complaint;
    QObject::connect(&editor, &ui::Editor::failed, [&](const QString& text) { complaint = text; });
    editor.rename(b, QStringLiteral("a"));
    ASSERT_TRUE(waitFor([&] { return !complaint.isEmpty(); }));
    EXPECT_FALSE(stack_.canUndo());
    settle();
    EXPECT_EQ(store.find(b)->name, "b");
    editor.setStar({a}, false);  // nothing changed, so no undo step
    EXPECT_EQ(stack_.count(), 0);
}

TEST_F(EditorTest, EditsJustBeforeExitAreWritten) {
    const RunId a = makeRun({.name = "a"});
    {
        RunStore store(folder(), kPollMs);
        ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 1; }));
        ui::Editor editor(store, stack_);
        editor.setStar({a}, true);
        editor.setNotes(a, QStringLiteral("written"));
        stack_.clear();
    }
    StoreReader reader = must(StoreReader::open(folder()));
    EXPECT_TRUE(must(reader.run(a)).star);
    EXPECT_EQ(must(reader.run(a)).notes, "written");
}

TEST_F(EditorTest, FastStepsRevertToTheValuesTheyReplaced) {
    const RunId a = makeRun({.name = "original", .tags = {"x"}});
    // A store with a poll interval of ten seconds does not detect the edit in time.
    RunStore store(folder(), 10'000);
    ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 1; }));
    ui::Editor editor(store, stack_);
    StoreReader reader = must(StoreReader::open(folder()));
    const auto is = [&](const std::function<bool(const RunRecord&)>& condition) {
        return waitFor([&] { return !editor.busy() && condition(must(reader.run(a))); });
    };
    editor.rename(a, QStringLiteral("first"));
    editor.rename(a, QStringLiteral("second"));
    ASSERT_TRUE(is([](const RunRecord& run) { return run.name == "second"; }));
    stack_.undo();
    EXPECT_TRUE(is([](const RunRecord& run) { return run.name == "first"; }));
    editor.setTags(a, QStringLiteral("y"));
    editor.setTags(a, QStringLiteral("z"));
    EXPECT_TRUE(is([](const RunRecord& run) { return run.tags == std::vector<std::string>{"z"}; }));
    editor.setStar({a}, true);
    editor.setStar({a}, false);
    EXPECT_TRUE(is([](const RunRecord& run) { return !run.star; }));
    stack_.undo();
    EXPECT_TRUE(is([](const RunRecord& run) { return run.star; }));
    stack_.clear();
}

TEST_F(EditorTest, ARejectedNameLeavesAllOtherStepsUndoable) {
    const RunId a = makeRun({.name = "a"}), b = makeRun({.name = "b"});
    RunStore store(folder(), kPollMs);
    ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 2; }));
    ui::Editor editor(store, stack_);
    QStringList complaints;
    QObject::connect(&editor, &ui::Editor::failed, [&](const QString& text) { complaints += text; });
    editor.setTrashed({a, b}, true);
    editor.setNotes(a, QStringLiteral("kept"));
    ASSERT_TRUE(waitFor([&] { return store.find(a)->notes == "kept" && !editor.busy(); }));
    ASSERT_EQ(stack_.index(), 2);
    editor.rename(a, QStringLiteral("bad/name"));  // invalid name
    EXPECT_EQ(complaints.size(), 1);
    editor.rename(a, QStringLiteral("b"));  // name of another run; only the database can detect that
    ASSERT_TRUE(waitFor([&] { return complaints.size() == 2; }));
    EXPECT_EQ(stack_.index(), 2);
    EXPECT_EQ(stack_.count(), 2);
    stack_.undo();
    stack_.undo();
    ASSERT_TRUE(waitFor([&] {
        return !store.find(a)->in_trash && !store.find(b)->in_trash && store.find(a)->notes.empty();
    }));
    // A failed undo can be repeated.
    stack_.redo();
    ASSERT_TRUE(waitFor([&] { return store.find(b)->in_trash && !editor.busy(); }));
    const auto away = folder().string() + "-away";
    std::filesystem::rename(folder(), away);
    stack_.undo();
    ASSERT_TRUE(waitFor([&] { return complaints.size() == 3; }));
    EXPECT_TRUE(stack_.canUndo());
    std::filesystem::rename(away, folder());
    stack_.undo();
    EXPECT_TRUE(waitFor([&] {
        return !editor.busy() && store.state().kind == StoreState::Kind::ready && !store.find(b)->in_trash;
    }));
    stack_.clear();
}

TEST_F(EditorTest, AnEditBlockedByALockAtExitIsWrittenAtTheNextStart) {
    const RunId a = makeRun({.name = "a", .tags = {"x"}});
    const auto file = folder() / "state" / "unsaved-edits.jsonl";
    sqlite3* holder = nullptr;
    ASSERT_EQ(sqlite3_open((folder() / kDatabaseName).c_str(), &holder), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(holder, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
    {
        RunStore store(folder(), kPollMs);
        ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 1; }));
        auto editor = std::make_unique<ui::Editor>(store, stack_, file);
        editor->setStar({a}, true);
        editor->setNotes(a, QStringLiteral("written, \"later\"\nthan it was typed"));
        editor->setTags(a, QStringLiteral("y, z"));
        stack_.clear();
        const HeldTime held;
        editor.reset();
        EXPECT_LT(held.ms(), 10'000);  // waits for the lock for 1 s, not for 30 s
    }
    EXPECT_TRUE(std::filesystem::exists(file));
    {
        // Rejected again: the edit is kept exactly once.
        const std::string before = contents(file);
        RunStore store(folder(), kPollMs);
        auto editor = std::make_unique<ui::Editor>(store, stack_, file);
        EXPECT_EQ(contents(file), before) << "an edit is removed from the file only when it is committed";
        editor.reset();
        EXPECT_EQ(contents(file), before);
    }
    sqlite3_close(holder);
    EXPECT_FALSE(must(must(StoreReader::open(folder())).run(a)).star);
    {
        RunStore store(folder(), kPollMs);
        ui::Editor editor(store, stack_, file);
        ASSERT_TRUE(waitFor([&] {
            return store.find(a) != nullptr && store.find(a)->tags == std::vector<std::string>{"y", "z"};
        }));
    }
    const RunRecord run = must(must(StoreReader::open(folder())).run(a));
    EXPECT_TRUE(run.star);
    EXPECT_EQ(run.notes, "written, \"later\"\nthan it was typed");
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(EditorTest, EditsOfSafeModeAreAppendedToEarlierOnes) {
    const RunId a = makeRun({.name = "a"});
    const auto file = folder() / "state" / "unsaved-edits.jsonl";
    sqlite3* holder = nullptr;
    ASSERT_EQ(sqlite3_open((folder() / kDatabaseName).c_str(), &holder), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(holder, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
    const auto editWhileLocked = [&](ui::Editor::Earlier earlier, const QString& notes) {
        RunStore store(folder(), kPollMs);
        ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 1; }));
        ui::Editor editor(store, stack_, file, earlier);
        editor.setNotes(a, notes);
        stack_.clear();
    };
    editWhileLocked(ui::Editor::Earlier::write, QStringLiteral("before"));
    sqlite3_exec(holder, "COMMIT", nullptr, nullptr, nullptr);
    {
        RunStore store(folder(), kPollMs);
        const ui::Editor safe(store, stack_, file, ui::Editor::Earlier::leave);
        settle(300);
    }
    EXPECT_EQ(must(must(StoreReader::open(folder())).run(a)).notes, "") << "it must not apply earlier edits";
    ASSERT_EQ(sqlite3_exec(holder, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
    editWhileLocked(ui::Editor::Earlier::leave, QStringLiteral("in safe mode"));
    sqlite3_close(holder);
    RunStore store(folder(), kPollMs);
    const ui::Editor editor(store, stack_, file);
    EXPECT_TRUE(waitFor([&] {
        return !editor.busy() && store.find(a) != nullptr && store.find(a)->notes == "in safe mode";
    }));
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(RunStoreTest, WithTenThousandRunsUpdatesOfALiveRunArriveImmediately) {
    makeRun({.name = "pattern", .points = 1});
    sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
        "INSERT INTO runs (uid, name, env, algo, seed, engine, config, devices, auto_settings, init_from, "
        "status, created, updated, notes) "
        "SELECT 'u' || i, 'run ' || i, env, algo, i, engine, config, devices, auto_settings, init_from, "
        "status, created, updated, notes "
        "FROM runs, n WHERE id = 1");
    Store database = must(Store::open(folder()));
    NewRun new_run;
    new_run.env = "cartpole";
    new_run.algo = "ppo";
    OwnedRun owned = must(database.createRun(new_run));
    must(database.beginSegment(*owned.lock, 0, ProcessInfo{}));
    auto writer = must(RunWriter::open(folder(), *owned.lock, {}));
    RunStore store(folder(), 50);
    ASSERT_TRUE(waitFor([&] { return store.runs()->size() == 10'002; }));
    int announced = 0;
    QObject::connect(&store, &RunStore::changed, [&] { ++announced; });
    // Five updates per second; reading the list first would take most of a second each time.
    constexpr int kCommits = 20;
    int seen = 0;
    for (int i = 1; i <= kCommits; ++i) {
        const RunWriter::Value values[] = {{"episode/return", i * 1.0}};
        writer->metrics(64 * i, 1.7e9 + i, values);
        writer->progress({.steps = 64 * i});
        must(writer->flush());
        const int before = announced;
        settle(200);
        seen += announced > before ? 1 : 0;
    }
    EXPECT_GE(seen, kCommits * 3 / 4);
    EXPECT_TRUE(waitFor([&] { return store.find(owned.id)->progress.steps == 64 * kCommits; }));
    // The end of the run, a new run and an edit by another program are all detected.
    writer->status(RunStatus::finished, "");
    must(writer->flush());
    writer.reset();
    owned.lock.reset();
    EXPECT_TRUE(waitFor([&] { return store.find(owned.id)->status == RunStatus::finished; }));
    const RunId newer = makeRun({.name = "newer", .points = 1});
    EXPECT_TRUE(waitFor([&] { return store.find(newer) != nullptr; }));
    RunEdit edit;
    edit.star = true;
    must(database.edit(5000, edit));
    EXPECT_TRUE(waitFor([&] { return store.find(5000)->star; }));
}

}  // namespace
}  // namespace seedbed::testing
