// SPDX-License-Identifier: Apache-2.0
#include "core/worker/idle_workers.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/base/mutex.hpp"
#include "core/base/thread.hpp"

namespace seedbed {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostIdle = 8;
constexpr std::chrono::seconds kKept{5}, kPollInterval{1};  // time for which a worker is kept after the last
                                                            // use, and poll interval

std::string keyOf(const WorkerPlan& plan) {
    return Json{plan.command, plan.environment, plan.network, plan.memory,    plan.id,
                plan.version, plan.kwargs,      plan.wrap,    plan.count,     plan.processes,
                plan.first,   plan.start_s,     plan.step_s,  plan.time_limit}
        .dump();
}

class IdleWorkers {
public:
    static IdleWorkers& instance() {
        static IdleWorkers workers;
        return workers;
    }

    void beginUse(const std::string& id) {
        const MutexLock lock(mutex_);
        ++uses_[id];
    }

    void endUse(const std::string& id) {
        const MutexLock lock(mutex_);
        if (--uses_[id] > 0) return;
        uses_.erase(id);
        for (Idle& idle : workers_)
            if (idle.id == id) idle.unused_since = Clock::now();
    }

    void keep(const WorkerPlan& plan, std::unique_ptr<WorkerProcess> worker) {
        std::unique_ptr<WorkerProcess> oldest;  // declared first, so that it is destroyed after the mutex is
                                                // released
        const MutexLock lock(mutex_);
        if (!std::exchange(has_thread_, true))
            thread_ = NamedThread(
                "idle workers", [this](const std::stop_token& stop) { return endUnused(stop); }, nullptr);
        workers_.push_back({plan.id, keyOf(plan), Clock::now(), std::move(worker)});
        added_.notifyOne();
        if (workers_.size() <= kMostIdle) return;
        oldest = std::move(workers_.front().worker);
        workers_.pop_front();
    }

    std::unique_ptr<WorkerProcess> take(const WorkerPlan& plan) {
        const std::string key = keyOf(plan);
        const MutexLock lock(mutex_);
        const auto idle = std::ranges::find(workers_, key, &Idle::key);
        if (idle == workers_.end()) return nullptr;
        std::unique_ptr<WorkerProcess> found = std::move(idle->worker);
        workers_.erase(idle);
        return found;
    }

private:
    struct Idle {
        std::string id, key;
        Clock::time_point unused_since;
        std::unique_ptr<WorkerProcess> worker;
    };

    Result<> endUnused(const std::stop_token& stop) {
        MutexLock lock(mutex_);
        while (!stop.stop_requested()) {
            std::vector<std::unique_ptr<WorkerProcess>> unused = takeUnused();
            lock.unlock();
            unused.clear();
            lock.lock();
            if (workers_.empty())
                added_.wait(lock, stop, [this]() SEEDBED_REQUIRES(mutex_) { return !workers_.empty(); });
            else added_.waitFor(lock, stop, kPollInterval, [] { return false; });
        }
        return {};
    }

    std::vector<std::unique_ptr<WorkerProcess>> takeUnused() SEEDBED_REQUIRES(mutex_) {
        std::vector<std::unique_ptr<WorkerProcess>> unused;
        const Clock::time_point latest = Clock::now() - kKept;
        for (Idle& idle : workers_)
            if (!uses_.contains(idle.id) && idle.unused_since < latest)
                unused.push_back(std::move(idle.worker));
        std::erase_if(workers_, [](const Idle& idle) { return idle.worker == nullptr; });
        return unused;
    }

    Mutex mutex_;
    StoppableConditionVariable added_;
    std::deque<Idle> workers_ SEEDBED_GUARDED_BY(mutex_);
    std::map<std::string, int> uses_ SEEDBED_GUARDED_BY(mutex_);  // by id
    bool has_thread_ SEEDBED_GUARDED_BY(mutex_) = false;
    NamedThread thread_;  // declared last, so that it stops before the members above are destroyed
};

}  // namespace

IdleWorkerUse::IdleWorkerUse(std::string id) : id_(std::move(id)) { IdleWorkers::instance().beginUse(id_); }
IdleWorkerUse::~IdleWorkerUse() { IdleWorkers::instance().endUse(id_); }

void keepIdleWorker(const WorkerPlan& plan, std::unique_ptr<WorkerProcess> worker) {
    IdleWorkers::instance().keep(plan, std::move(worker));
}

std::unique_ptr<WorkerProcess> takeIdleWorker(const WorkerPlan& plan) {
    std::unique_ptr<WorkerProcess> found = IdleWorkers::instance().take(plan);
    return found != nullptr && found->isRunning() ? std::move(found) : nullptr;
}

}  // namespace seedbed
