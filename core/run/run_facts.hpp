// SPDX-License-Identifier: Apache-2.0
// Small texts and records about a run: what was chosen for it, what changed, why it failed.
#pragma once

#include <string>

#include "core/base/error.hpp"
#include "core/run/session.hpp"

namespace seedbed {

// The parts of two networks that are not the same: "spaces, hidden".
std::string differentParts(const NetSpec& left, const NetSpec& right);
// Whether a failure is not-a-number or infinity where training needs numbers.
bool isNotANumber(const Error& error);
// {key: [before, after]} as people read it.
std::string changesText(const Json& changes);
// What was measured and chosen on this machine, as a run records it.
Json autoSettings(const SessionPlan& plan, const std::string& preset);

}  // namespace seedbed
