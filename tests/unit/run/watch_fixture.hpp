// SPDX-License-Identifier: Apache-2.0
// Helpers for tests of whole runs: an environment with NaN rewards, an observer, a file system with hooks,
// and a program that locks the database.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/env/env_registry.hpp"
#include "core/run/run.hpp"
#include "core/store/database.hpp"
#include "core/store/store_reader.hpp"
#include "tests/unit/env/small_spec.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed::testing {

// Like CartPole, but some rewards are NaN. Registered as moody_test in rollback_test.cpp.
class MoodyEnv final : public Env {
public:
    struct Params {
        int bad_from = 1000000, bad_to = 1000000;

        static const Description<Params>& describe() {
            static const auto description =
                Description<Params>("moody", "Breaks for a while.")
                    .field(&Params::bad_from, "bad_from", "First step that breaks.")
                    .field(&Params::bad_to, "bad_to", "First step after these.");
            return description;
        }
    };
    static EnvSpec spec(const Params&) {
        EnvSpec spec = test::smallSpec("moody_test", {.shape = {2}, .low = -10, .high = 10});
        spec.horizon = 10;
        spec.reward_low = 0;
        spec.reward_high = 1;
        return spec;
    }

    explicit MoodyEnv(const Params& params) : params_(params) {}
    void reset(Rng&) override {}
    StepResult step(const float*, float* rewards, Rng&) override {
        // Counted over all instances in this process and not saved, so a rollback does not repeat the bad
        // steps.
        const int now = steps_++;
        if (on_step_) on_step_();
        rewards[0] = now >= params_.bad_from && now < params_.bad_to ? std::nanf("") : 1.0f;
        return {.reward = rewards[0]};
    }
    void observe(int, ObsOut out) const override {
        out.leaf<float>(0)[0] = 0.5f;
        out.leaf<float>(0)[1] = -0.5f;
    }
    void draw(Scene&) const override {}
    void archive(Archive& archive) override { archive.field("filler", filler_, range(0, 0)); }
    Json state() const override { return Json::object(); }
    Result<> setState(const Json&) override { return {}; }

    static inline std::atomic<int> steps_{0};
    static inline std::function<void()> on_step_;  // only for runs with one thread

private:
    Params params_;
    int filler_ = 0;
};
class Quiet final : public RunObserver {
public:
    void started(std::int64_t given_id, const SessionPlan&) override { id = given_id; }
    void progress(const ProgressReport& p) override {
        if (on_progress) on_progress(p);
    }
    void phase(const ProgressReport& p) override {
        phases.push_back(p.phase);
        if (on_phase) on_phase(p);
    }
    void evaluated(std::uint64_t, const EvaluationResult&) override {}
    void message(const std::string& text) override {
        messages.push_back(text);
        if (on_message) on_message(text);
    }
    bool said(const std::string& part) const {
        return std::any_of(messages.begin(), messages.end(),
                           [&](const std::string& text) { return text.find(part) != std::string::npos; });
    }

    std::int64_t id = 0;
    std::vector<std::string> messages;
    std::function<void(const ProgressReport&)> on_progress, on_phase;
    std::function<void(const std::string&)> on_message;
    std::vector<RunPhase> phases;
    std::stop_source stop;
};

// Calls functions of the test, on any thread of the run.
class HookedFiles final : public FileSystem {
public:
    std::function<void(const Path&)> before_info, before_make_folder;

    Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override {
        return real_.open(path, mode);
    }
    Result<std::optional<FileInfo>> info(const Path& path) override {
        if (before_info) before_info(path);
        return real_.info(path);
    }
    Result<std::vector<FileInfo>> list(const Path& folder) override { return real_.list(folder); }
    Result<> rename(const Path& from, const Path& to) override { return real_.rename(from, to); }
    Result<> remove(const Path& path) override { return real_.remove(path); }
    Result<> makeFolder(const Path& path) override {
        if (before_make_folder) before_make_folder(path);
        return real_.makeFolder(path);
    }
    Result<> syncFolder(const Path& folder) override { return real_.syncFolder(folder); }
    Result<std::uint64_t> freeBytes(const Path& path) override { return real_.freeBytes(path); }

private:
    RealFileSystem real_;
};

class Watch : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("seedbed-watch-" + std::to_string(getpid()) + "-" +
                   ::testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::remove_all(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    Result<RunOutcome> train(const TrainingConfig& config, Quiet& observer, FileSystem& files,
                             const Clock& clock) {
        return trainRun({config, "", "", folder_, ""}, observer, observer.stop.get_token(), files, clock);
    }
    RunDetails details(std::int64_t id) {
        auto reader = StoreReader::open(folder_);
        EXPECT_TRUE(reader.has_value());
        return *reader->details(id);
    }
    static std::vector<std::string> kinds(const RunDetails& run) {
        std::vector<std::string> all;
        for (const EventRecord& event : run.events) all.push_back(event.kind);
        return all;
    }

    std::filesystem::path folder_;
    RealFileSystem files_;
    RealClock clock_;
};

// Stands in for a database browser; can lock the database from any thread.
class Browser {
public:
    void lock(const std::filesystem::path& folder) {
        auto opened = Database::open(folder / kDatabaseName, Database::Access::write);
        ASSERT_TRUE(opened.has_value()) << opened.error().text();
        database_ = std::move(*opened);
        ASSERT_TRUE(database_->execute("BEGIN IMMEDIATE"));
    }
    void unlock() { database_.reset(); }
    bool hasLocked() const { return database_ != nullptr; }

private:
    std::unique_ptr<Database> database_;
};

constexpr const char* kTrainingWaits = "training waits until the rows of this run can be saved";

}  // namespace seedbed::testing
