// SPDX-License-Identifier: Apache-2.0
// Small texts and records about a run: what was chosen for it, what changed, why it failed.
#pragma once

#include <string>

#include "core/policy/bundle.hpp"
#include "core/session/session.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// The parts of two networks that are not the same: "spaces, hidden".
std::string differentParts(const NetSpec& left, const NetSpec& right);
// {key: [before, after]} as people read it.
std::string changesText(const Json& changes);
// What was measured and chosen on this machine, as a run records it.
Json autoSettings(const SessionPlan& plan, const std::string& preset);

// What a checkpoint of a run says about where it comes from; without an evaluation.
Provenance provenanceOf(const TrainingConfig& config, RunId run, std::int64_t steps, std::int64_t updates);

}  // namespace seedbed
