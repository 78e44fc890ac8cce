// SPDX-License-Identifier: Apache-2.0
// The history of a run's settings: what changed, at which step, and who changed it.
#include "core/store/export_database.hpp"
#include "core/store/import.hpp"
#include "core/store/schema.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace seedbed::testing {
namespace {

class SettingHistory : public StoreTest {
protected:
    static Json rate(double value) { return {{"algo", {{"gamma", 0.99}, {"learning_rate", value}}}}; }
    std::vector<SettingChange> history(RunId run) { return must(reader().settingChanges(run)); }
    static std::string text(const std::vector<SettingChange>& changes) {
        std::string all;
        for (const SettingChange& one : changes)
            all += std::to_string(one.step) + " " + one.key + " " + one.old_value.dump() + " " +
                   one.new_value.dump() + " " + nameOf(one.source) + "\n";
        return all;
    }
    OwnedRun withRate(Store& store, double value) {
        NewRun run = cartpole();
        run.config = rate(value);
        OwnedRun owned = must(store.createRun(run));
        must(store.beginSegment(*owned.lock, 0, ProcessInfo{}, rate(value)));
        return owned;
    }
};

TEST_F(SettingHistory, KeepsEveryChangeWithItsStepAndSource) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = withRate(store, 10);
    {
        const auto rows = writer(run);
        // Two changes in one transaction: neither replaces the other.
        rows->config({1000, 1.7e9, rate(1), SettingSource::live});
        rows->config({2000, 1.7e9, rate(0.5), SettingSource::live});
        must(rows->flush());
    }
    must(store.beginSegment(*run.lock, 3000, ProcessInfo{}, rate(0.25), SettingSource::rollback));
    must(store.beginSegment(*run.lock, 4000, ProcessInfo{}, rate(0.125)));
    must(store.beginSegment(*run.lock, 5000, ProcessInfo{}, rate(0.125)));
    EXPECT_EQ(text(history(run.id)),
              "1000 algo.learning_rate 10.0 1.0 live\n2000 algo.learning_rate 1.0 0.5 live\n"
              "3000 algo.learning_rate 0.5 0.25 rollback\n4000 algo.learning_rate 0.25 0.125 resume\n");
    EXPECT_EQ(must(reader().details(run.id)).config, rate(0.125));
}

TEST_F(SettingHistory, AChangeBeyondTheCheckpointAppliesFromItsStep) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = withRate(store, 1);
    {
        const auto rows = writer(run);
        rows->config({5000, 1.7e9, rate(0.5), SettingSource::live});
        must(rows->flush());
    }
    must(store.beginSegment(*run.lock, 4000, ProcessInfo{}, rate(0.5)));
    EXPECT_EQ(text(history(run.id)), "4000 algo.learning_rate 1.0 0.5 live\n");
}

TEST_F(SettingHistory, ChangesFromTheStepOnThatARunReturnsToAreReplacedByOne) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = withRate(store, 1);
    const auto resumeAt = [&](std::int64_t step, double value) {
        must(store.beginSegment(*run.lock, step, ProcessInfo{}, rate(value)));
        return text(history(run.id));
    };
    const std::string first = "1000 algo.learning_rate 1.0 0.5 resume\n";
    EXPECT_EQ(resumeAt(1000, 0.5), first);
    EXPECT_EQ(resumeAt(4000, 0.25), first + "4000 algo.learning_rate 0.5 0.25 resume\n");
    EXPECT_EQ(resumeAt(4000, 0.125), first + "4000 algo.learning_rate 0.5 0.125 resume\n");
    EXPECT_EQ(resumeAt(5000, 0.1), first +
                                       "4000 algo.learning_rate 0.5 0.125 resume\n"
                                       "5000 algo.learning_rate 0.125 0.1 resume\n");
    EXPECT_EQ(resumeAt(2000, 0.1), first + "2000 algo.learning_rate 0.5 0.1 resume\n");
    EXPECT_EQ(resumeAt(2000, 0.5), first) << "the changes after step 1000 never took effect";
    EXPECT_EQ(resumeAt(0, 1), "");
    EXPECT_EQ(must(reader().details(run.id)).config, rate(1));
}

TEST_F(SettingHistory, SettingsAddedByANewerVersionAreNotChanges) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = withRate(store, 1);
    Json more = rate(1);
    more["algo"]["target_kl"] = 0.0;
    must(store.beginSegment(*run.lock, 4000, ProcessInfo{}, more));
    EXPECT_TRUE(history(run.id).empty());
    EXPECT_EQ(must(reader().details(run.id)).config, more);
}

TEST_F(SettingHistory, IsExportedAndImported) {
    const auto copy = folder().parent_path() / "copy";
    Store store = must(Store::open(folder()));
    const OwnedRun run = withRate(store, 1);
    must(store.beginSegment(*run.lock, 4000, ProcessInfo{}, rate(0.5)));
    const auto file = folder().parent_path() / "runs.db";
    must(exportDatabase(folder(), file, {}, realSystem(), {}));
    const auto imported = must(importDatabase(copy, file, realSystem(), {}));
    ASSERT_EQ(imported.size(), 1U);
    EXPECT_EQ(text(must(must(StoreReader::open(copy)).settingChanges(imported[0].id))),
              "4000 algo.learning_rate 1.0 0.5 resume\n");
}

TEST_F(SettingHistory, OlderDatabasesGetItFromTheirEvents) {
    std::filesystem::create_directories(folder());
    {
        WriteLockFile lock = must(WriteLockFile::open(folder()));
        const auto database = must(openForWriting(folder(), lock, storeMigrations().first(3)));
        must(database->execute(R"sql(
INSERT INTO runs (id, uid, env, algo, seed, engine, config, devices, auto_settings, init_from, status, created, updated)
  VALUES (1, 'a', 'cartpole', 'ppo', 1, 'native', '{}', '[]', '{}', '', 'finished', 0, 0);
INSERT INTO segments VALUES (1, 1, 0, 0, 1, '', '', 1, '{}');
INSERT INTO segments VALUES (1, 2, 800, 0, 1, '', '', 1, '{}');
INSERT INTO event_rows (run_id, segment, superseded_by, step, time, level, kind, text, data) VALUES
  (1, 1, 2, 900, 5, 'info', 'settings', '', '{"algo.learning_rate":[1.0,0.5],"run.keep_awake":[true,false]}'),
  (1, 2, 0, 800, 6, 'info', 'resumed', '', '{}'),
  (1, 2, 0, 800, 6, 'info', 'settings', '', '{"run.steps":[1000,2000]}'),
  (1, 2, 0, 800, 7, 'warning', 'rolled_back', '', '{"learning_rate":0.25}'),
  (1, 2, 0, 800, 8, 'info', 'settings', '', 'not json'),
  (1, 2, 0, 800, 8, 'info', 'settings', '', '{"key":3}');
)sql"));
    }
    EXPECT_EQ(text(history(1)),
              "800 algo.learning_rate 1.0 0.5 live\n800 run.keep_awake true false live\n"
              "800 run.steps 1000 2000 resume\n800 algo.learning_rate 0.5 0.25 rollback\n");
}

}  // namespace
}  // namespace seedbed::testing
