// SPDX-License-Identifier: Apache-2.0
#include "core/embed/training.hpp"

#include "core/base/os/clock.hpp"
#include "core/base/os/files.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/run/resume.hpp"
#include "core/run/training_run.hpp"
#include "core/run/weights/init_weights.hpp"

namespace seedbed {
namespace {

class MemoryTraining final : public Training {
public:
    static Result<std::unique_ptr<Training>> create(const TrainingConfig& config,
                                                    const std::string& init_from) {
        auto training = std::make_unique<MemoryTraining>();
        training->config_ = config;
        SEEDBED_ASSIGN(SessionPlan plan, Session::plan(config));
        SEEDBED_ASSIGN(training->session_, Session::create(std::move(plan)));
        if (!init_from.empty()) {
            RealFileSystem files;
            LoadedPolicy loaded;
            SEEDBED_ASSIGN(loaded.bundle, loadPolicy(files, Path(init_from)));
            SEEDBED_TRY(initWeights(loaded, init_from, *training->session_));
        }
        return std::unique_ptr<Training>(std::move(training));
    }

    Session& session() override { return *session_; }
    const TrainingConfig& config() const override { return config_; }
    Result<std::optional<IterationStats>> after(Result<std::optional<IterationStats>> pumped) override {
        if (pumped && *pumped) trained_s_ += (*pumped)->rollout_s + (*pumped)->learn_s;
        return pumped;
    }
    bool mayContinue() override { return !goalReached(); }
    bool goalReached() const override {
        const RunSettings& goal = config_.run;
        return (goal.steps > 0 && session_->progress().steps >= static_cast<std::uint64_t>(goal.steps)) ||
               (goal.minutes > 0 && trained_s_ >= goal.minutes * 60);
    }
    Result<> change(const Settings& settings) override {
        SEEDBED_ASSIGN(config_, changedConfig(config_.document, settings));
        session_->setLive(config_);
        return {};
    }
    Result<> save() override {
        return fail(ErrorCode::config, "training in memory has no checkpoints; name a folder for its policy");
    }
    Result<> end(Result<>) override { return {}; }

private:
    TrainingConfig config_;
    std::unique_ptr<Session> session_;
    double trained_s_ = 0;  // in complete updates, without the time that the host uses between pieces
};

// Messages of a run are events in its database.
class SilentObserver final : public RunObserver {
public:
    void started(std::int64_t, const SessionPlan&) override {}
    void progress(const ProgressReport&) override {}
    void evaluated(std::uint64_t, const EvaluationResult&) override {}
    void message(const std::string&) override {}
};

class StoredTraining final : public Training {
public:
    explicit StoredTraining(const std::filesystem::path& data_folder)
        : run_(data_folder, observer_, {}, files_, clock_, RunRequest{}.row_queue_bytes) {}

    Result<> begin(const StoredTrainingRequest& request) {
        if (request.resume == 0)
            return run_.open(RunRequest{.config = request.config,
                                        .name = request.name,
                                        .preset = "",
                                        .data_folder = request.data_folder,
                                        .init_from = request.init_from});
        return run_.open(ResumeRequest{.run = request.resume,
                                       .data_folder = request.data_folder,
                                       .cache_folder = {},
                                       .selector = "",
                                       .settings = request.settings});
    }

    Session& session() override { return *run_.state().session; }
    const TrainingConfig& config() const override { return run_.state().config; }
    Result<std::optional<IterationStats>> after(Result<std::optional<IterationStats>> pumped) override {
        return run_.afterPump(std::move(pumped));
    }
    bool mayContinue() override { return run_.mayContinue(); }
    bool goalReached() const override { return run_.goalReached(); }
    bool isStopped() const override { return run_.isStopped(); }
    Result<> change(const Settings& settings) override {
        run_.change(settings);
        return {};
    }
    Result<> save() override { return run_.save(); }
    Result<> end(Result<> result) override {
        const bool has_failed = !result;
        const auto closed = run_.close(std::move(result));
        // The failure has been reported when it happened.
        if (closed || has_failed) return {};
        return tl::unexpected<Error>(closed.error());
    }
    std::int64_t run() const override { return run_.state().id; }

private:
    RealFileSystem files_;
    RealClock clock_;
    SilentObserver observer_;
    TrainingRun run_;
};

// The run to continue must have the environment of the trainer.
Result<> checkResumed(const StoredTrainingRequest& request) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(request.data_folder));
    SEEDBED_ASSIGN(const RunDetails details, reader.details(request.resume));
    const std::string env = details.config.at("env").value("id", "");
    if (env == request.config.env_id) return {};
    return fail(ErrorCode::config, "run " + std::to_string(request.resume) + " trains on '" + env +
                                       "', not on '" + request.config.env_id + "'");
}

}  // namespace

Result<std::unique_ptr<Training>> trainInMemory(const TrainingConfig& config, const std::string& init_from) {
    return MemoryTraining::create(config, init_from);
}

Result<std::unique_ptr<Training>> trainStored(const StoredTrainingRequest& request) {
    if (request.resume != 0) SEEDBED_TRY(checkResumed(request));
    auto training = std::make_unique<StoredTraining>(request.data_folder);
    SEEDBED_TRY(training->begin(request));
    return std::unique_ptr<Training>(std::move(training));
}

}  // namespace seedbed
