// SPDX-License-Identifier: Apache-2.0
// Idle workers, which are kept so that an evaluation can reuse the processes of the previous one.
#pragma once

#include <memory>
#include <string>

#include "core/worker/worker_process.hpp"

namespace seedbed {

// A use of an environment. As long as it exists, idle workers of the environment are kept. Thread: any.
class IdleWorkerUse {
public:
    explicit IdleWorkerUse(std::string id);
    ~IdleWorkerUse();
    IdleWorkerUse(const IdleWorkerUse&) = delete;
    IdleWorkerUse& operator=(const IdleWorkerUse&) = delete;

private:
    std::string id_;
};

// Keeps a worker that is between two exchanges, for takeIdleWorker() with the same plan, until 5 s after the
// last use of its environment. At most 8 are kept; the oldest are terminated. Thread: any.
void keepIdleWorker(const WorkerPlan& plan, std::unique_ptr<WorkerProcess> worker);

// A kept worker that was started with the same plan and is still running, or null. Its environments have
// episodes in progress. Thread: any.
std::unique_ptr<WorkerProcess> takeIdleWorker(const WorkerPlan& plan);

}  // namespace seedbed
