// SPDX-License-Identifier: Apache-2.0
// The environment that a policy was trained in, when this program has it: the one way from a bundle, which
// may come from anywhere, to play.
#pragma once

#include "core/env/env_registry.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed {

struct BundleEnv {
    const EnvEntry* entry = nullptr;
    Json params;   // complete
    EnvSpec spec;  // its spaces fit the bundle's; labels may have been reworded since
};

// error: config, as a sentence: no such environment here, settings that it does not have, or other
// observations or actions.
Result<BundleEnv> environmentOf(const PolicyBundle& bundle);

}  // namespace seedbed
