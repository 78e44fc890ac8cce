// SPDX-License-Identifier: Apache-2.0
#include "gpu/vulkan/faults.hpp"

#include "core/base/mutex.hpp"

namespace seedbed::gpu {

namespace fault_detail {

std::atomic<bool> armed{false};

namespace {

struct State {
    Mutex mutex;
    Fault fault SEEDBED_GUARDED_BY(mutex);
    bool occurred SEEDBED_GUARDED_BY(mutex) = false;
};

State& state() {
    static State state;
    return state;
}

}  // namespace

int next(const char* call) {
    State& s = state();
    Fault fault;
    {
        const MutexLock lock(s.mutex);
        if (s.occurred || (!s.fault.call.empty() && s.fault.call != call)) return 0;
        if (s.fault.after > 0) {
            --s.fault.after;
            return 0;
        }
        s.occurred = true;
        fault = s.fault;
    }
    if (fault.instead) fault.instead();
    return fault.result;
}

}  // namespace fault_detail

void setFault(const Fault& fault) {
    fault_detail::State& s = fault_detail::state();
    const MutexLock lock(s.mutex);
    s.fault = fault;
    s.occurred = false;
    fault_detail::armed = true;
}

bool clearFault() {
    fault_detail::State& s = fault_detail::state();
    const MutexLock lock(s.mutex);
    fault_detail::armed = false;
    return s.occurred;
}

}  // namespace seedbed::gpu
