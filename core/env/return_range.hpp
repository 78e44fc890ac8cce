// SPDX-License-Identifier: Apache-2.0
// The range of returns that an environment can give.
#pragma once

#include <optional>
#include <utility>

#include "core/base/json.hpp"

namespace seedbed {

// Bounds of the raw return of an episode, from the declared range of rewards and the time limit of the
// environment `env`, the section of a run's configuration. nullopt if either is missing, or for an unknown
// environment.
std::optional<std::pair<double, double>> returnRange(const Json& env);

}  // namespace seedbed
