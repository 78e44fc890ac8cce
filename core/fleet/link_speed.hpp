// SPDX-License-Identifier: Apache-2.0
// Measures the connection to an actor, and chooses who chooses its actions.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>

#include "core/base/json.hpp"
#include "core/base/sleep.hpp"
#include "core/fleet/link.hpp"

namespace seedbed {

struct LinkSpeed {
    double round_trip_s = 0;
    double bytes_per_s = 0;
};

// Sends messages to an actor that has no work yet. `now_s`: a monotonic clock. error: stalled: it does not
// answer within `timeout_s`; interrupted; others: the connection is lost.
Result<LinkSpeed> measureLink(Link& link, double timeout_s, const std::stop_token& stop,
                              const std::function<double()>& now_s = secondsNow);
// Lets the actor measure the time that it needs for a row, with the network. error: as for measureLink().
Result<double> measureRow(Link& link, double timeout_s, const std::stop_token& stop);
// The actor's answer to a message of measureLink().
Bytes pongOf(const Json& ping);

// The numbers that decide between the forms.
struct FormCosts {
    LinkSpeed link;
    double row_s = 0;  // of the actor
    std::size_t row_bytes = 0, param_bytes = 0;
    int length = 1, max_lag = 0;  // rows of a window; learner.max_policy_lag
};
// Whether the actor is to choose the actions: a round trip for each row would take more than a tenth of the
// row's time, and parameters arrive before they are half as old as max_lag allows.
bool prefersWindows(const FormCosts& costs);
// "round trip 50 ms, 1.2 MB/s, 1.0 ms per row".
std::string costsText(const FormCosts& costs);

}  // namespace seedbed
