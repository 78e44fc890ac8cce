// SPDX-License-Identifier: Apache-2.0
// Power failures after every call that changes the disk: everything acknowledged as saved still exists, the
// database is sound, and training resumes with equal results. Syncs omitted on purpose are detected.
//
// SEEDBED_TEST_SEED sets the seed of a test, to repeat it. SEEDBED_POWER_LOSS=N tests N states of the disk
// per script instead of a few hundred (or, outside the long form, half of them), and
// SEEDBED_POWER_LOSS_RESULT=FILE appends a line of JSON per script.
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "core/base/json.hpp"
#include "core/base/log.hpp"
#include "core/base/os/clock.hpp"
#include "core/checkpoint/checkpoint_folder.hpp"
#include "core/run/run.hpp"
#include "core/store/check_database.hpp"
#include "core/store/run_writer.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"
#include "core/store/vacuum.hpp"
#include "tests/fault/power_loss/disk_log.hpp"
#include "tests/fault/power_loss/disk_model.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/policy/policy_fixture.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace {

using testing::DiskCall;
using testing::DiskLog;
using testing::DiskModel;
using testing::must;

std::uint64_t testSeed() {
    const char* given = std::getenv("SEEDBED_TEST_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : 20'251;
}

int statesOf(int short_form) {
    const char* given = std::getenv("SEEDBED_POWER_LOSS");
    return given != nullptr ? std::atoi(given) : short_form;
}
int halfUnlessLong(int states) { return test::isLong() ? states : states / 2; }

// Acknowledged data in order: a kind and a string.
using Acknowledged = std::vector<std::pair<std::string, std::string>>;

class PowerLoss : public testing::PolicyTest {
protected:
    PowerLoss() { log::configure({.level = log::Level::off}); }
    ~PowerLoss() override { log::configure({}); }

    // Begins a log of everything below disk(), which contains the data folder.
    void beginLog(DiskLog::OnSync on_sync = {}) {
        std::filesystem::create_directory(disk());
        DiskLog::begin(disk().string(), std::move(on_sync));
    }
    Path disk() const { return temporary_.path() / "disk"; }
    Path folder() const { return disk() / "data"; }

    static void acknowledge(const std::string& kind, const std::string& what) {
        DiskLog::acknowledge(kind + ' ' + what);
    }
    static Acknowledged split(const std::vector<std::string>& texts) {
        Acknowledged all;
        for (const std::string& text : texts) {
            const auto space = text.find(' ');
            all.emplace_back(text.substr(0, space), text.substr(space + 1));
        }
        return all;
    }
    static std::string newest(const Acknowledged& all, const std::string& kind) {
        for (auto one = all.rbegin(); one != all.rend(); ++one)
            if (one->first == kind) return one->second;
        return "";
    }

    // Violations in one state of the disk; empty if there are none.
    using Check = std::function<std::vector<std::string>(const Path& data, const Acknowledged&)>;

    struct Outcome {
        int states = 0;
        std::size_t calls = 0, unsynced = 0;  // calls in the log; maximum number of changes that a failure
                                              // could lose
        std::vector<std::string> violations;
    };
    // Tests `states` states, spread over all prefixes of the log. Ends at the first violation.
    Outcome explore(const std::vector<DiskCall>& calls, int states, const Check& check) {
        const std::uint64_t seed = testSeed();
        Rng rng(seed, RngPurpose::test);
        Outcome outcome;
        outcome.calls = calls.size();
        DiskModel model;
        for (std::size_t i = 0; i < calls.size() && outcome.violations.empty(); ++i) {
            model.apply(calls[i]);
            outcome.unsynced = std::max(outcome.unsynced, model.unsynced());
            const auto due = static_cast<int>(static_cast<std::size_t>(states) * (i + 1) / calls.size());
            for (; outcome.states < due && outcome.violations.empty(); ++outcome.states) {
                const auto loss = outcome.states % 8 == 0   ? DiskModel::Loss::everything
                                  : outcome.states % 8 == 4 ? DiskModel::Loss::nothing
                                                            : DiskModel::Loss::random;
                const Path copy = temporary_.path() / "copy";
                model.write(copy, loss, rng);
                outcome.violations = check(copy / "data", split(model.acknowledged()));
                for (std::string& violation : outcome.violations)
                    violation += " (seed " + std::to_string(seed) + ", state " +
                                 std::to_string(outcome.states) + " after call " + std::to_string(i) +
                                 " of " + std::to_string(calls.size()) + ")";
                std::filesystem::remove_all(copy);
            }
        }
        return outcome;
    }

    void report(const char* script, const Outcome& outcome, double seconds) {
        std::printf("%s: %d states of %zu calls, seed %llu\n", script, outcome.states, outcome.calls,
                    static_cast<unsigned long long>(testSeed()));
        for (const std::string& violation : outcome.violations) ADD_FAILURE() << violation;
        const char* file = std::getenv("SEEDBED_POWER_LOSS_RESULT");
        if (file == nullptr) return;
        const Json line{{"script", script},
                        {"states", outcome.states},
                        {"calls", outcome.calls},
                        {"most_unsynced_changes", outcome.unsynced},
                        {"violations", outcome.violations},
                        {"seed", testSeed()},
                        {"seconds", std::round(seconds)}};
        std::ofstream(file, std::ios::app) << line.dump() << '\n';
    }
    void run(const char* script, const std::vector<DiskCall>& calls, int short_form, const Check& check) {
        const auto begin = std::chrono::steady_clock::now();
        const Outcome outcome = explore(calls, statesOf(halfUnlessLong(short_form)), check);
        report(script, outcome,
               std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        EXPECT_GT(outcome.unsynced, 10u) << "there is something to lose";
    }

    // --- a store with rows, edits, checkpoints and their removal
    static constexpr std::int64_t kRowsPerRound = 40;
    // Calls may fail; only successful ones are acknowledged.
    void storeScript(int rounds) {
        auto store = Store::open(folder());
        if (!store) return;
        NewRun row;
        row.name = "pole";
        row.env = "cartpole";
        row.algo = "ppo";
        row.engine = "reference";
        const auto run = store->createRun(row);
        if (!run) return;
        acknowledge("run", std::to_string(run->id));
        if (!store->beginSegment(*run->lock, 0, ProcessInfo{})) return;
        RunWriterOptions options;
        options.commit_interval = std::chrono::milliseconds(1);
        options.retry_interval = std::chrono::milliseconds(1);
        const auto writer = RunWriter::open(folder(), *run->lock, options);
        if (!writer) return;
        CheckpointStore checkpoints(real_, folder(), run->id);
        for (int round = 1; round <= rounds; ++round) {
            for (std::int64_t i = 1; i <= kRowsPerRound; ++i) {
                const std::int64_t step = (round - 1) * kRowsPerRound + i;
                const RunWriter::Value value{"loss/policy", static_cast<double>(step)};
                (*writer)->metrics(step, 1.7e9, std::span(&value, 1));
            }
            for (int attempt = 0; attempt < 5; ++attempt) {
                if (!(*writer)->flush()) continue;
                acknowledge("rows", std::to_string(round * kRowsPerRound));
                break;
            }
            saveOne(checkpoints, **writer, round * kRowsPerRound);
            RunEdit edit;
            edit.notes = std::to_string(round);
            if (store->edit(run->id, edit)) acknowledge("notes", std::to_string(round));
            if (round == 4) {
                row.name = "queued";
                if (store->enqueue({row})) acknowledge("queued", "1");
            }
        }
    }
    void saveOne(CheckpointStore& checkpoints, RunWriter& writer, std::int64_t step) {
        const auto info = checkpoints.save(checkpoint(step));
        if (!info) return;
        acknowledge("checkpoint", std::to_string(step) + ' ' + info->params_sha256);
        CheckpointRecord record;
        record.step = step;
        record.folder = info->folder.lexically_relative(folder()).string();
        record.params_sha256 = info->params_sha256;
        record.bytes = static_cast<std::int64_t>(info->bytes);
        writer.checkpoint(record);
        if (step == kRowsPerRound && checkpoints.markBest(step, 1.0))
            acknowledge("best", std::to_string(step) + ' ' + info->params_sha256);
        const auto removed = checkpoints.prune();
        if (removed && !removed->empty()) writer.checkpointsRemoved(*removed);
    }
    std::vector<std::string> checkStore(const Path& data, const Acknowledged& acknowledged) {
        std::vector<std::string> bad;
        const auto expect = [&](bool holds, const std::string& what) {
            if (!holds) bad.push_back(what);
        };
        auto store = Store::open(data);
        if (!store) return {"the database does not open: " + store.error().text()};
        const auto report = checkDatabase(data);
        if (!report) return {"the database cannot be checked: " + report.error().text()};
        for (const std::string& problem : report->problems) bad.push_back(problem);
        StoreReader reader = must(StoreReader::open(data));
        const auto runs = must(reader.runs());
        if (newest(acknowledged, "run").empty()) return bad;
        if (runs.empty()) return {"the run is lost"};
        const auto& known =
            runs.back().name == "pole" ? runs.back() : runs.front();  // the other run is queued
        const auto names = must(reader.metricNames(1));
        const auto steps =
            names.empty() ? std::vector<std::int64_t>{} : must(reader.metric(1, "loss/policy")).steps;
        const auto saved = std::atoll(newest(acknowledged, "rows").c_str());
        expect(static_cast<std::int64_t>(steps.size()) >= saved,
               std::to_string(steps.size()) + " of " + std::to_string(saved) + " acknowledged rows");
        for (std::size_t i = 0; i < steps.size(); ++i)
            if (steps[i] != static_cast<std::int64_t>(i) + 1) return {"a gap in the rows"};
        const std::string notes = newest(acknowledged, "notes");
        expect(notes.empty() || std::atoi(known.notes.c_str()) >= std::atoi(notes.c_str()),
               "notes '" + known.notes + "' instead of " + notes);
        if (!newest(acknowledged, "queued").empty())
            expect(must(reader.queue()).entries.size() == 1, "the queued run is lost");
        checkCheckpoints(data, acknowledged, bad);
        return bad;
    }
    // The two newest acknowledged checkpoints and the best one, which retention never removes.
    void checkCheckpoints(const Path& data, const Acknowledged& acknowledged, std::vector<std::string>& bad) {
        std::map<std::int64_t, std::string> hashes;
        std::set<std::int64_t> needed;
        for (const auto& [kind, text] : acknowledged) {
            std::istringstream words(text);
            std::int64_t step = 0;
            if (kind == "checkpoint") words >> step >> hashes[step];
            if (kind == "best") needed.insert(std::atoll(text.c_str()));
        }
        int newest_ones = 2;
        for (auto one = hashes.rbegin(); one != hashes.rend() && newest_ones > 0; ++one, --newest_ones)
            needed.insert(one->first);
        const CheckpointStore store(real_, data, 1);
        for (const std::int64_t step : needed) {
            const auto loaded = store.load(std::to_string(step));
            if (!loaded) bad.push_back("checkpoint " + std::to_string(step) + ": " + loaded.error().text());
            else if (loaded->info.params_sha256 != hashes[step])
                bad.push_back("checkpoint " + std::to_string(step) + " has a different hash");
        }
    }

    RealFileSystem real_;
    testing::TemporaryFolder temporary_;
};

TEST_F(PowerLoss, TheLogContainsEverythingOnTheDisk) {
    beginLog();
    storeScript(6);
    must(vacuumDatabase(real_, folder()));
    const auto calls = DiskLog::end();
    DiskModel model;
    for (const DiskCall& call : calls) model.apply(call);
    Rng rng(testSeed(), RngPurpose::test);
    const Path copy = temporary_.path() / "copy";
    model.write(copy, DiskModel::Loss::nothing, rng);
    int compared = 0;
    for (const Path& side : {disk(), copy})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(side)) {
            const Path name = entry.path().lexically_relative(side);
            if (name.string().ends_with("-shm")) continue;
            ASSERT_TRUE(std::filesystem::exists(disk() / name)) << name;
            ASSERT_TRUE(std::filesystem::exists(copy / name)) << name;
            if (entry.is_directory()) continue;
            EXPECT_EQ(must(readFile(real_, disk() / name)), must(readFile(real_, copy / name))) << name;
            ++compared;
        }
    EXPECT_GT(compared, 20);
}

TEST_F(PowerLoss, NothingAcknowledgedIsLost) {
    beginLog();
    storeScript(12);
    must(vacuumDatabase(real_, folder()));
    const auto calls = DiskLog::end();
    run("rows, edits, queue and checkpoints", calls, 400,
        [this](const Path& data, const Acknowledged& acknowledged) {
            return checkStore(data, acknowledged);
        });
}

TEST_F(PowerLoss, RowsAreSyncedWithinASecondWithoutAFlush) {
    std::vector<DiskCall> calls;
    beginLog();
    {
        Store store = must(Store::open(folder()));
        NewRun row;
        row.name = "pole";
        const OwnedRun run = must(store.createRun(row));
        acknowledge("run", "1");
        must(store.beginSegment(*run.lock, 0, ProcessInfo{}));
        RunWriterOptions options;
        options.sync_interval /= 10;
        options.commit_interval /= 10;
        const auto writer = must(RunWriter::open(folder(), *run.lock, options));
        for (int step = 1; step <= 100; ++step) {
            const RunWriter::Value value{"loss/policy", static_cast<double>(step)};
            writer->metrics(step, 1.7e9, std::span(&value, 1));
            std::this_thread::sleep_for(std::chrono::milliseconds(3));
        }
        // Ten times the interval where time is measured, otherwise a hundred times, for busy machines.
        std::this_thread::sleep_for(std::chrono::seconds(test::isLong() ? 1 : 10));
        acknowledge("rows", "100");
        calls = DiskLog::end();
    }
    run("rows that are not flushed", calls, 100, [this](const Path& data, const Acknowledged& acknowledged) {
        return checkStore(data, acknowledged);
    });
}

// The system drops what it could not write: a later sync that succeeds must not acknowledge it.
TEST_F(PowerLoss, AFailedSyncIsNeverAcknowledgedLater) {
    int syncs = 0;
    beginLog([&](const std::string&, bool) {
        ++syncs;
        return DiskLog::Sync::works;
    });
    storeScript(5);
    (void)DiskLog::end();
    ASSERT_GT(syncs, 30);
    const int wanted = std::min(statesOf(20), 1000), all = 2 * syncs + 20;
    int failures = 0, acknowledged_rows = 0;
    for (int i = 0; i < wanted; ++i) {
        std::filesystem::remove_all(disk());
        const int at = 1 + static_cast<int>(std::int64_t{i} * all / wanted) % syncs;
        const bool forever = i % 10 == 9;
        int count = 0, failed = 0;
        beginLog([&](const std::string&, bool) {
            ++count;
            const bool fails = count == at || (forever && count > at);
            failed += fails;
            return fails ? DiskLog::Sync::fails : DiskLog::Sync::works;
        });
        storeScript(5);
        const auto calls = DiskLog::end();
        failures += failed > 0;
        for (const DiskCall& call : calls)
            acknowledged_rows += call.kind == DiskCall::Kind::acknowledged && call.bytes.starts_with("rows");
        const Outcome outcome =
            explore(calls, halfUnlessLong(24), [this](const Path& data, const Acknowledged& acknowledged) {
                return checkStore(data, acknowledged);
            });
        for (const std::string& violation : outcome.violations)
            ADD_FAILURE() << "sync " << at << (forever ? " and all later ones" : "") << ": " << violation;
        if (HasFailure()) return;
    }
    std::printf("%d of %d scripts with failed syncs\n", failures, wanted);
    EXPECT_GE(failures, wanted * 8 / 10);
    EXPECT_GT(acknowledged_rows, wanted);
}

// --- syncs that are left out
struct LeftOut {
    const char* name;
    bool (*forgets)(const std::string& path, bool is_folder);
};
class PowerLossWithABug : public PowerLoss, public ::testing::WithParamInterface<LeftOut> {};

TEST_P(PowerLossWithABug, IsFound) {
    beginLog([](const std::string& path, bool is_folder) {
        return GetParam().forgets(path, is_folder) ? DiskLog::Sync::has_no_effect : DiskLog::Sync::works;
    });
    storeScript(8);
    const auto calls = DiskLog::end();
    const Outcome outcome = explore(calls, 2000, [this](const Path& data, const Acknowledged& acknowledged) {
        return checkStore(data, acknowledged);
    });
    EXPECT_FALSE(outcome.violations.empty());
    std::printf("found after %d states: %s\n", outcome.states,
                outcome.violations.empty() ? "nothing" : outcome.violations[0].c_str());
}

INSTANTIATE_TEST_SUITE_P(
    Syncs, PowerLossWithABug,
    ::testing::Values(LeftOut{"ofTheLogOfTheDatabase",
                              [](const std::string& path, bool) { return path.ends_with("-wal"); }},
                      LeftOut{"ofFilesOfCheckpoints",
                              [](const std::string& path, bool is_folder) {
                                  return !is_folder && path.find("checkpoints/") != std::string::npos;
                              }},
                      LeftOut{"ofNamesInACheckpoint",
                              [](const std::string& path, bool is_folder) {
                                  return is_folder && path.find(".tmp") != std::string::npos;
                              }},
                      LeftOut{"ofTheNameOfACheckpoint",
                              [](const std::string& path, bool is_folder) {
                                  return is_folder && path == "data/checkpoints/1";
                              }}),
    [](const auto& one) { return std::string(one.param.name); });

// --- a whole run
class Trainee final : public RunObserver {
public:
    explicit Trainee(ManualClock& clock) : clock_(clock) {}
    void started(std::int64_t, const SessionPlan&) override {}
    // Checkpoints are due after a second.
    void progress(const ProgressReport&) override { clock_.advance(400'000'000); }
    void evaluated(std::uint64_t, const EvaluationResult&) override {}
    void message(const std::string&) override {}

private:
    ManualClock& clock_;
};

class PowerLossOfARun : public PowerLoss {
protected:
    static constexpr int kGoal = 2880;  // steps; 30 updates

    static TrainingConfig config(int steps) {
        return test::smallConfig("cartpole",
                                 {{"run", {{"steps", steps}, {"threads", 1}, {"keep_awake", false}}},
                                  {"checkpoint", {{"every_s", 1}, {"milestone_steps", 960}}},
                                  {"eval", {{"every_steps", 960}, {"episodes", 1}, {"final_episodes", 1}}}});
    }
    RunOutcome train(const Path& data, int steps) {
        ManualClock clock;
        Trainee observer(clock);
        return must(trainRun({config(steps), "", "", data, ""}, observer, {}, real_, clock));
    }
    Result<RunOutcome> resume(const Path& data) {
        ManualClock clock;
        Trainee observer(clock);
        return resumeRun({1, data, {}, "", {{"run.steps", std::to_string(kGoal)}}}, observer, {}, real_,
                         clock);
    }
    static void acknowledge(const RunOutcome& outcome) {
        PowerLoss::acknowledge("saved", std::to_string(outcome.steps) + ' ' + outcome.params_sha256);
    }

    std::vector<std::string> check(const Path& data, const Acknowledged& acknowledged) {
        auto store = Store::open(data);
        if (!store) return {"the database does not open: " + store.error().text()};
        const auto report = checkDatabase(data);
        if (!report) return {"the database cannot be checked: " + report.error().text()};
        if (!report->problems.empty()) return report->problems;
        StoreReader reader = must(StoreReader::open(data));
        const std::string saved = newest(acknowledged, "saved");
        if (must(reader.runs()).empty())
            return saved.empty() ? std::vector<std::string>{} : std::vector<std::string>{"the run is lost"};
        for (const CheckpointRecord& row : must(reader.checkpoints(1))) {
            if (row.removed || !std::filesystem::exists(data / row.folder)) continue;
            const auto loaded = loadCheckpoint(real_, data / row.folder);
            // A folder that is being removed loses its manifest first.
            if (!loaded && std::filesystem::exists(data / row.folder / "manifest.json"))
                return {row.folder + ": " + loaded.error().text()};
            if (loaded && loaded->info.params_sha256 != row.params_sha256)
                return {row.folder + ": the hash differs from that of its row"};
        }
        const auto newest_one = CheckpointStore(real_, data, 1).load();
        if (!saved.empty() && !newest_one) return {"no checkpoint: " + newest_one.error().text()};
        if (!saved.empty() && newest_one->info.step < std::atoll(saved.c_str()))
            return {"the newest checkpoint is at step " + std::to_string(newest_one->info.step) +
                    ", acknowledged was " + saved};
        const bool anything_left = !newest_one || newest_one->info.step < kGoal;
        if (!anything_left || ++resumable_ % kResumeEvery != 0) return {};
        return resumed(data);
    }
    // A resumed run must end with the results of a run that was never interrupted.
    std::vector<std::string> resumed(const Path& data) {
        const auto outcome = resume(data);
        if (!outcome) return {"resuming: " + outcome.error().text()};
        ++resumes_;
        if (outcome->params_sha256 != uninterrupted_) return {"a resumed run has other parameters"};
        if (must(must(StoreReader::open(data)).metric(1, "loss/policy")).values != curve_)
            return {"a resumed run has a different curve"};
        return {};
    }

    static constexpr int kResumeEvery = 7;
    int resumable_ = 0, resumes_ = 0;
    std::string uninterrupted_;
    std::vector<double> curve_;
};

TEST_F(PowerLossOfARun, ItResumesAsIfNothingHadHappened) {
    const Path reference = temporary_.path() / "reference";
    uninterrupted_ = train(reference, kGoal).params_sha256;
    curve_ = must(must(StoreReader::open(reference)).metric(1, "loss/policy")).values;
    ASSERT_GT(curve_.size(), 20u);
    beginLog();
    acknowledge(train(folder(), kGoal / 2));
    acknowledge(must(resume(folder())));
    const auto calls = DiskLog::end();
    run("a run that is stopped and resumed", calls, 200,
        [this](const Path& data, const Acknowledged& acknowledged) { return check(data, acknowledged); });
    EXPECT_GT(resumes_, 5);
}

}  // namespace
}  // namespace seedbed
