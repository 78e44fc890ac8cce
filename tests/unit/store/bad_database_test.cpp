// SPDX-License-Identifier: Apache-2.0
// Databases of other programs or versions, and damaged or inaccessible ones: there is one clear message, and
// nothing is overwritten.
#include <array>
#include <fstream>
#include <sstream>
#include <vector>

#include <sqlite3.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/rng.hpp"
#include "core/store/check_database.hpp"
#include "core/store/schema.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace seedbed {
namespace {

using testing::must;

constexpr std::uint64_t kSeed = 777;

// The migrations of this version, followed by others.
std::vector<const char*> nextMigrations(const std::vector<const char*>& others) {
    std::vector<const char*> next(storeMigrations().begin(), storeMigrations().end());
    next.insert(next.end(), others.begin(), others.end());
    return next;
}

class BadDatabase : public testing::StoreTest {
protected:
    std::filesystem::path file() const { return folder() / kDatabaseName; }
    std::string contents(const std::filesystem::path& path) const {
        std::ifstream stream(path, std::ios::binary);
        std::stringstream text;
        text << stream.rdbuf();
        return text.str();
    }
    void write(const std::string& text) const {
        std::filesystem::create_directories(folder());
        std::ofstream(file(), std::ios::binary) << text;
    }
    // Uses SQLite directly, as another program would.
    void sql(const char* statements) const {
        std::filesystem::create_directories(folder());
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(file().c_str(), &database), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, statements, nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(database);
        sqlite3_close(database);
    }
    void expectRefused(const std::string& reason) {
        const std::string before = contents(file());
        const auto writing = Store::open(folder());
        ASSERT_FALSE(writing);
        EXPECT_NE(writing.error().message.find(reason), std::string::npos) << writing.error().message;
        const auto reading = StoreReader::open(folder());
        ASSERT_FALSE(reading);
        EXPECT_NE(reading.error().message.find(reason), std::string::npos) << reading.error().message;
        EXPECT_EQ(contents(file()), before);
    }
};

TEST_F(BadDatabase, ATextFileIsRejected) {
    write(std::string(10'000, 'x'));
    expectRefused("not a database");
}

TEST_F(BadDatabase, TheDatabaseOfAnotherProgramIsRejected) {
    sql("CREATE TABLE customers (id INTEGER); INSERT INTO customers VALUES (1);");
    expectRefused("another program");
}

TEST_F(BadDatabase, ANewerVersionIsRejected) {
    { must(Store::open(folder())); }
    sql("PRAGMA user_version = 1000;");
    expectRefused("newer version");
}

TEST_F(BadDatabase, AFolderWithoutDatabaseReportsARemedy) {
    std::filesystem::create_directories(folder());
    const auto reading = StoreReader::open(folder());
    ASSERT_FALSE(reading);
    EXPECT_NE(reading.error().message.find("no runs"), std::string::npos) << reading.error().message;
    EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(BadDatabase, AnEmptyFileIsFilled) {
    write("");
    EXPECT_FALSE(StoreReader::open(folder()));
    Store store = must(Store::open(folder()));
    EXPECT_EQ(must(store.createRun(cartpole())).id, 1);
}

TEST_F(BadDatabase, AFileInPlaceOfTheFolderIsRejected) {
    std::filesystem::create_directories(folder().parent_path());
    std::ofstream(folder()) << "x";
    const auto opened = Store::open(folder());
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.find("not a folder"), std::string::npos) << opened.error().message;
}

TEST_F(BadDatabase, AReadOnlyFolderCanBeRead) {
    {
        Store store = must(Store::open(folder()));
        const OwnedRun run = begin(store, "pole");
        points(*writer(run), 0, 600);
    }
    // The state after the write-ahead log was merged into the database.
    sql("PRAGMA wal_checkpoint(TRUNCATE);");
    std::filesystem::remove(file().string() + "-shm");
    std::filesystem::remove(file().string() + "-wal");
    // The user shares the folder; by default only its owner can read it.
    ASSERT_EQ(chmod(file().c_str(), 0644), 0);
    ASSERT_EQ(chmod(folder().parent_path().c_str(), 0755), 0);
    ASSERT_EQ(chmod(folder().c_str(), 0555), 0);
    // Drops this thread's file system permissions to those of another user. Only root can do this, and only
    // root needs it.
    const int uid = setfsuid(65534);
    if (geteuid() == 0 && access(folder().c_str(), F_OK) != 0) {
        setfsuid(static_cast<uid_t>(uid));
        GTEST_SKIP() << "the temporary folder cannot be reached by other users";
    }
    const auto writing = Store::open(folder());
    auto reading = StoreReader::open(folder());
    const auto points = reading ? reading->metric(1, "loss/policy")
                                : Result<MetricCurve>(tl::unexpected<Error>(reading.error()));
    const auto runs =
        reading ? reading->runs() : Result<std::vector<RunRecord>>(tl::unexpected<Error>(reading.error()));
    setfsuid(static_cast<uid_t>(uid));
    ASSERT_EQ(chmod(folder().c_str(), 0755), 0);
    ASSERT_FALSE(writing);
    EXPECT_NE(writing.error().message.find("cannot be written"), std::string::npos)
        << writing.error().message;
    EXPECT_EQ(must(points).steps, range(0, 600));
    EXPECT_EQ(must(runs).size(), 1u);
}

TEST_F(BadDatabase, DamagedFilesNeitherCrashNorPassAsIntact) {
    {
        Store store = must(Store::open(folder()));
        const OwnedRun run = begin(store, "pole");
        auto out = writer(run);
        points(*out, 0, 3000);
        for (int i = 0; i < 100; ++i) out->episodes(std::vector<EpisodeRecord>{{i, 0, 1.0, 1, 0}});
        out->event({1, 1, EventLevel::info, "note", "text", {{"a", {1, 2}}}});
    }
    sql("PRAGMA wal_checkpoint(TRUNCATE);");
    const std::string good = contents(file());
    int refused = 0, rounds = 0;
    for (std::uint32_t round = 0; round < 150; ++round) {
        Rng rng(kSeed, RngPurpose::test, round);
        SCOPED_TRACE("seed " + std::to_string(kSeed) + " round " + std::to_string(round));
        std::string bad = good;
        if (round % 5 == 0) {
            bad.resize(rng.below(static_cast<std::uint32_t>(good.size())));
        } else {
            // Changes whole bytes, many of them in the pages that contain the schema.
            for (int i = 0; i < 20; ++i)
                bad[rng.below(static_cast<std::uint32_t>(i % 2 == 0 ? 4096 : good.size()))] =
                    static_cast<char>(rng.below(256));
        }
        for (const char* suffix : {"-wal", "-shm"}) std::filesystem::remove(file().string() + suffix);
        write(bad);
        ++rounds;
        auto reading = StoreReader::open(folder());
        if (!reading) {
            ++refused;
        } else {
            // Reads as much as possible; errors are complete sentences.
            for (const RunRecord& run : reading->runs().value_or(std::vector<RunRecord>{})) {
                (void)reading->details(run.id);
                for (const auto& name : reading->metricNames(run.id).value_or(std::vector<std::string>{})) {
                    (void)reading->metric(run.id, name);
                    (void)reading->metricSummary(run.id, name, 10);
                }
                (void)reading->episodes(run.id);
            }
        }
        const auto writing = Store::open(folder());
        if (bad.size() < good.size() && !bad.empty() && bad.size() > 4096) {
            EXPECT_FALSE(writing) << "truncated to " << bad.size();
        }
    }
    EXPECT_EQ(rounds, 150);
    EXPECT_GT(refused, 20);
}

TEST_F(BadDatabase, ADamagedTableIsFoundByTheCheck) {
    {
        Store store = must(Store::open(folder()));
        for (int i = 0; i < 300; ++i)
            must(store.createRun(cartpole("run number " + std::to_string(i) + " of many")));
    }
    sql("PRAGMA wal_checkpoint(TRUNCATE);");
    std::string bad = contents(file());
    // The middle of the file, which contains tables.
    for (std::size_t i = bad.size() / 2; i < bad.size() / 2 + 4096; ++i) bad[i] = '\x5a';
    write(bad);
    const auto report = checkDatabase(folder());
    EXPECT_TRUE(!report || !report->problems.empty());
    EXPECT_EQ(contents(file()), bad);
}

TEST_F(BadDatabase, AnOlderVersionIsBackedUpThenMigrated) {
    {
        Store store = must(Store::open(folder()));
        must(store.createRun(cartpole("old")));
    }
    const auto version = static_cast<std::int64_t>(storeMigrations().size());
    const std::string backup_name = ".v" + std::to_string(version) + ".backup";
    const auto next = nextMigrations({"ALTER TABLE runs ADD COLUMN mood TEXT NOT NULL DEFAULT 'fine';"});
    // Left by a migration that was killed during its backup.
    const auto half = folder() / (".seedbed.db" + backup_name + ".999999999-5-0.tmp");
    std::ofstream(half) << "half a database";
    {
        WriteLockFile lock = must(WriteLockFile::open(folder()));
        const auto database = must(openForWriting(folder(), lock, next));
        EXPECT_EQ(must(database->integer("PRAGMA user_version")), version + 1);
        EXPECT_EQ(must(database->integer("SELECT count(*) FROM runs WHERE mood = 'fine' AND name = 'old'")),
                  1);
    }
    EXPECT_FALSE(std::filesystem::exists(half));
    const auto backup = must(Database::open(file().string() + backup_name, Database::Access::read));
    EXPECT_EQ(must(backup->integer("PRAGMA user_version")), version);
    EXPECT_EQ(must(backup->integer("SELECT count(*) FROM runs WHERE name = 'old'")), 1);
    // This version rejects a database of the next one.
    expectRefused("newer version");
}

TEST_F(BadDatabase, AMigrationThatFailsChangesNothing) {
    {
        Store store = must(Store::open(folder()));
        must(store.createRun(cartpole("old")));
    }
    const auto version = static_cast<std::int64_t>(storeMigrations().size());
    const auto broken = nextMigrations(
        {"ALTER TABLE runs ADD COLUMN mood TEXT;", "ALTER TABLE no_such_table ADD COLUMN x TEXT;"});
    {
        WriteLockFile lock = must(WriteLockFile::open(folder()));
        EXPECT_FALSE(openForWriting(folder(), lock, broken));
        EXPECT_FALSE(openForWriting(folder(), lock, broken));
    }
    // Backups never replace one another.
    const std::string name = file().string() + ".v" + std::to_string(version);
    EXPECT_TRUE(std::filesystem::exists(name + ".backup"));
    EXPECT_TRUE(std::filesystem::exists(name + "-2.backup"));
    Store store = must(Store::open(folder()));
    EXPECT_EQ(must(reader().resolveRun("old")), 1);
    const auto database = must(Database::open(file(), Database::Access::read));
    EXPECT_EQ(must(database->integer("PRAGMA user_version")), version);
    EXPECT_FALSE(database->integer("SELECT count(mood) FROM runs"));
}

// Reading a large file takes a long time; only a single row that takes a long time is suspicious.
TEST_F(BadDatabase, TheLimitOfTimeIsForEachStep) {
    sql("CREATE TABLE rows (x); INSERT INTO rows WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
        "FROM n "
        "LIMIT 20) SELECT i FROM n");
    const auto database = must(Database::open(file(), Database::Access::read));
    database->limitSteps(std::chrono::seconds(1));
    int rows = 0;
    Statement all = must(database->prepare("SELECT x FROM rows"));
    EXPECT_TRUE(all.each([&] {
        ++rows;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }));
    EXPECT_EQ(rows, 20) << "2 s in total";
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(
        database->integer("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) "
                          "FROM n"));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took.count(), test::measuredLimit(10));
}

}  // namespace
}  // namespace seedbed
