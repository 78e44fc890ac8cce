// SPDX-License-Identifier: Apache-2.0
// The seam of a training session: it makes experience and learns from it, one update at a time. No store, no
// files. sync_session is the schedule in which all threads roll out, then all learn; async_session the one in
// which actors never wait for the learner.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/thread.hpp"
#include "core/learn/learner.hpp"
#include "core/session/acting_params.hpp"
#include "core/session/engine_choice.hpp"
#include "core/session/evaluation.hpp"
#include "core/session/group.hpp"
#include "core/session/settings.hpp"
#include "core/session/timing.hpp"

namespace seedbed {

// Bytes a session will allocate, by part; computed from the specs before anything is allocated.
struct MemoryNeed {
    std::size_t rings = 0, learner = 0, networks = 0;
    std::size_t total() const { return rings + learner + networks; }
};

// What a configuration comes to, before anything big is allocated.
struct SessionPlan {
    TrainingConfig config;
    EnvSpec env;
    EngineChoice engine;
    int threads = 1;
    int actors = 0;  // threads that only step environments (async schedule)
    int groups = 1;
    Json auto_choice;  // what run.inference=auto came to (AutoChoice), null for other settings
    LearnPlan learn;
    NetSpec net;                 // of the acting network
    std::size_t parameters = 0;  // floats of all networks
    MemoryNeed memory;
};

// What one iteration (an update, and the experience it learned from) did.
struct IterationStats {
    UpdateStats update;
    std::vector<EpisodeEnd> episodes;  // column counted over all groups
    std::uint64_t decisions =
        0;  // valid rows that the update learned from or masked; each is counted once in a run
    double rollout_s = 0, learn_s = 0;                    // wall
    double inference_s = 0, env_s = 0;                    // thread-seconds
    TimingTree times;                                     // where the time of all threads went
    std::vector<std::pair<std::string, double>> metrics;  // of the schedule: policy/lag, ...
    std::vector<std::string> notices;  // what people should know: a group restarted, hangs, goes on
};

// Thread: one owner, which is also the learner's. Between calls of iterate() parameters may be set and the
// state be archived.
class Session {
public:
    // Checks everything a configuration says, compiles nothing. error: config, device.
    static Result<SessionPlan> plan(const TrainingConfig& config);
    // error: out_of_memory when the computed need exceeds what is free.
    static Result<> checkMemory(const SessionPlan& plan);
    // The schedule that run.schedule names; settles run.inference=auto, which may take a third of a second.
    // error: out_of_memory, as checkMemory; config, device.
    static Result<std::unique_ptr<Session>> create(SessionPlan plan);
    virtual ~Session() = default;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // Experience for one update, and the update. error: interrupted when stopped while waiting (nothing was
    // learned or counted then); not-a-number, environment failure: parameters then are those before the
    // failing step.
    virtual Result<IterationStats> iterate(std::stop_token stop = {}) = 0;
    // Called within iterate(), on its thread, between collecting and learning, where one comes after the
    // other.
    void setBeforeLearning(std::function<void()> call) { before_learning_ = std::move(call); }
    // Plays on environments of its own. error: interrupted, or from environment or engine.
    Result<EvaluationResult> evaluate(int episodes, Selection selection, std::uint64_t seed,
                                      std::stop_token stop);
    Result<EvaluationResult> evaluate(const EvaluationRequest& request, std::stop_token stop);
    EvaluationRequest evaluationRequest(int episodes, Selection selection, std::uint64_t seed) const;
    // Between iterations: takes over the live settings of the algorithm.
    void setLive(const TrainingConfig& config) { parts_.learner->setLive(config.algo_params); }
    // False: environments without a saved state begin new episodes after a resume.
    bool environmentsAreSaved() const;
    // Everything but the parameters: learner, environments, random streams, open windows, counters. Between
    // iterations only; parameters are set before loading. error: the archive belongs to another
    // configuration.
    Result<> archive(Archive& archive) { return this->archive(archive, nullptr); }
    // The same in two parts: `windows` takes what was played and is not learned from yet, and `archive` is
    // complete without it. A session restored without `windows` (null, where they were saved apart) goes on
    // with windows that begin after the saved row; the rows before that were never counted.
    virtual Result<> archive(Archive& archive, Archive* windows) = 0;
    // False: `windows` stays empty.
    virtual bool hasOpenWindows() const { return false; }
    // Ends the threads of the session, which is not used any more. False: after `patience` some still hang in
    // their environments; they need the session, and its destructor would wait for them for ever.
    virtual bool end(std::chrono::milliseconds /*patience*/) { return true; }

    const SessionPlan& plan() const { return parts_.plan; }
    Learner& learner() { return *parts_.learner; }
    WorkerPool& pool() { return *parts_.pool; }
    const ActionDistribution& distribution() const { return parts_.distribution; }
    // Agent decisions and updates so far.
    const Progress& progress() const { return progress_; }

protected:
    // What every schedule consists of.
    struct Parts {
        SessionPlan plan;
        ActionDistribution distribution;
        std::unique_ptr<WorkerPool> pool;
        std::shared_ptr<EngineNet> acting;
        std::vector<std::unique_ptr<ActorGroup>> groups;
        std::vector<Ring*> rings;       // of the groups
        std::vector<int> first_column;  // of the groups, counted over all
        std::unique_ptr<Learner> learner;
    };
    explicit Session(Parts parts);
    // Counters, learner, acting parameters, groups: what schedules have in common. `groups` holds the oldest
    // row of each that is still needed. Groups named by `lost` hang in a step.
    Result<> archiveParts(Archive& archive, const std::vector<std::uint64_t>& oldest_rows,
                          const std::function<bool(int)>& lost = {});
    // How old the parameters were that acted on the valid rows of these windows: policy/lag (mean) and
    // policy/lag_max, in updates. Returns the rows older than `max_lag`. To be called before the update.
    std::uint64_t measureLag(const std::vector<Window>& windows, std::uint64_t max_lag,
                             IterationStats& stats);

    Parts parts_;
    ActingParams acting_params_;
    Progress progress_;
    std::function<void()> before_learning_;

private:
    static Result<Parts> makeParts(SessionPlan plan);
};

// Plan of each network an algorithm declares, on the spaces of an environment.
Result<std::vector<NetSpec>> networkSpecs(const TrainingConfig& config, const Algorithm& algorithm,
                                          const EnvSpec& env);
// The action distribution of a configuration (squashed or not).
ActionDistribution distributionOf(const TrainingConfig& config, const EnvSpec& env);

}  // namespace seedbed
