// SPDX-License-Identifier: Apache-2.0
// A spec for small environments that tests register.
#pragma once

#include <string>

#include "core/env/env.hpp"

namespace seedbed::test {

// One observation `leaf` and two actions.
inline EnvSpec smallSpec(const std::string& id, const ObsLeaf& leaf) {
    EnvSpec spec;
    spec.id = id;
    spec.title = id;
    spec.sentence = "An environment of a test.";
    spec.upstream = "a test";
    spec.spaces.obs = {leaf};
    spec.spaces.actions = {ActionLeaf{.n = 2}};
    return spec;
}

}  // namespace seedbed::test
