// SPDX-License-Identifier: Apache-2.0
#include "core/session/actor_crew.hpp"

#include <utility>

#include "core/base/log.hpp"
#include "core/base/mutex.hpp"
#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr int kMostRestarts = 1'000'000'000;  // largest value accepted from an archive

}  // namespace

ActorCrew::ActorCrew(std::vector<ActorGroup*> groups, const ActingParams& params, const Clock& clock,
                     CrewOptions options, Events events)
    : tasks_(std::make_unique<Task[]>(groups.size())),
      count_(groups.size()),
      clock_(clock),
      options_(std::move(options)),
      events_(std::move(events)),
      queue_(groups.size()),
      idle_(static_cast<int>(groups.size())) {
    for (std::size_t g = 0; g < count_; ++g) {
        tasks_[g].group = groups[g];
        tasks_[g].acting.emplace(params);
        tasks_[g].next_window = static_cast<std::uint64_t>(options_.window_rows);
    }
}

void ActorCrew::setInference(std::vector<std::unique_ptr<CentralInference>>& devices) {
    for (auto& device : devices) devices_.push_back(device.get());
    for (std::size_t g = 0; g < count_ && !devices_.empty(); ++g) {
        tasks_[g].device = devices_[g % devices_.size()];
        tasks_[g].device_index = static_cast<int>(g / devices_.size());
    }
}

void ActorCrew::ready(int group) {
    queue_.push(group);
    word_.notify();
}

// --- idle and active groups
// ----------------------------------------------------------------------------------------------------

bool ActorCrew::mayStep(Task& task) const {
    Ring& ring = task.group->ring();
    return ring.head() < goal_.load(std::memory_order_relaxed) &&
           ring.head() < task.limit.load(std::memory_order_relaxed) && ring.hasRoom();
}

// Passes a runnable group to inference or to the actors.
void ActorCrew::dispatch(int group) {
    Task& task = tasks_[static_cast<std::size_t>(group)];
    if (task.device != nullptr && !task.group->span().acted() && !task.group->needsRestart())
        task.device->submit(task.device_index);
    else ready(group);
}

void ActorCrew::start() {
    for (std::size_t g = 0; g < count_; ++g) {
        // A restored group may have reached the goal: it must not act before the next update.
        if (tasks_[g].group->ring().head() >= goal_.load(std::memory_order_relaxed)) {
            if (tasks_[g].device != nullptr) tasks_[g].device->pause(tasks_[g].device_index);
            continue;
        }
        std::uint8_t was = idle_state;
        if (!tasks_[g].state.compare_exchange_strong(was, active, std::memory_order_seq_cst)) continue;
        idle_.fetch_sub(1, std::memory_order_acq_rel);
        dispatch(static_cast<int>(g));
    }
}

void ActorCrew::roomMade(int group) {
    Task& task = tasks_[static_cast<std::size_t>(group)];
    task.rooms.fetch_add(1, std::memory_order_seq_cst);
    std::uint8_t was = idle_state;
    if (!task.state.compare_exchange_strong(was, active, std::memory_order_seq_cst)) return;
    idle_.fetch_sub(1, std::memory_order_acq_rel);
    dispatch(group);
}

// Makes a group idle if it had no room when `rooms` was read. Returns true if the group is idle, so that the
// caller no longer owns it; false if there is room again and the caller still owns it. Either roomMade()
// reads the new state, or this function reads the new number.
bool ActorCrew::makeIdle(int group, std::uint32_t rooms) {
    Task& task = tasks_[static_cast<std::size_t>(group)];
    if (task.device != nullptr) task.device->pause(task.device_index);
    if (events_.between) events_.between();
    idle_.fetch_add(1, std::memory_order_acq_rel);
    task.state.store(idle_state, std::memory_order_seq_cst);
    if (task.rooms.load(std::memory_order_seq_cst) != rooms) {
        std::uint8_t was = idle_state;
        if (task.state.compare_exchange_strong(was, active, std::memory_order_seq_cst)) {
            idle_.fetch_sub(1, std::memory_order_acq_rel);
            return false;
        }
    }
    if (events_.idle) events_.idle();
    return true;
}

// --- a turn
// ----------------------------------------------------------------------------------------------------------

Result<bool> ActorCrew::process(int group, ThreadTimes& times, Gate* gate, const std::stop_token& stop) {
    Task& task = tasks_[static_cast<std::size_t>(group)];
    const bool central = task.device != nullptr;
    while (true) {
        // Checks for room before requesting actions, so that an idle group uses the newest parameters when it
        // continues.
        const std::uint32_t rooms = task.rooms.load(std::memory_order_seq_cst);
        if (!mayStep(task)) {
            if (makeIdle(group, rooms)) return true;
            continue;
        }
        if (gate != nullptr && gate->closed()) {
            dispatch(group);
            return true;
        }
        const std::uint64_t before = task.group->ring().head();
        if (task.group->needsRestart()) {
            SEEDBED_TRY(restart(group, task, std::nullopt, times, gate, stop));
        } else if (task.group->span().acted()) {
            SEEDBED_TRY(step(group, task, times, gate, stop));
        } else if (!central) {
            const Acting& acting = task.acting->acting();
            SEEDBED_TRY(task.group->act(acting, times));
        } else {
            task.device->submit(task.device_index);
            return true;
        }
        // Must be read after busy_since has been cleared; see watch().
        const bool replaced =
            task.lost.load(std::memory_order_seq_cst) && task.lost.exchange(false, std::memory_order_seq_cst);
        if (replaced) {
            lost_count_.fetch_sub(1, std::memory_order_acq_rel);
            notice(nameOf(group) + " continues");
        }
        const std::uint64_t head = task.group->ring().head();
        const bool window = head != before && head >= task.next_window;
        if (window) {
            task.next_window += static_cast<std::uint64_t>(options_.window_rows);
            if (events_.window) events_.window(group, task.ended);
        }
        // If the actions came with the row (RemoteActions), batches do not wait for the group.
        const bool has_actions = central && task.group->span().acted();
        if (has_actions) task.device->pause(task.device_index);
        // After completing a window, the thread takes another group; a replaced thread returns its group to
        // the queue.
        if (replaced || (window && (!central || has_actions))) {
            dispatch(group);
            return !replaced;
        }
    }
}

// Runs code that may hang in the group's environments. Afterwards a sealed gate stops the thread before it
// changes anything that is saved; after a successful call, VectorEnv::onReturned performs this check.
template <class Body>
Result<> ActorCrew::inEnvironments(Task& task, Gate* gate, const std::stop_token& stop, const Body& body) {
    task.busy_since.store(clock_.monotonicNs(), std::memory_order_release);
    task.in_env.store(true, std::memory_order_seq_cst);
    Result<> result = body();
    task.in_env.store(false, std::memory_order_seq_cst);
    if (!result && gate != nullptr) gate->passSealed(stop);
    task.busy_since.store(0, std::memory_order_seq_cst);
    return result;
}

Result<> ActorCrew::step(int group, Task& task, ThreadTimes& times, Gate* gate, const std::stop_token& stop) {
    const std::size_t ended = task.ended.size();
    Result<> stepped = inEnvironments(task, gate, stop, [&] {
        Result<> result = task.group->step(task.ended, times);
        if (!result) task.ended.resize(ended);
        return result;
    });
    for (std::string& text : task.group->takeNotices()) notice(nameOf(group) + ": " + text);
    if (stepped) return {};
    return restart(group, task, std::move(stepped).error().withContext("stepping " + nameOf(group)), times,
                   gate, stop);
}

// Retries until the environments start, or actor.restarts is used up. Without an `error`, the first attempt
// is part of restoring a saved state and does not count.
Result<> ActorCrew::restart(int group, Task& task, std::optional<Error> error, ThreadTimes& times, Gate* gate,
                            const std::stop_token& stop) {
    while (true) {
        int attempt = 0;
        if (error) {
            if (error->code == ErrorCode::interrupted) return tl::unexpected<Error>(std::move(*error));
            attempt = restarts_.fetch_add(1, std::memory_order_relaxed) + 1;
            if (attempt > options_.restarts || stop.stop_requested()) {
                if (options_.restarts > 0)
                    error->message +=
                        "; environments were restarted " + std::to_string(attempt - 1) + " times before";
                return tl::unexpected<Error>(std::move(*error));
            }
        }
        Result<> restarted = inEnvironments(task, gate, stop, [&] { return task.group->restart(); });
        times.lap(Phase::env);
        if (restarted) {
            if (error)
                notice(nameOf(group) + " failed and was restarted (" + std::to_string(attempt) + " of " +
                       std::to_string(options_.restarts) + "): " + error->text());
            return {};
        }
        error = std::move(restarted).error().withContext("restarting " + nameOf(group));
    }
}

Phase ActorCrew::waitPhase() const {
    for (const CentralInference* device : devices_)
        if (device->pending() > 0) return Phase::wait_inference;
    return idle() > 0 ? Phase::wait_room : Phase::wait;
}

Result<> ActorCrew::work(const std::stop_token& stop, ThreadTimes& times, Gate* gate, bool until_idle) {
    times.begin();
    while (!stop.stop_requested() && !aborted_.load(std::memory_order_acquire)) {
        if (gate != nullptr && gate->closed()) {
            gate->pass(stop);
            times.lap(Phase::wait);
        }
        const std::uint32_t seen = word_.sequence();
        if (const std::optional<int> group = take()) {
            SEEDBED_ASSIGN(const bool go_on, process(*group, times, gate, stop));
            if (until_idle && idle() == static_cast<int>(count_)) word_.notify();
            if (!go_on) return {};
            continue;
        }
        if (until_idle && idle() == static_cast<int>(count_)) break;
        if (gate != nullptr && gate->closed()) continue;
        const Phase phase = waitPhase();
        word_.wait(seen, stop, kNoDeadline);
        times.lap(phase);
    }
    return {};
}

void ActorCrew::abort() {
    aborted_.store(true, std::memory_order_release);
    word_.notify();
}

// --- watching
// --------------------------------------------------------------------------------------------------------

int ActorCrew::watch() {
    if (options_.stall_ns <= 0) return 0;
    const std::int64_t now = clock_.monotonicNs();
    int found = 0;
    for (std::size_t g = 0; g < count_; ++g) {
        Task& task = tasks_[g];
        const std::int64_t since = task.busy_since.load(std::memory_order_acquire);
        if (since == 0 || now - since < options_.stall_ns || task.lost.load(std::memory_order_relaxed) ||
            task.group->isSupervised())
            continue;
        lost_count_.fetch_add(1, std::memory_order_acq_rel);
        task.lost.store(true, std::memory_order_seq_cst);
        // The step may have ended in the meantime. In that case, either its thread has read the flag and will
        // exit, or this function clears the flag.
        if (task.busy_since.load(std::memory_order_seq_cst) != since &&
            task.lost.exchange(false, std::memory_order_seq_cst)) {
            lost_count_.fetch_sub(1, std::memory_order_acq_rel);
            continue;
        }
        ++found;
        if (task.device != nullptr) task.device->markStalled(task.device_index);
        notice(nameOf(static_cast<int>(g)) + " has not returned from its environments for " +
               formatNumber(static_cast<double>(options_.stall_ns) * 1e-9) +
               " s; the other groups continue without it");
    }
    return found;
}

std::string ActorCrew::nameOf(int group) const {
    const int first = options_.first_env.empty() ? 0 : options_.first_env[static_cast<std::size_t>(group)];
    const int envs = tasks_[static_cast<std::size_t>(group)].group->envs();
    return "group " + std::to_string(group) + " (environments " + std::to_string(first) + " to " +
           std::to_string(first + envs - 1) + ")";
}

void ActorCrew::notice(std::string text) {
    log::warning(text);
    const MutexLock lock(notices_mutex_);
    notices_.push_back(std::move(text));
}

std::vector<std::string> ActorCrew::takeNotices() {
    const MutexLock lock(notices_mutex_);
    return std::exchange(notices_, {});
}

void ActorCrew::archive(Archive& archive) {
    int restarts = restarts_.load(std::memory_order_relaxed);
    archive.field("restarts", restarts, range(0, kMostRestarts));
    restarts_.store(restarts, std::memory_order_relaxed);
    for (std::size_t g = 0; g < count_; ++g) {
        archive.any(tasks_[g].next_window);
        archiveEpisodes(archive, tasks_[g].ended, tasks_[g].group->ring().columns());
    }
}

void ActorCrew::archiveAt(Archive& archive, const std::vector<std::uint64_t>& begins) const {
    int restarts = restarts_.load(std::memory_order_relaxed);
    archive.field("restarts", restarts, range(0, kMostRestarts));
    std::vector<EpisodeEnd> ended;
    for (const std::uint64_t begin : begins) {
        std::uint64_t next_window = begin + static_cast<std::uint64_t>(options_.window_rows);
        archive.any(next_window);
        archiveEpisodes(archive, ended, 0);
    }
}

}  // namespace seedbed
