// SPDX-License-Identifier: Apache-2.0
// The actors of a session: threads that take groups from a queue and step them. Any thread can step any
// group, so that threads stay busy while groups wait for inference, and a group that hangs blocks only one
// thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mutex.hpp"
#include "core/base/os/clock.hpp"
#include "core/infer/central_inference.hpp"
#include "core/ipc/wake.hpp"
#include "core/rollout/thread_times.hpp"
#include "core/session/acting_params.hpp"
#include "core/session/gate.hpp"
#include "core/session/group.hpp"
#include "core/session/index_queue.hpp"

namespace seedbed {

struct CrewOptions {
    int window_rows = 1;         // rows of a group per call of Events::window
    int restarts = 0;            // maximum restarts of a group after its environments fail
    std::int64_t stall_ns = 0;   // a group whose step takes longer is lost; 0: never
    std::vector<int> first_env;  // number of each group's first environment, for messages
};

// At any time a group is owned by an actor or by inference, queued, or idle because its ring is full or it
// has reached the goal or its limit. Threads: take(), process() and work(): the actors'; others: the
// session's.
class ActorCrew {
public:
    // Called by the actor that owns the group; must return quickly.
    struct Events {
        std::function<void(int group, std::vector<EpisodeEnd>& ended)>
            window;                  // the rows up to the next multiple of window_rows are complete
        std::function<void()> idle;  // a group has become idle
        // Called between two steps of a transfer, where other threads may run; for test schedulers.
        std::function<void()> between{};
    };
    ActorCrew(std::vector<ActorGroup*> groups, const ActingParams& params, const Clock& clock,
              CrewOptions options, Events events);

    // Assigns groups to devices round robin. Without devices, actors run the network themselves.
    void setInference(std::vector<std::unique_ptr<CentralInference>>& devices);
    // Called by CentralInference when the group's actions have been chosen.
    void ready(int group);

    // The row at which groups become idle. Without a goal, groups become idle only when their ring is full.
    void setGoal(std::uint64_t head) { goal_.store(head, std::memory_order_relaxed); }
    // Like setGoal(), for one group only: limits how far it runs ahead of the learner. Initially there is no
    // limit. Call before roomMade().
    void setLimit(int group, std::uint64_t head) {
        tasks_[static_cast<std::size_t>(group)].limit.store(head, std::memory_order_relaxed);
    }
    // Starts all idle groups; initially all are idle.
    void start();
    // Call when the group's ring has more room or its limit was raised: starts the group if it is idle.
    void roomMade(int group);
    int idle() const { return idle_.load(std::memory_order_acquire); }
    // Number of groups that currently hang in a step.
    int lost() const { return lost_count_.load(std::memory_order_acquire); }
    bool isLost(int group) const {
        return tasks_[static_cast<std::size_t>(group)].lost.load(std::memory_order_acquire);
    }
    // "group 1 (environments 4 to 7)".
    std::string nameOf(int group) const;
    // stepping(): whether a step or restart of the group is in progress. inEnvironments(): whether its
    // environments have not returned yet (VectorEnv::onReturned calls returned()).
    bool stepping(int group) const {
        return tasks_[static_cast<std::size_t>(group)].busy_since.load(std::memory_order_acquire) != 0;
    }
    bool inEnvironments(int group) const {
        return tasks_[static_cast<std::size_t>(group)].in_env.load(std::memory_order_seq_cst);
    }
    void returned(int group) {
        tasks_[static_cast<std::size_t>(group)].in_env.store(false, std::memory_order_seq_cst);
    }
    // Finds groups whose step takes too long; returns the number of newly lost groups.
    int watch();
    std::vector<std::string> takeNotices();

    // The next group in the queue, if any.
    std::optional<int> take() { return queue_.pop(); }
    // Steps a group that was taken. Returns false if the calling thread was replaced while its group hung,
    // and must exit.
    Result<bool> process(int group, ThreadTimes& times, Gate* gate = nullptr,
                         const std::stop_token& stop = {});
    // Takes and processes groups until a stop request, abort(), or (`until_idle`) until every group is idle.
    Result<> work(const std::stop_token& stop, ThreadTimes& times, Gate* gate, bool until_idle);
    // Makes work() return in all actors.
    void abort();
    void wake() { word_.notify(); }

    // Episodes of the rows since the last window. Call it only while the group is idle or no actor is
    // working.
    std::vector<EpisodeEnd>& ended(int group) { return tasks_[static_cast<std::size_t>(group)].ended; }
    // The row at which the group's next window is complete. Call it only while no actor is working.
    std::uint64_t nextWindow(int group) const { return tasks_[static_cast<std::size_t>(group)].next_window; }
    // Saves or restores the crew's state of each group. Call it only while no actor is working.
    void archive(Archive& archive);
    // Saves `begins[group]`, the row at which the next window of each group begins; archive() loads it.
    void archiveAt(Archive& archive, const std::vector<std::uint64_t>& begins) const;

private:
    enum State : std::uint8_t { idle_state, active };
    struct alignas(64) Task {
        ActorGroup* group = nullptr;
        CentralInference* device = nullptr;
        int device_index = 0;
        std::atomic<std::uint8_t> state{idle_state};
        std::atomic<std::uint32_t> rooms{0};  // number of calls of roomMade()
        std::atomic<std::uint64_t> limit{~std::uint64_t{0}};
        std::atomic<std::int64_t> busy_since{0};  // time when the step or restart in progress began
        std::atomic<bool> in_env{false};
        std::atomic<bool> lost{false};
        std::uint64_t next_window = 0;
        std::vector<EpisodeEnd> ended;
        std::optional<ActingParams::Reader> acting;  // inline inference
    };

    bool mayStep(Task& task) const;
    void dispatch(int group);
    bool makeIdle(int group, std::uint32_t rooms);
    template <class Body>
    Result<> inEnvironments(Task& task, Gate* gate, const std::stop_token& stop, const Body& body);
    Result<> step(int group, Task& task, ThreadTimes& times, Gate* gate, const std::stop_token& stop);
    Result<> restart(int group, Task& task, std::optional<Error> error, ThreadTimes& times, Gate* gate,
                     const std::stop_token& stop);
    Phase waitPhase() const;
    void notice(std::string text);

    std::unique_ptr<Task[]> tasks_;
    std::size_t count_;
    const Clock& clock_;
    CrewOptions options_;
    Events events_;
    std::vector<CentralInference*> devices_;
    IndexQueue queue_;
    WakeWord word_{};
    std::atomic<std::uint64_t> goal_{~std::uint64_t{0}};
    std::atomic<int> idle_{0};
    std::atomic<int> lost_count_{0};
    std::atomic<int> restarts_{0};
    std::atomic<bool> aborted_{false};
    Mutex notices_mutex_;
    std::vector<std::string> notices_ SEEDBED_GUARDED_BY(notices_mutex_);
};

}  // namespace seedbed
