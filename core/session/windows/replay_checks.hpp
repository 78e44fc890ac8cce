// SPDX-License-Identifier: Apache-2.0
// Whether the settings of a run fit its replay.
#pragma once

#include "core/session/session.hpp"

namespace seedbed {

// error: config; names the settings.
Result<> checkReplay(const SessionPlan& plan);

}  // namespace seedbed
