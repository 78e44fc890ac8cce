// SPDX-License-Identifier: Apache-2.0
// Checks of networks and their gradients.
#pragma once

#include <string>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/learn/learner.hpp"

namespace seedbed {

// Checks that the compiled networks are those that the algorithm declares, and sets their declarations.
// error: config.
Result<> checkLearnerNets(const Algorithm& algorithm, std::vector<LearnerNet>& nets);

// Checks sizes and shards. error: config.
Result<> checkLearnerOptions(const LearnerOptions& options);

// An exception becomes an error, so that other ranks learn of it.
template <class Call>
Result<> guarded(const Call& call) try {
    return call();
} catch (...) {
    return tl::unexpected<Error>(currentException());
}

// The name of the first parameter of a network with a gradient that is not finite.
std::string nonFiniteEntry(const NetPlan& plan, const std::vector<float>& gradient);

}  // namespace seedbed
