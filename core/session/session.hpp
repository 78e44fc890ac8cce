// SPDX-License-Identifier: Apache-2.0
// A training session: collects experience and learns from it, one update at a time. Uses no store and no
// files. In SyncSession all threads collect, then all learn; in AsyncSession actors never wait for the
// learner.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/stop_grace.hpp"
#include "core/base/thread.hpp"
#include "core/learn/learner.hpp"
#include "core/rollout/gather.hpp"
#include "core/session/acting_params.hpp"
#include "core/session/engine_choice.hpp"
#include "core/session/evaluation.hpp"
#include "core/session/group.hpp"
#include "core/session/memory_need.hpp"
#include "core/session/settings.hpp"
#include "core/session/timing.hpp"

namespace seedbed {

class ReplayWindows;

// A checked configuration with all choices made, before anything large is allocated.
struct SessionPlan {
    TrainingConfig config;
    EnvSpec env;
    EngineChoice engine;
    int threads = 1;
    int actors = 0;  // threads that only step environments (async schedule)
    int groups = 1;
    Json auto_choice;  // result of run.inference=auto (AutoChoice); null for other settings
    LearnPlan learn;
    NetSpec net;                 // spec of the acting network
    std::size_t parameters = 0;  // floats of all networks
    MemoryNeed memory;

    // The specs of all groups, for the acting network `net`.
    std::vector<GroupSpec> groupSpecs(EngineNet* net) const;
};

// Statistics of one iteration: an update, and the experience that it learned from.
struct IterationStats {
    UpdateStats update;
    std::vector<EpisodeEnd> episodes;  // columns are numbered across all groups
    // Valid rows that the update learned from or masked; each is counted once in a run.
    std::uint64_t decisions = 0;
    double rollout_s = 0, learn_s = 0;                    // wall-clock seconds
    double inference_s = 0, env_s = 0;                    // thread-seconds
    TimingTree times;                                     // time of all threads by phase
    std::vector<std::pair<std::string, double>> metrics;  // metrics of the schedule: policy/lag, ...
    std::vector<std::string> notices;  // for the user: groups that were restarted, hang or continue
};

// Thrown by iterate() if watch() has abandoned its thread and the environments return after all. Nothing
// between iterate() and runWatched() may catch it.
struct LeftBehind {};

// Thread: one owner, which is also the learner's. Between calls of iterate(), parameters may be set and the
// state may be archived.
class Session {
public:
    // Checks the whole configuration; compiles nothing. error: config, device.
    static Result<SessionPlan> plan(const TrainingConfig& config);
    // error: out_of_memory if the estimate exceeds the free memory.
    static Result<> checkMemory(const SessionPlan& plan);
    // Creates the schedule of run.schedule. Resolves run.inference=auto, which may take a third of a second.
    // error: out_of_memory, as checkMemory; config, device; stalled, if an environment takes longer than six
    // times actor.stall_s to start; interrupted.
    static Result<std::unique_ptr<Session>> create(SessionPlan plan, std::stop_token stop = {});
    virtual ~Session() = default;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // Collects experience for one update and learns from it. error: interrupted or stalled (an environment
    // does not return): nothing was learned or counted; the session can only be saved and ended, and a
    // restored one continues as if uninterrupted; non-finite numbers or a failed environment: the parameters
    // are those before the failed optimiser step.
    virtual Result<IterationStats> iterate(std::stop_token stop = {}) = 0;
    // Ends iterate(), which is running on another thread, if environments hang in it; see runWatched(). After
    // an error iterate() never returns; archive() and end() may be called.
    virtual std::optional<Error> watch() { return std::nullopt; }
    // How long iterate() may continue after a stop request in order to complete an update.
    void setStopGrace(std::chrono::milliseconds grace) { stop_grace_ = grace; }
    // Limits evaluations, archive() and end() after a stop request. `budget` must outlive this object.
    void setStopBudget(const StopBudget* budget) { stop_budget_ = budget; }
    // `call` is called within iterate(), on its thread, between collecting and learning; only in the sync
    // schedule.
    void setBeforeLearning(std::function<void()> call) { before_learning_ = std::move(call); }
    // Plays on separate environments, within the limits of the section eval. error: interrupted, or from the
    // engine.
    Result<EvaluationResult> evaluate(int episodes, Selection selection, std::uint64_t seed,
                                      std::stop_token stop);
    Result<EvaluationResult> evaluate(const EvaluationRequest& request, std::stop_token stop);
    EvaluationRequest evaluationRequest(int episodes, Selection selection, std::uint64_t seed) const;
    // Applies the live settings of the algorithm. Call it only between iterations.
    void setLive(const TrainingConfig& config) { parts_.learner->setLive(config.algo_params); }
    // False if there are environments whose state cannot be saved; they begin new episodes after a resume.
    bool environmentsAreSaved() const;
    // Saves or restores everything except the parameters: learner, environments, random streams, open
    // windows, counters. Call it only between iterations; set the parameters before loading. error: the
    // archive belongs to a different configuration.
    Result<> archive(Archive& archive) { return this->archive(archive, nullptr); }
    // Like archive(), but in two parts: `windows` contains experience that has not been learned from, and
    // `archive` is complete without it. A session that was saved in two parts and is restored with null
    // `windows` starts new windows after the saved row; the skipped rows are never counted.
    virtual Result<> archive(Archive& archive, Archive* windows) = 0;
    // Whether archive() writes to `windows`.
    virtual bool hasOpenWindows() const { return false; }
    // Stops the threads of the session, which cannot be used afterwards. False if some threads still hang in
    // their environments after `timeout`: they use the session, and its destructor would wait for them
    // forever.
    virtual bool end(std::chrono::milliseconds /*timeout*/) { return true; }

    const SessionPlan& plan() const { return parts_.plan; }
    Learner& learner() { return *parts_.learner; }
    WorkerPool& pool() { return *parts_.pool; }
    const ActionDistribution& distribution() const { return parts_.distribution; }
    // Agent decisions and updates so far.
    const Progress& progress() const { return progress_; }

protected:
    // The parts that every schedule has.
    struct Parts {
        SessionPlan plan;
        ActionDistribution distribution;
        std::unique_ptr<WorkerPool> pool;
        std::shared_ptr<EngineNet> acting;
        std::vector<std::unique_ptr<ActorGroup>> groups;
        std::vector<Ring*> rings;       // rings of the groups
        std::vector<int> first_column;  // first column of each group, numbered across all groups
        std::unique_ptr<Learner> learner;
    };
    explicit Session(Parts parts);
    // Saves or restores counters, learner, acting parameters and groups. `oldest_rows`: for each group, the
    // oldest row that is still needed. `lost(g)`: group g hangs in a step.
    Result<> archiveParts(Archive& archive, const std::vector<std::uint64_t>& oldest_rows,
                          const std::function<bool(int)>& lost = {});
    // Publishes the newest parameters with the rule for acting at this progress.
    void publishActing();
    // Adds the metric policy/epsilon if actions are epsilon-greedy.
    void appendEpsilon(IterationStats& stats) const;
    // Adds the metrics policy/lag (mean) and policy/lag_max: the age, in updates, of the parameters that
    // acted on the valid rows of these windows. Returns the number of rows older than `max_lag`. Call before
    // the update.
    std::uint64_t measureLag(const std::vector<Window>& windows, std::uint64_t max_lag,
                             IterationStats& stats);
    // Adds a notice if the replay of a resumed session was not saved; clears `is_refilling`.
    static void noteRefill(const ReplayWindows& replay, bool& is_refilling, IterationStats& stats);
    // Adds the metrics replay/rows and, with priorities, replay/effective_share.
    static void appendReplay(const ReplayWindows& replay, IterationStats& stats);
    // The time for a phase of a stop that may take `limit`.
    std::chrono::milliseconds timeFor(std::chrono::milliseconds limit) const {
        return stop_budget_ == nullptr ? limit : stop_budget_->left(limit);
    }

    Parts parts_;
    ActingParams acting_params_;
    Progress progress_;
    std::function<void()> before_learning_;
    std::chrono::milliseconds stop_grace_ = kStopGrace;
    const StopBudget* stop_budget_ = nullptr;

private:
    static Result<Parts> makeParts(SessionPlan plan, const std::stop_token& stop);
};

// The spec of each network that an algorithm declares, for the spaces of an environment.
Result<std::vector<NetSpec>> networkSpecs(const TrainingConfig& config, const Algorithm& algorithm,
                                          const EnvSpec& env);
// The action distribution of a configuration (squashed or not).
ActionDistribution distributionOf(const TrainingConfig& config, const EnvSpec& env);

}  // namespace seedbed
