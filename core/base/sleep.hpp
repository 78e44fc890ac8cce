// SPDX-License-Identifier: Apache-2.0
// The monotonic clock and an interruptible sleep.
#pragma once

#include <stop_token>

namespace seedbed {

// Seconds of the monotonic clock; the origin is arbitrary. Thread: any.
double secondsNow();

// Sleeps for `seconds` of the monotonic clock. Returns early when a stop is requested. Thread: any.
void sleepFor(double seconds, const std::stop_token& stop);

}  // namespace seedbed
