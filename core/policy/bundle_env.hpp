// SPDX-License-Identifier: Apache-2.0
// Finds the environment that a policy was trained in.
#pragma once

#include "core/env/env_registry.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed {

struct BundleEnv {
    const EnvEntry* entry = nullptr;
    Json params;   // with values for all parameters
    EnvSpec spec;  // its spaces match the bundle's, except that labels may differ
};

// Accepts untrusted bundles. error: config if this program does not have the environment, or has it with
// different settings, observations or actions.
Result<BundleEnv> environmentOf(const PolicyBundle& bundle);

}  // namespace seedbed
