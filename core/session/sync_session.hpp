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
#include "core/session/session.hpp"
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
    std::optional<Error> watch() override;
    // After an interruption or a stall the state contains the rows of the current rollout. A group that hangs
    // is saved without its environments. error: a group hangs in a reset, in the middle of writing a row.
    using Session::archive;
    Result<> archive(Archive& archive, Archive* windows) override;
    bool end(std::chrono::milliseconds timeout) override;

private:
    // Progress of a group as seen by the watching thread.
    struct Watched {
        std::uint64_t head = 0;
        std::int64_t since_ns = 0;  // time when its step of this row began; 0: not in a step
    };

    explicit SyncSession(Parts parts);
    std::uint64_t goal() const;
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
    Result<> learn(const StopGrace& grace, IterationStats& stats);
    void learnedFrom(IterationStats& stats);
    Result<> archiveRollout(Archive& archive);
    std::string nameOf(std::size_t group) const;
    PhaseSums workerSeconds() const;

    RealClock clock_;
    std::optional<Error> failed_;                // the error of a rollout; every later iterate() returns it
    std::vector<ActingParams::Reader> readers_;  // per group
    std::vector<std::vector<EpisodeEnd>> ended_;
    std::vector<std::unique_ptr<ThreadTimes>>
        times_;  // per group with inline, per thread with central inference

    std::unique_ptr<ReplayWindows> replay_;        // null: every rollout is learned from once
    std::unique_ptr<HindsightWindows> hindsight_;  // null: windows of the replay keep their goals
    bool is_refilling_ = false;                    // set after a resume without the replay

    // The open rollout: rows from rollout_begin_ on that no update has learned from.
    bool is_open_ = false;
    std::uint64_t rollout_begin_ = 0;
    std::uint64_t decisions_before_ = 0;

    WorkerPool::Body body_;        // body of the rollout
    std::atomic<int> running_{0};  // calls of body_
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
