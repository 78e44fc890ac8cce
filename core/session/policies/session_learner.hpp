// SPDX-License-Identifier: Apache-2.0
// Creates the learner of a session, with the networks of all its policies.
#pragma once

#include <memory>
#include <vector>

#include "core/learn/learner.hpp"

namespace seedbed {

struct SessionPlan;

struct SessionLearner {
    std::unique_ptr<Learner> learner;
    std::vector<std::shared_ptr<EngineNet>> engines;  // of all networks; the first one acts
};
// `collective`: connects the ranks; null: the only one. error: from the engine.
Result<SessionLearner> makeLearner(const SessionPlan& plan, const ActionDistribution& distribution,
                                   std::shared_ptr<Collective> collective);

}  // namespace seedbed
