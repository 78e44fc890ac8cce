// SPDX-License-Identifier: Apache-2.0
#include "core/base/rest.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace seedbed {

void restFor(double seconds, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, std::chrono::duration<double>(seconds), [] { return false; });
}

}  // namespace seedbed
