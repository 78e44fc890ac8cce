// SPDX-License-Identifier: Apache-2.0
// Lets tests make one call of Vulkan fail.
#pragma once

#include <atomic>
#include <functional>
#include <string>

namespace seedbed::gpu {

// The call after `after` further calls returns `result`, a VkResult, and does not happen.
struct Fault {
    int after = 0;
    int result = 0;
    std::string call{};               // counts only calls of this function ("vkWaitForFences"); empty: all
    std::function<void()> instead{};  // if set, runs in place of the call; it may use Vulkan
};

void setFault(const Fault& fault);
// Returns whether the fault occurred.
bool clearFault();

namespace fault_detail {
extern std::atomic<bool> armed;
int next(const char* call);
}  // namespace fault_detail

// The result that a call of the function `call` must return, 0 for none. Thread: any.
inline int injectedFault(const char* call) {
    return fault_detail::armed.load(std::memory_order_relaxed) ? fault_detail::next(call) : 0;
}

}  // namespace seedbed::gpu
