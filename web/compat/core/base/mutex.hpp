// SPDX-License-Identifier: Apache-2.0
// Replaces core/base/mutex.hpp for the WebAssembly module, which has one thread. Waiting for a second thread
// is a bug there.
#pragma once

#include "core/base/error.hpp"

#include <stop_token>

#define SEEDBED_GUARDED_BY(mutex)
#define SEEDBED_PT_GUARDED_BY(mutex)
#define SEEDBED_REQUIRES(...)
#define SEEDBED_EXCLUDES(...)
#define SEEDBED_NO_THREAD_SAFETY_ANALYSIS

namespace seedbed {

class Mutex {};

class MutexLock {
public:
    explicit MutexLock(Mutex&) {}
    ~MutexLock() {}
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;
};

class StoppableConditionVariable {
public:
    void notifyAll() {}
    template <typename Predicate>
    bool wait(MutexLock&, const std::stop_token&, Predicate predicate) {
        const bool holds = predicate();
        SEEDBED_CHECK(holds, "there is no other thread to wait for");
        return holds;
    }
};

}  // namespace seedbed
