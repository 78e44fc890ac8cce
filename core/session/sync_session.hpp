// SPDX-License-Identifier: Apache-2.0
// The sync schedule: all threads collect experience, then all threads learn. The same configuration and seed
// give the same parameters for any number of threads, with inline and central inference (on engines that
// compute rows independently).
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/mutex.hpp"
#include "core/base/os/clock.hpp"
#include "core/session/actor_crew.hpp"
#include "core/session/gate.hpp"
#include "core/session/inference_devices.hpp"
#include "core/session/ranks/divided_state.hpp"
#include "core/session/session.hpp"
#include "core/session/windows/echo_windows.hpp"
#include "core/session/windows/hindsight_windows.hpp"
#include "core/session/windows/replay_windows.hpp"

namespace seedbed {

class SyncSession final : public Session {
public:
    static Result<std::unique_ptr<Session>> create(Parts parts);
    // Waits for threads that hang in an environment; see end().
    ~SyncSession() override;

    // After a stop request a rollout or an update that takes longer than the stop grace is abandoned between
    // two rows or two chunks. error: stalled, if an environment does not return for actor.stall_s.
    Result<IterationStats> iterate(std::stop_token stop) override;
    Result<Collected> collect(const TimeBudget& budget) override;
    Result<std::optional<IterationStats>> learn(const TimeBudget& budget) override;
    bool isLearning() const override { return pumped_ != nullptr; }
    std::optional<Error> watch() override;
    // After an interruption or a stall the state contains the rows of the current rollout. A group that hangs
    // is saved without its environments. error: a group hangs in a reset, in the middle of writing a row.
    using Session::archive;
    Result<> archive(Archive& archive, Archive* windows) override;
    bool end(std::chrono::milliseconds timeout) override;
    RankState rankState() override { return DividedState(*this).rankState(); }
    Result<Survived> survive(std::stop_token stop) override { return DividedState(*this).survive(stop); }

private:
    // Progress of a group as seen by the watching thread.
    struct Watched {
        std::uint64_t head = 0;
        std::int64_t since_ns = 0;  // time when its step of this row began; 0: not in a step
    };

    explicit SyncSession(Parts parts);
    // The work of an iteration in pieces.
    struct Pumped {
        std::unique_ptr<FreshWindows> fresh;
        std::unique_ptr<EchoWindows> echo;
        IterationStats stats;
    };

    std::uint64_t goal() const;
    void openRollout();
    Result<> rollOut(const StopGrace& grace);
    void beginRollout(const StopGrace& grace);
    Result<> endRollout();
    void takeEpisodes();
    Result<> stepGroup(std::size_t group);
    Result<> crewWork(std::size_t thread);
    bool mustLeave() SEEDBED_REQUIRES(watch_mutex_);
    void findStall(std::int64_t now_ns) SEEDBED_REQUIRES(watch_mutex_);
    void abandon() SEEDBED_REQUIRES(watch_mutex_);
    bool isHanging(std::size_t group) const;
    Error abandonedError() const SEEDBED_REQUIRES(watch_mutex_);
    std::uint64_t rolloutDecisions() const;
    Result<bool> stepSome(std::size_t group);
    Result<> beginLearning();
    // The rows of the open rollout.
    std::vector<Window> rolloutWindows() const;
    void addTimes(const PhaseSums& before, IterationStats& stats) const;
    std::uint64_t allDecisions() const;
    Result<> learnAll(const StopGrace& grace, IterationStats& stats);
    Result<> learnedFrom(IterationStats& stats);
    Result<> archiveRollout(Archive& archive);
    bool isAbandoned(std::size_t group) const { return left_ && isHanging(group); }
    bool isDivided() const { return parts_.plan.config.learner.shards > 1; }
    friend class DividedState;
    void cutUpdate(bool counts);
    std::string nameOf(std::size_t group) const;
    PhaseSums workerSeconds() const;

    RealClock clock_;
    std::optional<Error> failed_;                // the error of a rollout; every later iterate() returns it
    std::vector<ActingParams::Reader> readers_;  // per group
    std::vector<std::vector<EpisodeEnd>> ended_;
    std::vector<std::unique_ptr<ThreadTimes>>
        times_;  // per group with inline, per thread with central inference

    std::unique_ptr<ReplayWindows> replay_;        // null: every rollout is used once
    std::unique_ptr<HindsightWindows> hindsight_;  // null: windows of the replay buffer keep their goals
    bool is_refilling_ = false;                    // set after a resume without the replay buffer

    // The open rollout: rows from rollout_begin_ on that no update has used.
    bool is_open_ = false;
    std::uint64_t rollout_begin_ = 0;
    std::uint64_t decisions_before_ = 0;
    std::vector<std::uint64_t> group_decisions_;  // per group, before the rollout
    std::uint64_t cut_decisions_ = 0;             // of an update that the loss of a rank has cut

    // Of pump(): rows beyond the goal, which were collected while learning, belong to the next rollout.
    std::unique_ptr<Pumped> pumped_;      // null unless an update has begun
    std::vector<std::uint8_t> stepping_;  // per group: its environments have begun a step
    std::uint64_t rows_ahead_ = 0;        // rows of the next rollout for which there is room
    std::uint64_t ahead_decisions_ = 0;
    WorkTime row_time_;
    double collect_s_ = 0, learn_s_ = 0;  // seconds of the current iteration
    PhaseSums times_before_{};

    WorkerPool::Body body_;        // body of the rollout
    std::atomic<int> running_{0};  // number of running calls of body_
    std::atomic<bool> abandoned_{false};
    std::atomic<bool> iterating_{false};
    // Set once, by watch(): the thread in iterate() was abandoned; one of its threads hangs outside the
    // environments.
    std::atomic<bool> left_{false}, is_computing_{false};
    Mutex watch_mutex_;
    std::atomic<const StopGrace*> grace_{nullptr};  // grace period of the rollout in progress; set under
                                                    // watch_mutex_
    std::int64_t abandoned_ns_ SEEDBED_GUARDED_BY(watch_mutex_) = 0;
    std::optional<Error> stall_ SEEDBED_GUARDED_BY(watch_mutex_);
    std::vector<Watched> watched_ SEEDBED_GUARDED_BY(watch_mutex_);  // per group
    Gate gate_;  // sealed: holds threads that return from an environment
    std::stop_source ending_;

    // With central inference:
    std::unique_ptr<ActorCrew> crew_;
    Mutex failure_mutex_;
    std::optional<Error> failure_ SEEDBED_GUARDED_BY(failure_mutex_);  // error of inference
    std::unique_ptr<InferenceDevices> inference_;
};

}  // namespace seedbed
