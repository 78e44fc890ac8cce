// SPDX-License-Identifier: Apache-2.0
// The system's clocks.
#include "core/base/os/clock.hpp"

#include <ctime>

#include "core/base/sleep.hpp"

namespace seedbed {

namespace {

std::int64_t read(clockid_t clock) {
    std::timespec time{};
    clock_gettime(clock, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

std::int64_t RealClock::monotonicNs() const { return read(CLOCK_MONOTONIC); }
std::int64_t RealClock::bootNs() const { return read(CLOCK_BOOTTIME); }
std::int64_t RealClock::wallNs() const { return read(CLOCK_REALTIME); }
void RealClock::sleep(double seconds, const std::stop_token& stop) const { sleepFor(seconds, stop); }

}  // namespace seedbed
