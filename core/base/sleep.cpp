// SPDX-License-Identifier: Apache-2.0
#include "core/base/sleep.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace seedbed {

double secondsNow() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void sleepFor(double seconds, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, std::chrono::duration<double>(seconds), [] { return false; });
}

}  // namespace seedbed
