// SPDX-License-Identifier: Apache-2.0
// A pause that a stop request ends.
#pragma once

#include <stop_token>

namespace seedbed {

// Returns after so many seconds of the kernel's monotonic clock, or at once when a stop is (or was)
// requested. Thread: any.
void restFor(double seconds, const std::stop_token& stop);

}  // namespace seedbed
