// SPDX-License-Identifier: Apache-2.0
// Creates the groups of a session without waiting for environments that do not return.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/session/group.hpp"

namespace seedbed {

// `net`: the network of all specs. Environments are created and reset on another thread, which is abandoned
// if they hang. The groups keep `stop`, which ends their pauses; see Exchange::stop. error: stalled, if a
// group takes longer than six times `stall_s` (> 0); interrupted; others as for ActorGroup::create.
Result<std::vector<std::unique_ptr<ActorGroup>>> createGroups(std::vector<GroupSpec> specs,
                                                              std::shared_ptr<EngineNet> net, double stall_s,
                                                              const std::stop_token& stop);

}  // namespace seedbed
