// SPDX-License-Identifier: Apache-2.0
// The configuration of a trainer: defaults of the algorithm and for host programs, then the host's document
// and settings. Of a document for an algorithm that the settings replace, only the task remains
// (taskSettings()).
#pragma once

#include "core/embed/trainer.hpp"
#include "core/session/settings.hpp"

namespace seedbed {

// error: config, also for settings that a host program cannot use.
Result<TrainingConfig> trainerConfig(const TrainerRequest& request);

}  // namespace seedbed
