// SPDX-License-Identifier: Apache-2.0
// The range of possible returns in an environment.
#pragma once

#include <optional>
#include <utility>

#include "core/base/json.hpp"

namespace seedbed {

// Bounds of the raw return of an episode, from the declared range of rewards and the time limit of the
// environment. `env` is the section `env` of a run's configuration. nullopt if the range or the limit is
// missing, or the environment is unknown.
std::optional<std::pair<double, double>> returnRange(const Json& env);

}  // namespace seedbed
