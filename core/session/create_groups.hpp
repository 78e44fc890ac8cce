// SPDX-License-Identifier: Apache-2.0
// Creates the groups of a session without waiting for environments that do not return.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/session/group.hpp"

namespace seedbed {

struct RemoteOptions {
    std::string address;           // at which actors connect
    double stall_s = 10;           // an exchange that takes longer fails
    std::string form = "actions";  // ActorSettings::fleet_form
    int max_lag = 20;              // LearnerSettings::max_policy_lag, for form=auto
};

// Environments of a session that run on other machines: the seam to core/fleet.
class RemoteEnvs {
public:
    virtual ~RemoteEnvs() = default;
    // Listens for actors, and sets GroupSpec::make of all groups. A group waits until an actor has connected.
    // Earlier groups are closed. Unless the form is `actions`, the specs have a network. error: the address
    // cannot be used, or this build has no fleets.
    virtual Result<> provide(std::vector<GroupSpec>& specs, const RemoteOptions& options) = 0;
    // The largest size in bytes of what this object stores for these groups; they need no network, only its
    // plan `net`.
    virtual std::size_t bytes(const std::vector<GroupSpec>& specs, const NetPlan& net,
                              const std::string& form) const = 0;
    // Ends all waits of the groups, with the error interrupted. Thread: any.
    virtual void close() = 0;
};

// `net`: the network of all specs. Environments are created and reset on another thread, which is abandoned
// if they hang. The groups keep `stop`, which ends their pauses; see Exchange::stop. error: stalled, if a
// group takes longer than six times `stall_s` (> 0); interrupted; others as for ActorGroup::create.
Result<std::vector<std::unique_ptr<ActorGroup>>> createGroups(std::vector<GroupSpec> specs,
                                                              std::shared_ptr<EngineNet> net, double stall_s,
                                                              const std::stop_token& stop);

}  // namespace seedbed
