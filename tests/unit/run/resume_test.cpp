// SPDX-License-Identifier: Apache-2.0
// A run that is interrupted and resumed equals one that was never interrupted: parameters, optimiser, metric
// rows, episodes and evaluations.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/algo/algorithm.hpp"
#include "core/base/rng.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/checkpoint/checkpoint_store.hpp"
#include "core/run/build_info.hpp"
#include "core/run/resume.hpp"
#include "core/run/run.hpp"
#include "core/store/store.hpp"
#include "core/store/store_reader.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/session/configs.hpp"
#include "tests/unit/session/counting_env.hpp"

namespace seedbed {
namespace {

using test::smallConfig;

constexpr std::uint64_t kSeed = 20261121;
// Six also have every number of threads twice.
std::size_t cutsOfARun() { return test::isLong() ? 20 : 6; }

class StopAfter final : public RunObserver {
public:
    explicit StopAfter(std::uint64_t updates) : updates_(updates) {
        if (updates == 0) stop.request_stop();
    }
    void started(std::int64_t given_id, const SessionPlan&) override { id = given_id; }
    void progress(const ProgressReport& p) override {
        if (after_update) after_update(p);
        if (p.updates >= updates_) stop.request_stop();
    }
    void evaluated(std::uint64_t, const EvaluationResult&) override {
        if (on_evaluation) on_evaluation();
    }
    void message(const std::string& text) override { messages.push_back(text); }

    std::int64_t id = 0;
    std::function<void(const ProgressReport&)> after_update;
    std::function<void()> on_evaluation;
    std::stop_source stop;
    std::vector<std::string> messages;

private:
    std::uint64_t updates_;
};

// Everything that must be equal, as text; excludes times and speeds, which depend on the machine.
struct Recorded {
    std::map<std::string, std::vector<std::pair<std::int64_t, double>>> metrics;
    std::vector<std::string> episodes, evaluations;
    std::string params_sha256;
    std::int64_t steps = 0;
};

class Resume : public testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("seedbed-resume-" + std::to_string(getpid()) + "-" +
                   testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::remove_all(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    RunOutcome must(Result<RunOutcome> outcome) {
        EXPECT_TRUE(outcome.has_value()) << outcome.error().text();
        return outcome ? *outcome : RunOutcome{};
    }
    RunOutcome train(const TrainingConfig& config, std::uint64_t stop_after = ~std::uint64_t{0}) {
        StopAfter observer(stop_after);
        return must(
            trainRun({config, "", "", folder_, ""}, observer, observer.stop.get_token(), files_, clock_));
    }
    Result<RunOutcome> resume(std::int64_t run, std::uint64_t stop_after = ~std::uint64_t{0},
                              std::vector<std::pair<std::string, std::string>> settings = {},
                              const std::string& selector = "") {
        StopAfter observer(stop_after);
        auto outcome = resumeRun({run, folder_, {}, selector, std::move(settings)}, observer,
                                 observer.stop.get_token(), files_, clock_);
        messages_ = observer.messages;
        return outcome;
    }
    StoreReader reader() {
        auto reader = StoreReader::open(folder_);
        EXPECT_TRUE(reader.has_value());
        return std::move(*reader);
    }
    Recorded recorded(std::int64_t run, bool with_evaluations = true) {
        Recorded all;
        StoreReader reader = this->reader();
        const std::vector<std::string> names = *reader.metricNames(run);
        for (const std::string& name : names) {
            if (name.starts_with("speed/") || name.starts_with("time/") ||
                (!with_evaluations && name.starts_with("eval/")))
                continue;
            const MetricCurve curve = *reader.metric(run, name);
            for (std::size_t i = 0; i < curve.steps.size(); ++i)
                all.metrics[name].emplace_back(curve.steps[i], curve.values[i]);
        }
        const std::vector<EpisodeRecord> episodes = *reader.episodes(run);
        for (const EpisodeRecord& e : episodes)
            all.episodes.push_back(std::to_string(e.step) + " " + std::to_string(e.column) + " " +
                                   std::to_string(e.length) + " " + std::to_string(e.episode_return));
        const std::vector<EvaluationRecord> evaluations = *reader.evaluations(run);
        for (const EvaluationRecord& e : evaluations)
            all.evaluations.push_back(std::to_string(e.step) + " " + std::to_string(e.params_version) + " " +
                                      std::to_string(e.mean) + " " + std::to_string(e.episodes.size()));
        const RunDetails details = *reader.details(run);
        all.params_sha256 = details.params_sha256;
        all.steps = details.run.progress.steps;
        return all;
    }
    void expectSame(const Recorded& a, const Recorded& b, bool with_evaluations = true) {
        EXPECT_EQ(a.params_sha256, b.params_sha256);
        EXPECT_EQ(a.steps, b.steps);
        EXPECT_EQ(a.episodes, b.episodes);
        if (with_evaluations) {
            EXPECT_EQ(a.evaluations, b.evaluations);
        }
        ASSERT_EQ(a.metrics.size(), b.metrics.size());
        for (const auto& [name, points] : a.metrics) {
            ASSERT_TRUE(b.metrics.contains(name)) << name;
            EXPECT_EQ(points, b.metrics.at(name)) << name;
        }
    }
    // Waits at most a minute, so that the next checkpoint need not wait for this one.
    void waitForCheckpoint(std::int64_t run, std::int64_t step) {
        for (int i = 0; i < 6000; ++i) {
            const std::vector<CheckpointRecord> rows = *reader().checkpoints(run);
            if (std::any_of(rows.begin(), rows.end(),
                            [&](const CheckpointRecord& row) { return row.step == step; }))
                return;
            usleep(10'000);
        }
    }
    std::size_t countEvents(std::int64_t run, const std::string& kind) {
        const RunDetails details = *reader().details(run);
        return static_cast<std::size_t>(std::count_if(details.events.begin(), details.events.end(),
                                                      [&](const EventRecord& e) { return e.kind == kind; }));
    }

    std::filesystem::path folder_;
    RealFileSystem files_;
    RealClock clock_;
    std::vector<std::string> messages_;
};

struct Case {
    const char* name;
    const char* env;
    const char* changes;
    bool fits_replay = false, is_recurrent = false;  // a normaliser cannot be combined with a replay
};

std::vector<Case> cases() {
    return {
        {"cartpole_normalised_adaptive", "cartpole",
         R"({"network": {"normalise_obs": true}, "algo": {"lr_schedule": "kl_adaptive"}})"},
        {"pendulum_linear", "pendulum",
         R"({"algo": {"lr_schedule": "linear", "lr_horizon": 5000, "entropy_schedule": "linear",
                                                         "entropy_cost": 0.01}})"},
        {"catch_lstm", "catch",
         R"({"network": {"core": "lstm", "core_size": 8, "previous_action": true, "previous_reward": true}})",
         true, true},
        {"novelty", "minigrid_empty_5x5", R"({"algo": {"novelty": "noveld", "sequence": "columns"}})", true},
        {"minatar_sticky", "minatar_asterix", R"({"env": {"wrap": {"sticky_actions": 0.2}}})", true}};
}

class ResumeCases : public Resume, public testing::WithParamInterface<Case> {};

// For every algorithm, one run is interrupted 20 times (in the short form, 6) at random steps, each time with
// a different number of threads.
TEST_P(ResumeCases, TwentyCutsChangeNothing) {
    for (const std::string& algo : algorithmRegistry().ids()) {
        if (algo == "count_probe") continue;  // registered by another test of this program
        const AlgorithmEntry& entry = *algorithmRegistry().find(algo);
        const EnvSpec spec = findEnv(GetParam().env).value()->spec(Json::object()).value();
        if (entry.fits && !entry.fits(spec.spaces)) continue;
        const auto has = [&](const char* name) {
            return std::ranges::count(entry.params->fields, name, &FieldInfo::name) > 0;
        };
        const bool has_replay = has("replay_size"), has_sequences = has("burn_in");
        if (has_replay && (!GetParam().fits_replay || (GetParam().is_recurrent && !has_sequences))) continue;
        SCOPED_TRACE(algo + ", seed " + std::to_string(kSeed));
        Json changes = Json::parse(GetParam().changes);
        if (algo != "ppo") changes.erase("algo");  // other algorithms have different parameters
        changes["run"] = {{"steps", 5800}, {"horizon", 5800}};
        changes["eval"] = {{"episodes", 3}, {"final_episodes", 4}};
        TrainingConfig config = smallConfig(GetParam().env, changes);
        if (algo != "ppo") {
            Json document = config.document;
            document["algo"] = {{"id", algo}, {"rollout_length", 16}};
            if (has_replay) {
                document["algo"].update({{"replay_size", 1000}, {"replay_start", 200}, {"replay_ratio", 2}});
                if (has("prioritised")) document["algo"]["prioritised"] = true;
                if (has("n_step")) document["algo"]["n_step"] = 3;
                document["checkpoint"]["replay"] = "full";
            }
            if (has("sequence")) document["algo"].update({{"batch_size", 6}, {"sequence", 8}});
            if (has_sequences) document["algo"]["burn_in"] = GetParam().is_recurrent ? 4 : 0;
            auto parsed = parseTrainingConfig(document);
            ASSERT_TRUE(parsed.has_value()) << parsed.error().text();
            config = *parsed;
        }
        const RunOutcome whole = train(config);
        const std::uint64_t updates =
            static_cast<std::uint64_t>(recorded(whole.id).metrics.at("loss/value").size());
        ASSERT_GT(updates, 40u);

        Rng rng(kSeed, RngPurpose::test);
        std::vector<std::uint64_t> cuts;
        while (cuts.size() < cutsOfARun()) {
            const std::uint64_t cut = 1 + rng.below(static_cast<std::uint32_t>(updates - 1));
            if (std::find(cuts.begin(), cuts.end(), cut) == cuts.end()) cuts.push_back(cut);
        }
        std::sort(cuts.begin(), cuts.end());
        const RunOutcome first = train(config, cuts.front());
        EXPECT_TRUE(first.interrupted);
        for (std::size_t i = 1; i <= cuts.size(); ++i) {
            const std::uint64_t next = i < cuts.size() ? cuts[i] : ~std::uint64_t{0};
            must(resume(first.id, next, {{"run.threads", std::to_string(1 + i % 3)}}));
            ASSERT_EQ(messages_.size(), 1u);
            EXPECT_NE(messages_[0].find("bit for bit"), std::string::npos) << messages_[0];
            EXPECT_EQ(messages_[0].find("cannot"), std::string::npos) << messages_[0];
        }
        expectSame(recorded(whole.id), recorded(first.id));
        EXPECT_EQ(countEvents(first.id, "resumed"), cuts.size());
    }
}

INSTANTIATE_TEST_SUITE_P(Environments, ResumeCases, testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

// A kill leaves rows beyond the newest checkpoint. They are superseded, the results are the same, and the
// step count is that of the checkpoint.
TEST_F(Resume, RowsBeyondTheCheckpointAreSupersededAndNothingIsCountedTwice) {
    const TrainingConfig config =
        smallConfig("cartpole", {{"run", {{"steps", 6000}}}, {"checkpoint", {{"milestone_steps", 2000}}}});
    const RunOutcome whole = train(config);
    const Recorded reference = recorded(whole.id);
    // Waits until a milestone has been saved, however fast or loaded the machine is.
    StopAfter observer(~std::uint64_t{0});
    bool saved = false;
    observer.after_update = [&](const ProgressReport& p) {
        for (int wait = 0; p.steps >= 2000 && !saved && wait < 20; ++wait) {
            const std::vector<CheckpointRecord> rows = *reader().checkpoints(observer.id);
            saved =
                std::any_of(rows.begin(), rows.end(), [](const CheckpointRecord& c) { return c.milestone; });
            if (!saved) usleep(10'000);
        }
    };
    const RunOutcome again =
        must(trainRun({config, "", "", folder_, ""}, observer, observer.stop.get_token(), files_, clock_));
    std::int64_t milestone = 0;
    const std::vector<CheckpointRecord> checkpoints = *reader().checkpoints(again.id);
    for (const CheckpointRecord& c : checkpoints)
        if (c.milestone && c.step < 5800) milestone = c.step;
    ASSERT_GT(milestone, 0);

    must(resume(again.id, 0, {}, std::to_string(milestone)));  // stops before its first update
    const Recorded cut = recorded(again.id);
    EXPECT_EQ(cut.metrics.at("loss/value").back().first, milestone);
    EXPECT_EQ(cut.steps, milestone);
    must(resume(again.id));
    expectSame(reference, recorded(again.id));
}

// Older milestones of an async run contain no open windows. A resume from one starts new windows and reports
// it; a resume from a generation loses nothing. Both can be played, evaluated and exported, because only the
// policy is needed for that.
TEST_F(Resume, AnAsyncMilestoneHasNoOpenWindowsAndCanBeResumed) {
    const TrainingConfig config =
        smallConfig("cartpole", {{"run", {{"steps", 1'000'000'000}, {"schedule", "async"}}},
                                 {"actor", {{"num_envs", 24}, {"groups", 3}}},
                                 {"checkpoint", {{"milestone_steps", 1000}}},
                                 {"eval", {{"final_episodes", 0}, {"every_steps", 1'000'000'000}}}});
    // Waits until there are more milestones than generations, however fast or loaded the machine is.
    StopAfter observer(~std::uint64_t{0});
    observer.after_update = [&](const ProgressReport&) {
        const std::vector<CheckpointRecord> rows = *reader().checkpoints(observer.id);
        if (std::count_if(rows.begin(), rows.end(), [](const CheckpointRecord& c) { return c.milestone; }) >
            5)
            observer.stop.request_stop();
    };
    const RunOutcome run =
        must(trainRun({config, "", "", folder_, ""}, observer, observer.stop.get_token(), files_, clock_));
    ASSERT_TRUE(run.interrupted) << "the run finished before five milestones";
    const CheckpointStore store(files_, folder_, run.id);
    const std::vector<CheckpointInfo> complete = *store.list();
    const auto milestone =
        std::find_if(complete.begin(), complete.end(), [](const CheckpointInfo& c) { return c.milestone; });
    ASSERT_NE(milestone, complete.end());
    EXPECT_LT(milestone->bytes, complete.back().bytes);
    const auto files = [&](std::int64_t step) {
        std::vector<std::string> names;
        const auto loaded = store.load(std::to_string(step));
        EXPECT_TRUE(loaded.has_value());
        if (loaded)
            for (const CheckpointFile& file : loaded->data.files) names.push_back(file.name);
        return names;
    };
    const std::vector<std::string> small = files(milestone->step), whole = files(complete.back().step);
    EXPECT_EQ(std::count(small.begin(), small.end(), kWindowsFile), 0);
    EXPECT_EQ(std::count(whole.begin(), whole.end(), kWindowsFile), 1);
    EXPECT_TRUE(store.loadPolicy(std::to_string(milestone->step)).has_value());

    // A resume from the newest state omits no window and records no event.
    must(resume(run.id, static_cast<std::uint64_t>(complete.back().updates) + 2));
    EXPECT_EQ(countEvents(run.id, "windows_left_out"), 0u);
    // A resume from the milestone.
    const auto outcome = must(resume(run.id, static_cast<std::uint64_t>(milestone->updates) + 5, {},
                                     std::to_string(milestone->step)));
    EXPECT_GT(static_cast<std::int64_t>(outcome.steps), milestone->step);
    EXPECT_EQ(countEvents(run.id, "windows_left_out"), 1u);
    const Recorded after = recorded(run.id);
    std::int64_t last = 0;
    for (const auto& [step, value] : after.metrics.at("loss/value")) {
        EXPECT_GT(step, last) << "an update was counted twice";
        last = step;
    }
    EXPECT_EQ(last, static_cast<std::int64_t>(outcome.steps));
}

// A stop interrupts an evaluation, so the checkpoint records it as pending. The next process completes it and
// is killed before another checkpoint. Then it must not be repeated and counted again.
TEST_F(Resume, AnEvaluationAfterTheCheckpointOfItsStepIsNotRepeated) {
    for (const bool trained_on : {false, true}) {
        SCOPED_TRACE(trained_on);
        const Json changes{{"run", {{"steps", 1000}}},
                           {"eval", {{"episodes", 3}, {"final_episodes", 4}, {"every_steps", 300}}}};
        const TrainingConfig config = smallConfig("counting", changes);
        const RunOutcome whole = train(config);

        StopAfter observer(~std::uint64_t{0});
        const int first_of_evaluation = test::countingControls().next_instance.load() + config.actor.num_envs;
        test::countingControls().in_step = [&](int instance) {
            if (instance < first_of_evaluation) return;
            observer.stop.request_stop();
            // The episodes must not end before the evaluation detects the request.
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        };
        const RunOutcome part = must(
            trainRun({config, "", "", folder_, ""}, observer, observer.stop.get_token(), files_, clock_));
        test::countingControls().in_step = {};
        ASSERT_TRUE(part.interrupted);
        ASSERT_TRUE(reader().evaluations(part.id)->empty());
        const CheckpointStore store(files_, folder_, part.id);
        const std::int64_t cut = (*store.list()).back().step;

        // Runs up to the evaluation or beyond it. The kill leaves only the checkpoint before the stop.
        const auto kept = folder_ / "kept";
        std::filesystem::copy(store.list()->back().folder, kept);
        StopAfter next(~std::uint64_t{0});
        if (trained_on) next.after_update = [&](const ProgressReport&) { next.stop.request_stop(); };
        else next.on_evaluation = [&] { next.stop.request_stop(); };
        must(resumeRun({part.id, folder_, {}, "", {}}, next, next.stop.get_token(), files_, clock_));
        ASSERT_EQ(reader().evaluations(part.id)->size(), 1u);
        const std::vector<CheckpointInfo> complete = *store.list();
        for (const CheckpointInfo& checkpoint : complete)
            if (checkpoint.step >= cut) std::filesystem::remove_all(checkpoint.folder);
        std::filesystem::rename(kept, complete.front().folder.parent_path() / std::to_string(cut));
        must(resume(part.id));
        const auto found = *reader().evaluations(part.id), wanted = *reader().evaluations(whole.id);
        ASSERT_EQ(found.size(), wanted.size());
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].step, wanted[i].step);
        EXPECT_EQ(reader().metric(part.id, "eval/return")->steps,
                  reader().metric(whole.id, "eval/return")->steps);
    }
}

// Removes the database after newer checkpoints were renamed, just before their rows are updated.
class DatabaseThief final : public FileSystem {
public:
    explicit DatabaseThief(Path data) : data_(std::move(data)) {}
    bool stolen = false;

    Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override {
        return real_.open(path, mode);
    }
    Result<std::optional<FileInfo>> info(const Path& path) override { return real_.info(path); }
    Result<std::vector<FileInfo>> list(const Path& folder) override { return real_.list(folder); }
    Result<> rename(const Path& from, const Path& to) override {
        if (!stolen && to.string().ends_with(".superseded")) {
            for (const char* end : {"", "-wal", "-shm"})
                std::filesystem::rename(data_ / (std::string("seedbed.db") + end),
                                        data_ / (std::string("stolen.db") + end));
            stolen = true;
        }
        return real_.rename(from, to);
    }
    Result<> remove(const Path& path) override { return real_.remove(path); }
    Result<> makeFolder(const Path& path) override { return real_.makeFolder(path); }
    Result<> syncFolder(const Path& folder) override { return real_.syncFolder(folder); }
    Result<std::uint64_t> freeBytes(const Path& path) override { return real_.freeBytes(path); }

private:
    Path data_;
    RealFileSystem real_;
};

TEST_F(Resume, AFailedResumeToAnEarlierStepKeepsNewerCheckpoints) {
    const RunOutcome first =
        train(smallConfig("cartpole", {{"run", {{"steps", 1000000}, {"threads", 1}}}}), 6);
    const auto before = *CheckpointStore(files_, folder_, first.id).list();
    ASSERT_GE(before.size(), 2u);
    DatabaseThief thief(folder_);
    StopAfter observer(100);
    const auto failed = resumeRun({first.id, folder_, {}, std::to_string(before.front().step), {}}, observer,
                                  {}, thief, clock_);
    ASSERT_TRUE(thief.stolen);
    ASSERT_FALSE(failed.has_value());
    const auto after = *CheckpointStore(files_, folder_, first.id).list();
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) EXPECT_EQ(after[i].folder, before[i].folder);
    for (const char* end : {"", "-wal", "-shm"}) {
        std::filesystem::remove(folder_ / (std::string("seedbed.db") + end));
        std::filesystem::rename(folder_ / (std::string("stolen.db") + end),
                                folder_ / (std::string("seedbed.db") + end));
    }
    // The next run resumes from the newest one.
    must(resume(first.id, 7));
    EXPECT_EQ((*reader().details(first.id)).segments.back().begin_step, before.back().step);
}

TEST_F(Resume, ARunStoppedAtKAndResumedToNEqualsAnUninterruptedOne) {
    const Json schedule{{"lr_schedule", "linear"}, {"lr_horizon", 6000}, {"clip_schedule", "linear"}};
    const auto config = [&](int steps) {
        return smallConfig("cartpole", {{"algo", schedule},
                                        {"run", {{"steps", steps}, {"horizon", 6000}}},
                                        {"eval", {{"final_episodes", 0}}}});
    };
    const RunOutcome whole = train(config(6000));
    const RunOutcome part = train(config(2500));
    EXPECT_FALSE(part.interrupted);
    must(resume(part.id, ~std::uint64_t{0}, {{"run.steps", "6000"}}));
    expectSame(recorded(whole.id), recorded(part.id));
    const RunDetails details = *reader().details(part.id);
    EXPECT_EQ(details.config["run"]["steps"], 6000);
    EXPECT_EQ(details.run.status, RunStatus::finished);
    EXPECT_EQ(countEvents(part.id, "settings"), 1u);
}

TEST_F(Resume, ALiveSettingChangesAndAFixedOneIsRejected) {
    const RunOutcome part = train(smallConfig("cartpole", {{"run", {{"steps", 100000}}}}), 5);
    const auto refused = resume(part.id, 10, {{"algo.gamma", "0.9"}});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::config);
    EXPECT_NE(refused.error().text().find("algo.gamma"), std::string::npos);
    must(resume(part.id, 10, {{"algo.learning_rate", "0.0001"}}));
    const MetricCurve rate = *reader().metric(part.id, "optimiser/learning_rate");
    EXPECT_DOUBLE_EQ(rate.values.back(), 0.0001);
    EXPECT_DOUBLE_EQ(rate.values.front(), 0.0003);
}

TEST_F(Resume, MilestonesAreTheStatesOfTheirStepsIncludingTheLast) {
    // One update is 96 steps.
    const TrainingConfig config =
        smallConfig("cartpole", {{"run", {{"steps", 1920}}},
                                 {"checkpoint", {{"milestone_steps", 192}, {"time_share", 0}}},
                                 {"eval", {{"every_steps", 192}, {"episodes", 1}, {"final_episodes", 1}}}});
    StopAfter observer(~std::uint64_t{0});
    observer.after_update = [&](const ProgressReport& p) {
        if (p.steps % 192 == 0 && p.steps < 1920)
            waitForCheckpoint(observer.id, static_cast<std::int64_t>(p.steps));
    };
    const RunOutcome whole =
        must(trainRun({config, "", "", folder_, ""}, observer, observer.stop.get_token(), files_, clock_));
    const RunDetails details = *reader().details(whole.id);
    std::set<std::int64_t> kept, expected;
    for (const CheckpointRecord& row : details.checkpoints)
        if (row.milestone) kept.insert(row.step);
    for (std::int64_t step = 192; step <= 1920; step += 192) expected.insert(step);
    EXPECT_EQ(kept, expected);
    for (const std::int64_t step : kept)
        EXPECT_TRUE(CheckpointStore(files_, folder_, whole.id).load(std::to_string(step))) << step;
}

TEST_F(Resume, ChangedIntervalsCountFromTheStepOfTheChange) {
    const TrainingConfig config = smallConfig(
        "cartpole", {{"run", {{"steps", 960}}},
                     {"checkpoint", {{"milestone_steps", 1'000'000}}},
                     {"eval", {{"every_steps", 1'000'000}, {"episodes", 1}, {"final_episodes", 1}}}});
    const RunOutcome first = train(config, 3);
    ASSERT_TRUE(reader().evaluations(first.id)->empty());
    StopAfter observer(~std::uint64_t{0});
    observer.after_update = [&](const ProgressReport& p) {
        if (p.steps == 384) waitForCheckpoint(first.id, 384);  // the best state so far
        if (p.steps == 480) waitForCheckpoint(first.id, 480);
    };
    must(resumeRun({first.id,
                    folder_,
                    {},
                    "",
                    {{"eval.every_steps", "192"},
                     {"checkpoint.milestone_steps", "480"},
                     {"checkpoint.time_share", "0"}}},
                   observer, observer.stop.get_token(), files_, clock_));
    std::vector<std::int64_t> evaluated;
    const RunDetails details = *reader().details(first.id);
    for (const EvaluationRecord& e : details.evaluations) evaluated.push_back(e.step);
    EXPECT_EQ(evaluated, (std::vector<std::int64_t>{384, 576, 768, 960}));
    std::set<std::int64_t> milestones;
    for (const CheckpointRecord& row : details.checkpoints)
        if (row.milestone) milestones.insert(row.step);
    EXPECT_EQ(milestones, (std::set<std::int64_t>{480, 960}));
}

TEST_F(Resume, ACheckpointOfAnotherBuildGuaranteesNothing) {
    const Json ours{{"build", "0.1.0 (12.2.0) aa"}, {"schedule", "sync"}},
        theirs{{"build", "0.1.0 (12.2.0) bb"}, {"schedule", "sync"}};
    EXPECT_EQ(inexactReason(ours, ours), "");
    EXPECT_NE(inexactReason(theirs, ours), "");
    const std::string id = buildId();
    EXPECT_GE(id.size(), 16u);
    EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos) << id;
}

TEST_F(Resume, ARunThatHasReachedItsGoalReportsTheOptionsToUse) {
    const RunOutcome whole = train(smallConfig("cartpole", {{"run", {{"steps", 500}}}}));
    const auto refused = resume(whole.id);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::config);
    EXPECT_NE(refused.error().text().find("--steps"), std::string::npos) << refused.error().text();
    EXPECT_EQ(reader().run(whole.id)->status, RunStatus::finished) << "a refused resume changes nothing";
}

TEST_F(Resume, ADamagedNewestCheckpointIsSkippedWithANoticeAndTheRunIsStillTheSame) {
    const TrainingConfig config =
        smallConfig("cartpole", {{"run", {{"steps", 6000}}}, {"checkpoint", {{"every_s", 0.1}}}});
    const RunOutcome whole = train(config);
    const RunOutcome part = train(config, 30);
    CheckpointStore store(files_, folder_, part.id);
    const auto list = *store.list();
    ASSERT_GE(list.size(), 2u);
    std::filesystem::resize_file(list.back().folder / "session.bin", 100);
    must(resume(part.id));
    ASSERT_GE(messages_.size(), 2u);
    EXPECT_NE(messages_[0].find("session.bin"), std::string::npos) << messages_[0];
    EXPECT_EQ(countEvents(part.id, "damaged_checkpoint"), 1u);
    expectSame(recorded(whole.id), recorded(part.id));
}

TEST_F(Resume, AnotherProcessThatOwnsTheRunIsNamed) {
    const RunOutcome part = train(smallConfig("cartpole", {{"run", {{"steps", 100000}}}}), 3);
    const auto lock = RunLock::acquire(folder_, part.id);
    ASSERT_TRUE(lock.has_value());
    const auto refused = resume(part.id);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find("another process"), std::string::npos);
}

TEST_F(Resume, AQueuedRunBeginsAtStepZero) {
    const TrainingConfig config = smallConfig("cartpole", {{"run", {{"steps", 1000}}}});
    const RunOutcome whole = train(config);
    auto store = Store::open(folder_);
    ASSERT_TRUE(store.has_value());
    NewRun row;
    row.env = "cartpole", row.algo = "ppo", row.seed = 5, row.engine = "reference",
    row.config = config.document;
    row.status = RunStatus::queued;
    const auto queued = store->createRun(row);
    ASSERT_TRUE(queued.has_value());
    must(resume(queued->id));
    expectSame(recorded(whole.id), recorded(queued->id));
}

TEST_F(Resume, TheCheckpointBeforeTheFirstUpdateExists) {
    StopAfter observer(0);
    observer.stop.request_stop();
    const auto outcome =
        trainRun({smallConfig("cartpole", {{"run", {{"steps", 1000}}}}), "", "", folder_, ""}, observer,
                 observer.stop.get_token(), files_, clock_);
    ASSERT_TRUE(outcome.has_value());
    const auto list = CheckpointStore(files_, folder_, outcome->id).list();
    ASSERT_TRUE(list.has_value());
    ASSERT_FALSE(list->empty());
    EXPECT_EQ(list->front().step, 0);
    must(resume(outcome->id));
    // The result equals that of a run that was not stopped, including parameter versions.
    const RunOutcome whole = train(smallConfig("cartpole", {{"run", {{"steps", 1000}}}}));
    expectSame(recorded(whole.id), recorded(outcome->id));
}

}  // namespace
}  // namespace seedbed
