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
#include "core/base/os/time_budget.hpp"
#include "core/base/stop_grace.hpp"
#include "core/base/thread.hpp"
#include "core/learn/learner.hpp"
#include "core/rollout/gather.hpp"
#include "core/session/acting_params.hpp"
#include "core/session/engine_choice.hpp"
#include "core/session/evaluation.hpp"
#include "core/session/group.hpp"
#include "core/session/memory_need.hpp"
#include "core/session/policies/policy_plan.hpp"
#include "core/session/ranks/session_ranks.hpp"
#include "core/session/ranks/shard_plan.hpp"
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
    int groups = 1;  // of all ranks
    RankPart part;
    Json auto_choice;  // result of run.inference=auto (AutoChoice); null for other settings
    LearnPlan learn;
    SeatPolicies policies;       // policies.seats
    NetSpec net;                 // spec of the acting network
    std::size_t parameters = 0;  // floats of all networks
    MemoryNeed memory;

    std::size_t policyCount() const { return policies.isUsed() ? policies.names.size() : 1; }
    // The specs of this rank's groups, for the acting network `net`.
    std::vector<GroupSpec> groupSpecs(EngineNet* net) const;
};

// Statistics of one iteration: an update, and the experience that it learned from.
struct IterationStats {
    UpdateStats update;
    std::vector<EpisodeEnd> episodes;  // columns are numbered across all groups
    // Valid rows that the update used or masked; each is counted once in a run.
    std::uint64_t decisions = 0;
    double rollout_s = 0, learn_s = 0;                    // wall-clock seconds
    double inference_s = 0, env_s = 0;                    // thread-seconds
    TimingTree times;                                     // time of all threads by phase
    std::vector<std::pair<std::string, double>> metrics;  // metrics of the schedule: policy/lag, ...
    std::vector<std::string> notices;  // messages about groups that were restarted, hang or continue
};

// How a call of Session::collect() ended.
enum class Collected : std::uint8_t {
    all,      // the rows of the rollout, or all rows for which there is room
    some,     // the budget is used up
    waiting,  // environments have not answered yet
};

// Thrown by iterate() if watch() has abandoned its thread and the environments return after all. Nothing
// between iterate() and runWatched() may catch it.
struct LeftBehind {};

// Thread: one owner, which is also the learner's. Between calls of iterate(), parameters may be set and the
// state may be archived.
class Session {
public:
    // Checks the whole configuration; compiles nothing. error: config, device.
    static Result<SessionPlan> plan(const TrainingConfig& config, RankPart part = {});
    // error: out_of_memory if the estimate exceeds the free memory.
    static Result<> checkMemory(const SessionPlan& plan);
    // Creates the schedule of run.schedule. Resolves run.inference=auto, which may take a third of a second.
    // error: out_of_memory, as for checkMemory(); config, device; stalled, if an environment takes longer
    // than six times actor.stall_s to start; interrupted.
    // With several ranks, rank 0 lets the others create the same session, and an error of one is an error of
    // all.
    static Result<std::unique_ptr<Session>> create(SessionPlan plan, std::stop_token stop = {},
                                                   std::shared_ptr<RankLink> link = nullptr);
    virtual ~Session() = default;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // Collects experience for one update and learns from it. error: interrupted or stalled (an environment
    // does not return): nothing was learned or counted; the session can only be saved and ended, and a
    // restored one continues as if uninterrupted; non-finite numbers or a failed environment: the parameters
    // are those before the failed optimiser step; kRankLost: see survive().
    virtual Result<IterationStats> iterate(std::stop_token stop = {}) = 0;
    // Like iterate(), with the same results, but returns nullopt when the next piece of work does not fit
    // into `budget` or environments have not answered; the next call continues. Steps environments on the
    // calling thread. Needs the sync schedule with inline inference. error: as for iterate(); after an error
    // of the environments, the next call restarts them.
    Result<std::optional<IterationStats>> pump(const TimeBudget& budget);
    // The two parts of pump(): collects rows of the rollout or, while learning, of the next one, which may be
    // completed before learning has ended.
    virtual Result<Collected> collect(const TimeBudget& budget);
    // Learns from the complete rollout; the statistics once all is learned.
    virtual Result<std::optional<IterationStats>> learn(const TimeBudget& budget);
    // Ends all episodes without counting them; the next collect() resets the environments.
    void restartEnvironments();
    bool needsRestart() const;
    // Whether an update has begun and not ended; the state cannot be archived during an update.
    virtual bool isLearning() const { return false; }
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
    // Sets the policies of self_play.rivals, in their order. Call it before the first iteration of a new run;
    // archive() restores them.
    void setRivals(std::vector<Params> rivals);
    // Applies the live settings of the algorithm. Call it only between iterations.
    void setLive(const TrainingConfig& config);
    // False if there are environments whose state cannot be saved; they begin new episodes after a resume.
    bool environmentsAreSaved() const;
    // Saves or restores everything except the parameters: learner, environments, random streams, open
    // windows, counters. Call it only between iterations; set the parameters before loading. error: the
    // archive belongs to a different configuration.
    Result<> archive(Archive& archive) { return this->archive(archive, nullptr); }
    // Like archive(), but in two parts: `windows` contains experience not yet used for learning, and
    // `archive` is complete without it. A session that was saved in two parts and is restored with null
    // `windows` starts new windows after the saved row; the skipped rows are never counted.
    virtual Result<> archive(Archive& archive, Archive* windows) = 0;
    // Continues with the learner of another session: the parameters of all its networks, and `archive`, in
    // which that session was saved. Environments, random streams and counters are kept. Call it only between
    // iterations. error: the archive belongs to a different configuration.
    Result<> takeLearner(const std::vector<Params>& params, Archive& archive);
    // Called on rank 0, within iterate(), when another rank has received a stop request.
    void setStopRequested(std::function<void()> call) { ranks_.onStop(std::move(call)); }
    // After kRankLost: the state of this rank.
    virtual RankState rankState() { return {}; }
    // Rank 0 after kRankLost: forms a group of the survivors, and returns the state with which a new session
    // continues, after the newest optimiser step of any survivor. Environments of lost ranks restart. error:
    // the run cannot continue.
    virtual Result<Survived> survive(std::stop_token stop);
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
        std::vector<std::shared_ptr<EngineNet>> engines;  // of all networks
        std::shared_ptr<PastSelves> selves;               // null without self-play
        std::vector<std::unique_ptr<ActorGroup>> groups;
        std::vector<Ring*> rings;       // rings of the groups
        std::vector<int> first_column;  // first column of each group, numbered across all groups
        std::unique_ptr<Learner> learner;
        std::shared_ptr<RankLink> link;  // null: the only rank
    };
    explicit Session(Parts parts);
    // Saves or restores counters, learner, acting parameters and groups. `oldest_rows`: for each group, the
    // oldest row that is still needed. `lost(g)`: group g hangs in a step.
    Result<> archiveParts(Archive& archive, const std::vector<std::uint64_t>& oldest_rows,
                          const std::function<bool(int)>& lost = {});
    // The part of archiveParts() before the groups, which is the same on all ranks.
    Result<> archiveHead(Archive& archive);
    // Publishes the newest parameters with the rule for acting at this progress.
    void publishActing();
    // With self-play, or several policies: adds their metrics.
    void appendSeats(IterationStats& stats) const;
    // Adds the metric policy/epsilon if actions are epsilon-greedy.
    void appendEpsilon(IterationStats& stats) const;
    // Adds the metrics policy/lag (mean) and policy/lag_max: the age, in updates, of the parameters that
    // acted on the valid rows of these windows. Returns the number of rows older than `max_lag`. Call before
    // the update.
    std::uint64_t measureLag(const std::vector<Window>& windows, std::uint64_t max_lag,
                             IterationStats& stats);
    // Adds the engines' notices.
    void noteEngines(IterationStats& stats);
    // Adds a notice if the replay buffer of a resumed session was not saved; clears `is_refilling`.
    static void noteRefill(const ReplayWindows& replay, bool& is_refilling, IterationStats& stats);
    // Adds the metrics replay/rows and, with priorities, replay/effective_share.
    static void appendReplay(const ReplayWindows& replay, IterationStats& stats);
    // The time for a phase of a stop that may take `limit`.
    std::chrono::milliseconds timeFor(std::chrono::milliseconds limit) const {
        return stop_budget_ == nullptr ? limit : stop_budget_->left(limit);
    }

    Parts parts_;
    SessionRanks ranks_;
    ActingParams acting_params_;
    Progress progress_;
    std::function<void()> before_learning_;
    std::chrono::milliseconds stop_grace_ = kStopGrace;
    const StopBudget* stop_budget_ = nullptr;

private:
    static Result<Parts> makeParts(SessionPlan plan, const std::stop_token& stop,
                                   std::shared_ptr<RankLink> link);
};

// The spec of each network that an algorithm declares, for the spaces of an environment.
Result<std::vector<NetSpec>> networkSpecs(const TrainingConfig& config, const Algorithm& algorithm,
                                          const EnvSpec& env);
// The action distribution of a configuration (squashed or not).
ActionDistribution distributionOf(const TrainingConfig& config, const EnvSpec& env);

}  // namespace seedbed
