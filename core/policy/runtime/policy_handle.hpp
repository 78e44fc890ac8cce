// SPDX-License-Identifier: Apache-2.0
// The type behind the handle seedbed_policy of the C API. Internal to the libraries that export the API.
#pragma once

#include <memory>
#include <string>

#include "core/nn/acting_head.hpp"
#include "core/nn/engine.hpp"
#include "core/policy/bundle.hpp"
#include "core/policy/runtime/seedbed_policy.h"

// Immutable.
struct seedbed_policy {
    seedbed::PolicyBundle bundle;
    seedbed::NetPlan plan;  // only the part that selects actions
    std::unique_ptr<seedbed::EngineNet> net;
    seedbed::ActionDistribution distribution;
    std::string sha256;
    bool wants_previous_action = false, wants_reward = false;
};

namespace seedbed {

// error: the network of the bundle cannot act.
Result<std::unique_ptr<seedbed_policy>> policyHandle(PolicyBundle bundle);

}  // namespace seedbed
