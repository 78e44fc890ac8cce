// SPDX-License-Identifier: Apache-2.0
// All database operations other than training (edits, queue, resume, vacuum, export, import, migration with
// its backup) while each file operation of SQLite and of FileSystem fails in turn, once and permanently: no
// crash, no damage, no failed operation reported as successful, and the next attempt completes it. Outside
// the long form, after the first 40 of SQLite's operations every third fails in each way, each way at others.
#include <fstream>
#include <functional>
#include <memory>
#include <optional>

#include <sqlite3.h>
#include <unistd.h>

#include "core/base/log.hpp"
#include "core/store/check_database.hpp"
#include "core/store/database.hpp"
#include "core/store/export_database.hpp"
#include "core/store/import.hpp"
#include "core/store/league/league_store.hpp"
#include "core/store/schema.hpp"
#include "core/store/vacuum.hpp"
#include "core/store/write_lock.hpp"
#include "tests/unit/base/failing_files.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/store/fault_vfs.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace seedbed {
namespace {

using testing::FailingFiles;
using testing::FaultVfs;
using testing::must;

// An operation and the state it must leave.
class Script {
public:
    explicit Script(std::filesystem::path folder) : folder_(std::move(folder)) {}
    virtual ~Script() = default;
    // Runs once without faults; every attempt starts with a copy of the folder.
    virtual void prepare() {}
    // Runs with faults. Returns a value if the operation reports success.
    virtual Result<> act(const System& system) = 0;
    // Runs without faults. `done`: act() reported success.
    virtual void check(bool done) = 0;

protected:
    std::filesystem::path data() const { return folder_ / "data"; }
    StoreReader reader() const { return must(StoreReader::open(data())); }
    std::filesystem::path folder_;
};

NewRun cartpole(std::string name) {
    NewRun run;
    run.name = std::move(name), run.env = "cartpole", run.algo = "ppo", run.seed = 7,
    run.engine = "reference";
    return run;
}

// Two blocks and a tail of one curve, an episode and a checkpoint; 520 points.
void fill(const std::filesystem::path& data, const std::string& name) {
    Store store = must(Store::open(data));
    const OwnedRun run = must(store.createRun(cartpole(name)));
    must(store.beginSegment(*run.lock, 0, ProcessInfo{}));
    const auto writer = must(RunWriter::open(data, *run.lock));
    for (std::int64_t step = 1; step <= 520; ++step) {
        const RunWriter::Value value{"loss/policy", static_cast<double>(step)};
        writer->metrics(step, 1.7e9, std::span(&value, 1));
    }
    writer->episodes(std::vector<EpisodeRecord>{{520, 0, 1, 1, 0}});
    for (const std::int64_t step : {260, 520}) {
        CheckpointRecord row;
        row.step = step;
        row.folder = "checkpoints/" + std::to_string(run.id) + "/" + std::to_string(step);
        writer->checkpoint(row);
    }
    must(writer->flush());
}

// An edit is stored completely or not at all.
class Edits final : public Script {
public:
    using Script::Script;
    void prepare() override { fill(data(), "pole"); }
    Result<> act(const System& system) override {
        SEEDBED_ASSIGN(Store store, Store::open(data(), {}, system));
        RunEdit edit;
        edit.name = "better";
        edit.notes = "n";
        edit.star = true;
        edit.add_tags = {"a", "b"};
        SEEDBED_TRY(store.edit(1, edit));
        ArtifactRecord artifact;
        artifact.step = 1;
        artifact.kind = "export";
        artifact.path = "x";
        return store.addArtifact(1, artifact);
    }
    void check(bool done) override {
        StoreReader reader = this->reader();
        const RunRecord run = must(reader.run(1));
        const bool edited = run.name == "better";
        EXPECT_EQ(run.star, edited);
        EXPECT_EQ(run.tags.size(), edited ? 2u : 0u);
        const std::size_t artifacts = must(reader.artifacts(1)).size();
        EXPECT_TRUE(artifacts == 0 || edited);
        if (done) {
            EXPECT_GE(artifacts, 1u);
        }
        EXPECT_EQ(must(reader.metric(1, "loss/policy")).steps.size(), 520u);
    }
};

class Queue final : public Script {
public:
    using Script::Script;
    Result<> act(const System& system) override {
        acknowledged_ = 0;
        SEEDBED_ASSIGN(Store store, Store::open(data(), {}, system));
        SEEDBED_TRY(store.enqueue({cartpole("a"), cartpole("b"), cartpole("c")}).map([](const auto&) {}));
        ++acknowledged_;
        SEEDBED_TRY(store.moveInQueue(3, 1));
        ++acknowledged_;
        SEEDBED_TRY(store.pauseInQueue(1, true));
        ++acknowledged_;
        SEEDBED_TRY(store.removeFromQueue(2));
        ++acknowledged_;
        SEEDBED_TRY(store.setQueue(2, true));
        ++acknowledged_;
        return {};
    }
    void check(bool done) override {
        if (!done && !std::filesystem::exists(data() / kDatabaseName)) return;
        (void)must(Store::open(data()));  // completes incomplete operations
        StoreReader reader = this->reader();
        const QueueState queue = must(reader.queue());
        std::vector<RunId> order;
        for (const QueueEntry& entry : queue.entries) order.push_back(entry.run);
        // The state after this many steps; the next one may also be stored, since its commit can fail after
        // it reached the disk.
        const std::vector<std::vector<RunId>> orders{{}, {1, 2, 3}, {3, 1, 2}, {3, 1, 2}, {3, 1}, {3, 1}};
        const auto at = static_cast<std::size_t>(acknowledged_), next = std::min(at + 1, orders.size() - 1);
        EXPECT_TRUE(order == orders[at] || order == orders[next]) << acknowledged_;
        const std::size_t runs = must(reader.runs()).size();
        EXPECT_TRUE(runs == (at > 0 ? 3u : 0u) || runs == 3u);
        if (done) {
            EXPECT_EQ(queue.at_a_time, 2);
            EXPECT_TRUE(queue.paused);
            EXPECT_TRUE(queue.entries[1].paused);
        }
    }

private:
    int acknowledged_ = 0;
};

// A run is rolled back to step 260: either all newer rows are superseded or none.
class Resume final : public Script {
public:
    using Script::Script;
    void prepare() override { fill(data(), "pole"); }
    Result<> act(const System& system) override {
        SEEDBED_ASSIGN(const RunLock lock, RunLock::acquire(data(), 1, system));
        SEEDBED_ASSIGN(Store store, Store::open(data(), {}, system));
        SEEDBED_TRY(store.beginSegment(lock, 260, ProcessInfo{}).map([](const auto&) {}));
        RunWriterOptions options;
        options.system = system;
        options.retry_interval = options.commit_interval = std::chrono::milliseconds(1),
        options.shutdown_timeout = std::chrono::milliseconds(10);
        SEEDBED_ASSIGN(const auto writer, RunWriter::open(data(), lock, options));
        const RunWriter::Value value{"loss/policy", 1};
        writer->metrics(261, 1.7e9, std::span(&value, 1));
        return writer->flush();
    }
    void check(bool done) override {
        StoreReader reader = this->reader();
        const auto points = must(reader.metric(1, "loss/policy")).steps.size();
        EXPECT_TRUE(points == 520 || points == 260 || points == 261) << points;
        const RunDetails run = must(reader.details(1));
        EXPECT_EQ(run.segments.size() == 1, points == 520);
        EXPECT_EQ(run.checkpoints.size(), points == 520 ? 2u : 1u);
        EXPECT_EQ(must(reader.episodeCount(1)), points == 520 ? 1 : 0);
        if (done) {
            EXPECT_EQ(points, 261u);
        }
        EXPECT_FALSE(RunLock::isHeld(data(), 1));
    }
};

class Vacuum final : public Script {
public:
    using Script::Script;
    void prepare() override {
        fill(data(), "gone");
        fill(data(), "stays");
        std::filesystem::create_directories(data() / "checkpoints/1/260");
        std::filesystem::create_directories(data() / "checkpoints/2/260");
        Store store = must(Store::open(data()));
        RunEdit edit;
        edit.in_trash = true;
        must(store.edit(1, edit));
    }
    Result<> act(const System& system) override {
        SEEDBED_ASSIGN(const VacuumReport report,
                       vacuumDatabase(*system.files, data(), {.empty_trash = true}));
        if (!report.problems.empty()) return fail(report.problems[0]);
        return {};
    }
    void check(bool done) override {
        StoreReader reader = this->reader();
        const auto runs = must(reader.runs());
        ASSERT_GE(runs.size(), 1u);
        EXPECT_EQ(must(reader.metric(2, "loss/policy")).steps.size(), 520u);
        EXPECT_TRUE(std::filesystem::exists(data() / "checkpoints/2/260"));
        if (done) {
            EXPECT_EQ(runs.size(), 1u);
            EXPECT_FALSE(std::filesystem::exists(data() / "checkpoints/1"));
        }
    }
};

class Export final : public Script {
public:
    using Script::Script;
    void prepare() override {
        fill(data(), "one");
        fill(data(), "two");
    }
    Result<> act(const System& system) override { return exportDatabase(data(), target(), {2}, system); }
    void check(bool done) override {
        // The final name is absent or refers to a complete copy: the last step, a sync, can fail after the
        // renaming.
        if (done) {
            ASSERT_TRUE(std::filesystem::exists(target()));
        }
        if (!std::filesystem::exists(target())) return;
        {
            const auto exported = must(Database::open(target(), Database::Access::read));
            Statement check = must(exported->prepare("PRAGMA integrity_check"));
            must(check.each([&] { EXPECT_EQ(check.text(0), "ok"); }));
            EXPECT_EQ(must(exported->integer("SELECT count(*) FROM runs")), 1);
            EXPECT_EQ(must(exported->integer("SELECT points FROM metric_series")), 520);
        }
        std::filesystem::remove(target());  // otherwise the next export is rejected
    }

private:
    std::filesystem::path target() const { return folder_ / "export.db"; }
};

class Import final : public Script {
public:
    using Script::Script;
    void prepare() override {
        fill(folder_ / "other", "one");
        fill(folder_ / "other", "two");
        addLeague(folder_ / "other");
        must(exportDatabase(folder_ / "other", folder_ / "export.db", {}));
        std::filesystem::remove_all(folder_ / "other");
        fill(data(), "mine");
        // A run whose removal was interrupted, and the file of a killed import.
        fill(data(), "half");
        const auto database = must(Database::open(data() / kDatabaseName, Database::Access::write));
        must(database->execute(
            "UPDATE runs SET in_bin = 1, uid = 'importing-1', name = NULL WHERE name = 'half'"));
        std::ofstream(data() / ".import.db.999999999-5-0.tmp") << "half a database";
    }
    Result<> act(const System& system) override {
        SEEDBED_ASSIGN(const auto imported, importDatabase(data(), folder_ / "export.db", system));
        EXPECT_EQ(imported.size(), 2u);
        return {};
    }
    void check(bool done) override {
        StoreReader reader = this->reader();
        const auto runs = must(reader.runs());
        EXPECT_GE(runs.size(), done ? 3u : 1u);
        for (const RunRecord& run : runs) {
            EXPECT_EQ(must(reader.metric(run.id, "loss/policy")).steps.size(), 520u) << run.name;
            EXPECT_EQ(must(reader.checkpoints(run.id)).size(), 2u);
            EXPECT_EQ(must(reader.episodeCount(run.id)), 1);
        }
        // The league is complete or absent.
        const auto database = must(Database::open(data() / kDatabaseName, Database::Access::read));
        const std::int64_t leagues = must(database->integer("SELECT count(*) FROM leagues"));
        EXPECT_GE(leagues, done ? 1 : 0);
        EXPECT_EQ(must(database->integer("SELECT count(*) FROM league_members")), 2 * leagues);
        EXPECT_EQ(must(database->integer("SELECT count(*) FROM league_matches")), 3 * leagues);
    }

private:
    static void addLeague(const std::filesystem::path& folder) {
        LeagueStore store = must(LeagueStore::open(folder));
        LeagueRecord league;
        league.name = "club";
        league.env = "tic_tac_toe";
        const std::int64_t id = must(store.create(league));
        LeagueMember member;
        LeagueMatch match;
        for (std::int64_t* side : {&match.a, &match.b}) {
            member.name += "x";
            member.player = member.origin = member.name;
            *side = must(store.addMember(id, member));
        }
        for (match.number = 0; match.number < 3; ++match.number) {
            match.seed = static_cast<std::uint64_t>(match.number);
            must(store.record(id, match));
        }
    }
};

// A migration from the current version to a fictitious next one.
class Migration final : public Script {
public:
    using Script::Script;
    void prepare() override { fill(data(), "old"); }
    Result<> act(const System& system) override {
        SEEDBED_ASSIGN(WriteLockFile lock, WriteLockFile::open(data(), system));
        return openForWriting(data(), lock, next(), {}, system).map([](const auto&) {});
    }
    void check(bool done) override {
        std::int64_t version = 0;
        {
            const auto database = must(Database::open(data() / kDatabaseName, Database::Access::write));
            version = must(database->integer("PRAGMA user_version"));
            EXPECT_EQ(must(database->integer("SELECT count(*) FROM sqlite_schema WHERE name = 'extra'")),
                      version == before() ? 0 : 1);
            EXPECT_EQ(must(database->integer("SELECT points FROM metric_series")), 520);
        }
        if (done) {
            EXPECT_EQ(version, before() + 1);
        }
        // A backup with its final name is complete; it exists if anything was changed.
        std::size_t backups = 0;
        for (const auto& entry : std::filesystem::directory_iterator(data())) {
            const std::string name = entry.path().filename().string();
            if (!name.ends_with(".backup")) continue;
            ++backups;
            const auto backup = must(Database::open(entry.path(), Database::Access::read));
            EXPECT_EQ(must(backup->integer("PRAGMA user_version")), before()) << name;
            EXPECT_EQ(must(backup->integer("SELECT points FROM metric_series")), 520) << name;
        }
        if (version > before()) {
            EXPECT_GE(backups, 1u);
        }
    }

private:
    static std::int64_t before() { return static_cast<std::int64_t>(storeMigrations().size()); }
    static Migrations next() {
        static const std::vector<const char*> all = [] {
            std::vector<const char*> steps(storeMigrations().begin(), storeMigrations().end());
            steps.push_back("CREATE TABLE extra (x INTEGER) STRICT");
            return steps;
        }();
        return all;
    }
};

struct ScriptMaker {
    const char* name;
    std::unique_ptr<Script> (*make)(std::filesystem::path);
    bool migrates = false;  // whether it migrates to a version that this program does not support
};

template <class T>
std::unique_ptr<Script> make(std::filesystem::path folder) {
    return std::make_unique<T>(std::move(folder));
}

class ScriptFaults : public ::testing::TestWithParam<ScriptMaker> {
protected:
    ScriptFaults() {
        FaultVfs::install();
        log::configure({.level = log::Level::off});  // silences thousands of expected failures
    }
    ~ScriptFaults() override {
        FaultVfs::failAt(0, false, SQLITE_IOERR);
        log::configure({});
    }

    std::filesystem::path work() const { return temporary_.path() / "work"; }

    // Every operation, or the one after n of a third: the first ones, and then one of three, at another place
    // in each three, so that thirds 0, 1 and 2 together have all.
    static int next(int n, std::optional<int> third) {
        constexpr int kFirst = 40;
        for (++n; third && n > kFirst && n % 3 != (*third + n / 3) % 3;) ++n;
        return n;
    }

    // `arm` makes operation n fail; `heal` stops that and returns whether any operation failed.
    void everyOperation(const System& system, const std::function<void(int)>& arm,
                        const std::function<bool()>& heal, int at_least,
                        std::optional<int> third = std::nullopt) {
        const auto script = GetParam().make(work());
        std::filesystem::remove_all(work());
        std::filesystem::create_directories(work());
        script->prepare();
        if (HasFailure()) return;
        const auto kept = temporary_.path() / "kept";
        std::filesystem::remove_all(kept);
        std::filesystem::rename(work(), kept);
        int n = 1;
        for (bool touched = true; touched; n = next(n, third)) {
            SCOPED_TRACE("operation " + std::to_string(n));
            ASSERT_LT(n, 5000);
            std::filesystem::remove_all(work());
            std::filesystem::copy(kept, work(), std::filesystem::copy_options::recursive);
            arm(n);
            const Result<> done = script->act(system);
            touched = heal();
            if (!touched) {
                ASSERT_TRUE(done) << done.error().text();
            }
            checkIntegrity();
            script->check(done.has_value());
            if (HasFailure()) return;
            endProcess();
            // The failed operation succeeds now.
            const Result<> again = script->act(realSystem());
            if (!done) {
                ASSERT_TRUE(again || again.error().code == ErrorCode::config) << again.error().text();
            }
            if (again) script->check(true);
            checkIntegrity();
            for (const auto& left : temporaries()) ADD_FAILURE() << left << " was left after the next start";
            if (HasFailure()) return;
        }
        EXPECT_GT(n, at_least) << "the operations must go through the file system interface";
    }

    std::vector<std::filesystem::path> temporaries() const {
        std::vector<std::filesystem::path> found;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(work()))
            if (entry.path().filename().string().find(".tmp") != std::string::npos)
                found.push_back(entry.path());
        return found;
    }

    // Incomplete files of this process become those of a process that has exited.
    void endProcess() const {
        const std::string ours = "." + std::to_string(getpid()) + "-";
        for (const auto& entry : temporaries()) {
            std::string name = entry.filename().string();
            const auto at = name.rfind(ours);
            if (at == std::string::npos) continue;
            std::filesystem::rename(entry,
                                    entry.parent_path() / name.replace(at, ours.size(), ".999999999-"));
        }
    }

    void checkIntegrity() {
        const auto file = work() / "data" / kDatabaseName;
        if (!std::filesystem::exists(file)) return;
        if (GetParam().migrates) {
            const auto database = must(Database::open(file, Database::Access::write));
            Statement check = must(database->prepare("PRAGMA integrity_check"));
            must(check.each([&] { EXPECT_EQ(check.text(0), "ok"); }));
            return;
        }
        if (std::filesystem::file_size(file) == 0) return;  // the very first operation failed
        const auto report = checkDatabase(work() / "data");
        if (!report) return;  // reported below, when it is opened
        for (const std::string& problem : report->problems) ADD_FAILURE() << problem;
    }

    testing::TemporaryFolder temporary_;
};

TEST_P(ScriptFaults, EveryOperationOfTheFileSeam) {
    for (const testing::FileFault& fault : testing::kFileFaults) {
        SCOPED_TRACE(nameOf(fault));
        FailingFiles files;
        everyOperation(
            {&files, realSystem().clock}, [&](int n) { files.failAt(n, fault); },
            [&] {
                const bool touched = files.failures() > 0;
                files.failAt(0, false);
                return touched;
            },
            2);
        if (HasFailure()) return;
    }
}

TEST_P(ScriptFaults, EveryOperationOfTheDatabase) {
    int fault = 0;
    for (const auto& [code, forever] :
         {std::pair(SQLITE_IOERR_WRITE, false), {SQLITE_IOERR_WRITE, true}, {SQLITE_FULL, true}}) {
        SCOPED_TRACE(std::to_string(code) + (forever ? " permanently" : " once"));
        everyOperation(
            realSystem(), [&, code = code, forever = forever](int n) { FaultVfs::failAt(n, forever, code); },
            [] {
                const bool touched = FaultVfs::failures() > 0;
                FaultVfs::failAt(0, false, SQLITE_IOERR);
                return touched;
            },
            code == SQLITE_FULL ? 3 : 20, test::isLong() ? std::nullopt : std::optional(fault));
        if (HasFailure()) return;
        ++fault;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Scripts, ScriptFaults,
    ::testing::Values(ScriptMaker{"edits", make<Edits>}, ScriptMaker{"queue", make<Queue>},
                      ScriptMaker{"resume", make<Resume>}, ScriptMaker{"vacuum", make<Vacuum>},
                      ScriptMaker{"exporting", make<Export>}, ScriptMaker{"importing", make<Import>},
                      ScriptMaker{"migration", make<Migration>, true}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace seedbed
