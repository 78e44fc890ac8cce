// SPDX-License-Identifier: Apache-2.0
// An actor: steps the environments of a group for a learner on another machine.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "core/fleet/authority.hpp"
#include "core/fleet/link.hpp"

namespace seedbed {

struct ActorOptions {
    ActorCredentials credentials;
    std::string name;        // shown in lists of machines
    double give_up_s = 600;  // ends after this time without a learner
    std::function<void(const std::string&)> message = [](const std::string&) {};
};

// Connects, reconnects with increasing pauses, and returns when the run has finished or on a stop request.
// error: the learner refused this actor, with its reason, or was not found in time.
Result<> runActor(const ActorOptions& options, LinkTransport& transport, const std::stop_token& stop);

}  // namespace seedbed
