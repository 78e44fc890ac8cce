// SPDX-License-Identifier: Apache-2.0
#include "core/base/sleep.hpp"

#include <chrono>

#include "core/base/mutex.hpp"

namespace seedbed {

double secondsNow() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void sleepFor(double seconds, const std::stop_token& stop) {
    Mutex mutex;
    StoppableConditionVariable never;
    MutexLock lock(mutex);
    never.waitFor(lock, stop, std::chrono::duration<double>(seconds), [] { return false; });
}

}  // namespace seedbed
