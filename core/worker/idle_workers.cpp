// SPDX-License-Identifier: Apache-2.0
#include "core/worker/idle_workers.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "core/base/mutex.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kMostIdle = 8;

struct Idle {
    std::string key;
    std::unique_ptr<WorkerProcess> worker;
};

Mutex& mutex() {
    static Mutex instance;
    return instance;
}

std::deque<Idle>& idleWorkers() {
    static std::deque<Idle> workers;
    return workers;
}

std::string keyOf(const WorkerPlan& plan) {
    return Json{plan.command, plan.environment, plan.network, plan.id,      plan.version, plan.kwargs,
                plan.wrap,    plan.count,       plan.first,   plan.start_s, plan.step_s}
        .dump();
}

}  // namespace

void keepIdleWorker(const WorkerPlan& plan, std::unique_ptr<WorkerProcess> worker) {
    std::unique_ptr<WorkerProcess> oldest;  // ended after the mutex is released
    const MutexLock lock(mutex());
    idleWorkers().push_back({keyOf(plan), std::move(worker)});
    if (idleWorkers().size() <= kMostIdle) return;
    oldest = std::move(idleWorkers().front().worker);
    idleWorkers().pop_front();
}

std::unique_ptr<WorkerProcess> takeIdleWorker(const WorkerPlan& plan) {
    const std::string key = keyOf(plan);
    std::unique_ptr<WorkerProcess> found;
    {
        const MutexLock lock(mutex());
        std::deque<Idle>& workers = idleWorkers();
        const auto idle = std::find_if(workers.begin(), workers.end(),
                                       [&](const Idle& candidate) { return candidate.key == key; });
        if (idle == workers.end()) return nullptr;
        found = std::move(idle->worker);
        workers.erase(idle);
    }
    return found->isRunning() ? std::move(found) : nullptr;
}

}  // namespace seedbed
