// SPDX-License-Identifier: Apache-2.0
// The configuration of a trainer: defaults for host programs, then the host's document and settings.
#pragma once

#include "core/embed/trainer.hpp"
#include "core/session/settings.hpp"

namespace seedbed {

// error: config, also for settings that a host program cannot use.
Result<TrainingConfig> trainerConfig(const TrainerRequest& request);

}  // namespace seedbed
