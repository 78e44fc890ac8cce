// SPDX-License-Identifier: Apache-2.0
// The monotonic clock and an interruptible sleep.
#pragma once

#include <stop_token>

namespace seedbed {

// Seconds of the monotonic clock, with an arbitrary origin. Thread: any.
double secondsNow();

// Sleeps for `seconds`, or until a stop is requested. Thread: any.
void sleepFor(double seconds, const std::stop_token& stop);

}  // namespace seedbed
