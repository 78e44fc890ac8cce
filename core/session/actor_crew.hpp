// SPDX-License-Identifier: Apache-2.0
// The actors of a session: threads that take groups whose turn it is and step them, in any order. Any thread
// takes any group, so that a thread steps one group while others wait for inference, and a group that blocks
// costs one thread, not its neighbours.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.hpp"
#include "core/base/mutex.hpp"
#include "core/infer/central_inference.hpp"
#include "core/ipc/wake.hpp"
#include "core/rollout/thread_times.hpp"
#include "core/session/acting_params.hpp"
#include "core/session/gate.hpp"
#include "core/session/group.hpp"
#include "core/session/index_queue.hpp"

namespace seedbed {

struct CrewOptions {
    int window_rows = 1;  // on_window is called after every so many rows of a group
    int restarts = 0;  // failures of environments that are answered by starting a group's environments anew
    std::int64_t stall_ns = 0;   // a step that takes longer counts as lost; 0: never
    std::vector<int> first_env;  // number of each group's first environment, for messages
};

// A group is, at any time, in the hands of one actor, of inference, in the queue, or at rest. It rests when
// its ring is full, or when it has reached the goal. Threads: take(), process(), work() actors; the rest the
// session's.
class ActorCrew {
public:
    // Both are called by the actor that holds the group, and return quickly.
    struct Events {
        std::function<void(int group, std::vector<EpisodeEnd>& ended)>
            window;                  // the rows up to the next multiple are complete
        std::function<void()> rest;  // a group has come to rest
        // In the middle of a hand-over, where other threads may act: for schedulers of tests, else empty.
        std::function<void()> between{};
    };
    ActorCrew(std::vector<ActorGroup*> groups, const ActingParams& params, const Clock& clock,
              CrewOptions options, Events events);

    // Actions come from these, round robin by group; without any, actors run the network themselves.
    void setInference(std::vector<std::unique_ptr<CentralInference>>& devices);
    // Handed to CentralInference: the group has its actions.
    void ready(int group);

    // Rows that groups step up to, and then rest; by default they rest only when their ring is full.
    void setGoal(std::uint64_t head) { goal_.store(head, std::memory_order_relaxed); }
    // Sets all groups going that are at rest; all are at first.
    void begin();
    // The group's ring has more room: sets it going if it rests.
    void roomMade(int group);
    int resting() const { return resting_.load(std::memory_order_acquire); }
    // Groups that hang in a step now.
    int lost() const { return lost_count_.load(std::memory_order_acquire); }
    bool isLost(int group) const {
        return tasks_[static_cast<std::size_t>(group)].lost.load(std::memory_order_acquire);
    }
    // "group 1 (environments 4 to 7)".
    std::string nameOf(int group) const;
    // Whether a step or restart of the group is under way; and whether it is still in its environments
    // (VectorEnv::onReturned calls returned()).
    bool stepping(int group) const {
        return tasks_[static_cast<std::size_t>(group)].busy_since.load(std::memory_order_acquire) != 0;
    }
    bool inEnvironments(int group) const {
        return tasks_[static_cast<std::size_t>(group)].in_env.load(std::memory_order_seq_cst);
    }
    void returned(int group) {
        tasks_[static_cast<std::size_t>(group)].in_env.store(false, std::memory_order_seq_cst);
    }
    // Finds groups whose step takes too long: returns how many are newly lost.
    int watch();
    std::vector<std::string> takeNotices();

    // One turn of an actor: the group that is next in the queue, if any; and what is to be done with it.
    std::optional<int> take() { return queue_.pop(); }
    // False when the thread that called was replaced while its group hung, and should end.
    Result<bool> process(int group, ThreadTimes& times, Gate* gate = nullptr,
                         const std::stop_token& stop = {});
    // Turns until stopped, aborted, or (`until_rest`) every group rests.
    Result<> work(const std::stop_token& stop, ThreadTimes& times, Gate* gate, bool until_rest);
    // Wakes and ends all actors that work().
    void abort();
    void wake() { word_.notify(); }

    // Episodes of the rows since the last window. Only while the group is at rest or nobody works.
    std::vector<EpisodeEnd>& ended(int group) { return tasks_[static_cast<std::size_t>(group)].ended; }
    // Saves or restores what actors know of the groups. Only while nobody works.
    void archive(Archive& archive);
    // Saves, for archive() to load, that the next window of a group is the one that begins at row
    // `begins[group]`.
    void archiveAt(Archive& archive, const std::vector<std::uint64_t>& begins) const;

private:
    enum State : std::uint8_t { resting_state, active };
    struct alignas(64) Task {
        ActorGroup* group = nullptr;
        CentralInference* device = nullptr;
        int device_index = 0;
        std::atomic<std::uint8_t> state{resting_state};
        std::atomic<std::uint32_t> rooms{0};      // calls of roomMade
        std::atomic<std::int64_t> busy_since{0};  // when the step or restart under way began
        std::atomic<bool> in_env{false};
        std::atomic<bool> lost{false};
        std::uint64_t next_window = 0;
        std::vector<EpisodeEnd> ended;
        std::optional<ActingParams::Reader> params;  // inline inference
    };

    bool mayStep(Task& task) const;
    void dispatch(int group);
    bool rest(int group, std::uint32_t rooms);
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
    std::atomic<int> resting_{0};
    std::atomic<int> lost_count_{0};
    std::atomic<int> restarts_{0};
    std::atomic<bool> aborted_{false};
    Mutex notices_mutex_;
    std::vector<std::string> notices_ SEEDBED_GUARDED_BY(notices_mutex_);
};

}  // namespace seedbed
