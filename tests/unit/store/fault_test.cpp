// SPDX-License-Identifier: Apache-2.0
// Every single file operation of SQLite fails in turn, once and permanently: no crash, no damage, no false
// "saved", and data is complete after recovery.
#include <atomic>
#include <thread>

#include <sqlite3.h>

#include "core/base/log.hpp"
#include "core/store/database.hpp"
#include "tests/unit/store/fault_vfs.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace seedbed {
namespace {

using testing::FaultVfs;
using testing::must;

class StoreFaults : public testing::StoreTest {
protected:
    ~StoreFaults() override {
        FaultVfs::failAt(0, false, SQLITE_IOERR);
        log::configure({});
    }

    static RunWriterOptions short_timeout() {
        RunWriterOptions options;
        options.commit_interval = std::chrono::milliseconds(1);
        options.retry_interval = std::chrono::milliseconds(2);
        options.shutdown_timeout = std::chrono::milliseconds(20);
        return options;
    }

    // Makes the calls that a run makes, up to the first failure, and counts the acknowledged points.
    struct Script {
        std::optional<RunId> created;
        std::int64_t acknowledged = 0;  // points 1..acknowledged
        bool ended = false;             // all calls succeeded in the end
    };
    Script runScript() {
        Script script;
        auto store = Store::open(folder());
        if (!store) return script;
        auto run = store->createRun(cartpole("pole"));
        if (!run) return script;
        script.created = run->id;
        if (!store->beginSegment(*run->lock, 0, ProcessInfo{})) return script;
        auto out = RunWriter::open(folder(), *run->lock, short_timeout());
        if (!out) return script;
        for (std::int64_t next = 1; next <= 601; next += 300) {
            points(**out, next, 300);
            (*out)->episodes(std::vector<EpisodeRecord>{{next, 0, 1, 1, 0}});
            (*out)->progress({next, next, next, 1});
            Result<> flushed;
            for (int attempt = 0; attempt < 5; ++attempt)
                if ((flushed = (*out)->flush())) break;
            if (!flushed) return script;
            script.acknowledged = next + 299;
        }
        out->reset();
        RunEdit edit;
        edit.star = true;
        edit.add_tags = {"x"};
        if (!store->edit(run->id, edit)) return script;
        script.ended = true;
        return script;
    }

    void checkAfter(const Script& script) {
        FaultVfs::failAt(0, false, SQLITE_IOERR);
        {
            const auto database = must(Database::open(folder() / kDatabaseName, Database::Access::create));
            Statement check = must(database->prepare("PRAGMA integrity_check"));
            std::string found;
            must(check.each([&] { found += check.text(0); }));
            ASSERT_EQ(found, "ok");
        }
        Store store = must(Store::open(folder()));
        StoreReader reader = this->reader();
        const auto runs = must(reader.runs());
        if (script.created) {
            ASSERT_FALSE(runs.empty());
            ASSERT_EQ(runs[0].id, *script.created);
        }
        if (runs.empty()) return;
        // A run whose creation was reported as failed may exist, but then it is complete.
        const auto names = must(reader.metricNames(runs[0].id));
        const auto curve = names.empty() ? MetricCurve{} : must(reader.metric(runs[0].id, "loss/policy"));
        const auto count = static_cast<std::int64_t>(curve.steps.size());
        ASSERT_GE(count, script.acknowledged);
        ASSERT_EQ(curve.steps, range(1, count));
        // Each episode was added after 300 points, so it is stored with the next point at the latest.
        const std::int64_t episodes = must(reader.episodeCount(runs[0].id));
        ASSERT_LE(episodes, count / 300);
        ASSERT_GE(episodes, (count - 1) / 300);
        if (script.ended) {
            ASSERT_EQ(count, 900);
            ASSERT_TRUE(runs[0].star);
            ASSERT_EQ(runs[0].tags, std::vector<std::string>{"x"});
        }
    }

    void loop(bool forever, int code, int stride) {
        log::configure({.level = log::Level::off});  // silences hundreds of expected failures
        for (int n = 1;; n += stride) {
            SCOPED_TRACE("operation " + std::to_string(n) + (forever ? " permanently" : " once"));
            ASSERT_LT(n, 20'000);
            std::filesystem::remove_all(folder());
            FaultVfs::failAt(n, forever, code);
            const Script script = runScript();
            const bool touched = FaultVfs::failures() > 0;
            checkAfter(script);
            if (HasFatalFailure()) return;
            if (!touched) {
                EXPECT_TRUE(script.ended);
                EXPECT_GT(n, code == SQLITE_FULL ? 20 : 50);
                return;
            }
        }
    }
};

TEST_F(StoreFaults, EveryOperationFailingOnce) { loop(false, SQLITE_IOERR_WRITE, 1); }
TEST_F(StoreFaults, EveryOperationFailingPermanently) { loop(true, SQLITE_IOERR_WRITE, 3); }
TEST_F(StoreFaults, TheDiskFullFromEveryWriteOnwards) { loop(true, SQLITE_FULL, 1); }

TEST_F(StoreFaults, AFullDiskIsReportedOnceTrainingContinuesAndSavingRecovers) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    std::atomic<int> failing{0}, healed{0};
    std::atomic<ErrorCode> code{ErrorCode::failure};
    RunWriterOptions options = short_timeout();
    options.on_health = [&](const WriterHealth& health) {
        (health.saving ? healed : failing) += 1;
        if (!health.saving) code = health.error.code;
    };
    auto out = writer(run, options);
    points(*out, 0, 100);
    must(out->flush());
    FaultVfs::failAt(1, true, SQLITE_FULL);
    // Adding rows never fails and does not wait; only a query returns the error.
    points(*out, 100, 5000);
    for (int i = 0; i < 3; ++i) {
        const auto flushed = out->flush();
        ASSERT_FALSE(flushed);
        EXPECT_EQ(flushed.error().code, ErrorCode::disk_full) << flushed.error().text();
    }
    EXPECT_FALSE(out->health().saving);
    EXPECT_EQ(code, ErrorCode::disk_full);
    EXPECT_EQ(failing, 1);
    EXPECT_EQ(healed, 0);
    FaultVfs::failAt(0, false, SQLITE_OK);
    while (!out->flush()) std::this_thread::yield();
    EXPECT_TRUE(out->health().saving);
    EXPECT_EQ(failing, 1);
    EXPECT_EQ(healed, 1);
    EXPECT_EQ(must(reader().metric(run.id, "loss/policy")).steps, range(0, 5100));
}

TEST_F(StoreFaults, ADatabaseDeletedWhileInUseIsDetected) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    auto out = writer(run, short_timeout());
    points(*out, 0, 10);
    must(out->flush());
    std::filesystem::rename(folder() / kDatabaseName, folder() / "away.db");
    points(*out, 10, 10);
    const auto flushed = out->flush();
    ASSERT_FALSE(flushed);
    std::filesystem::rename(folder() / "away.db", folder() / kDatabaseName);
    while (!out->flush()) std::this_thread::yield();
    EXPECT_EQ(must(reader().metric(run.id, "loss/policy")).steps, range(0, 20));
}

}  // namespace
}  // namespace seedbed
