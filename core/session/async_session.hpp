// SPDX-License-Identifier: Apache-2.0
// The async schedule: actors fill rings without waiting for the learner, which takes the oldest full windows.
// Rows store the version of the parameters that chose their actions; rows that are too old are masked.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/mutex.hpp"
#include "core/base/os/clock.hpp"
#include "core/session/actor_crew.hpp"
#include "core/session/inference_devices.hpp"
#include "core/session/session.hpp"
#include "core/session/window_feed.hpp"
#include "core/session/windows/echo_windows.hpp"
#include "core/session/windows/replay_windows.hpp"

namespace seedbed {

// Threads: actors (actor.threads), one per inference device, one that detects groups that hang, and the
// owner's, which learns with its pool. From the first iteration on, actors run until their rings are full,
// even during evaluations.
class AsyncSession final : public Session {
public:
    static Result<std::unique_ptr<Session>> create(Parts parts);
    ~AsyncSession() override;

    // Waits for windows and learns from them. If no group can deliver more, learns from fewer windows than an
    // update needs.
    Result<IterationStats> iterate(std::stop_token stop) override;
    // Pauses the actors between two rows. A group that hangs in a step is saved without its environments,
    // which are restarted when loaded. error: a group hangs in a reset after a step, in the middle of writing
    // a row; iterate() still works.
    using Session::archive;
    Result<> archive(Archive& archive, Archive* windows) override;
    // With a replay buffer there is only one part, because the buffer contains the windows.
    bool hasOpenWindows() const override { return replay_ == nullptr; }
    bool end(std::chrono::milliseconds timeout) override;

private:
    // An actor thread. A slot whose thread was replaced is reused after that thread has exited.
    struct Actor {
        ThreadTimes times;
        std::atomic<bool> ended{false};
        NamedThread thread;
    };

    explicit AsyncSession(Parts parts);
    void start();
    void startActor() SEEDBED_REQUIRES(actors_mutex_);
    Result<> watchActors(const std::stop_token& stop);
    Result<> failure();
    Result<> waitForWindows(const std::stop_token& stop, IterationStats& stats);
    // Learns from the windows, or from a replay buffer to which they are added.
    Result<> learnFrom(const WindowFeed::Taken& taken, const StopGrace& grace, const std::stop_token& stop,
                       IterationStats& stats);
    void pinReplay();
    void setLimits();
    void noteRatio(IterationStats& stats, double learner_s, double waited_s);
    // `wall_s`: time since the last iteration; `learner_s`: the part of it in this iteration; `waited_s`: the
    // part of `learner_s` spent waiting for windows.
    void measureTimes(IterationStats& stats, double wall_s, double learner_s, double waited_s);
    // Adds the metrics async/echo and async/echo_ratio if rollouts are repeated. Call after measureTimes().
    void measureEcho(IterationStats& stats);
    bool savesReplay() const { return replay_ != nullptr && parts_.plan.config.checkpoint.replay == "full"; }
    Result<> pauseActors();
    // Call only while the actors are paused.
    Result<> saveWhole(Archive& archive);
    Result<> saveApart(Archive& archive, Archive& windows);
    Result<> archiveWindows(Archive& windows);
    Result<> checkLoaded(const Archive& archive) const;
    Result<> load(Archive& archive, Archive* windows);
    std::vector<std::uint64_t> heads() const;
    void resumeActors();
    // Stops all threads that are not in an environment, without waiting.
    void requestEnd();

    RealClock clock_;
    std::stop_source stopping_;
    Gate gate_;
    WakeWord learner_word_{};  // signals new windows, idle groups and failures
    std::unique_ptr<WindowFeed> feed_;
    std::unique_ptr<ActorCrew> crew_;
    std::unique_ptr<InferenceDevices> inference_;

    Mutex failure_mutex_;
    std::optional<Error> failure_ SEEDBED_GUARDED_BY(failure_mutex_);

    std::stop_token stop_;  // stop token of the last iteration
    bool started_ = false;
    bool hung_ = false;  // whether actors hung when they were last paused
    std::int64_t last_iteration_ns_ = 0;
    PhaseSums actor_before_{}, inference_before_{};
    EchoFactor echo_;
    int passes_ = 0;                           // number of passes in the last update
    std::unique_ptr<ReplayWindows> replay_;    // null: every window is used once, or echoed
    std::vector<Ring::Pin> replay_pins_;       // per ring: the oldest row in the replay
    bool is_refilling_ = false;                // after a resume without the replay buffer
    double ratio_s_ = 0, ratio_waited_s_ = 0;  // times of the learner since learning began; see noteRatio()
    bool ratio_noted_ = false;
    std::uint64_t filled_before_ = 0;  // columns
    std::atomic<int> members_{0};      // number of threads that pass the gate
    Mutex actors_mutex_;  // also held while the state is saved, so that no actor is replaced at the same time
    // Must stop before the members that they use are destroyed.
    std::vector<std::unique_ptr<Actor>> actors_ SEEDBED_GUARDED_BY(actors_mutex_);
    WakeWord watch_word_{};  // never notified: only a stop request ends a wait early
    NamedThread watch_;      // declared last, because it starts actors
};

}  // namespace seedbed
