// SPDX-License-Identifier: Apache-2.0
// Lets tests make one call of Vulkan fail.
#pragma once

#include <atomic>

namespace seedbed::gpu {

// The call after `after` further calls returns `result`, a VkResult, and does not happen.
struct Fault {
    int after = 0;
    int result = 0;
};

void setFault(const Fault& fault);
// Returns whether the fault occurred.
bool clearFault();

namespace fault_detail {
extern std::atomic<bool> armed;
int next();
}  // namespace fault_detail

// The result that the current call must return, 0 for none. Thread: any.
inline int injectedFault() {
    return fault_detail::armed.load(std::memory_order_relaxed) ? fault_detail::next() : 0;
}

}  // namespace seedbed::gpu
