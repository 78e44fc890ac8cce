// SPDX-License-Identifier: Apache-2.0
// Facts about a run that are recorded when it starts or resumes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/run/progress/run_notices.hpp"
#include "core/run/training_state.hpp"

namespace seedbed {

// The choices stored in the run's row: engine, groups, threads and inference, each with its reason; and the
// file of the environment.
Json autoSettings(const TrainingState& state, const std::string& preset);

// "'/folder/my_env.py' has changed"
std::string changedFileText(const TrainingState& state);

// Facts to record in the events of a resume.
struct ResumeFacts {
    std::int64_t step = 0;
    Json made_by;                      // exactnessFacts() of the process that saved the checkpoint
    std::vector<std::string> damaged;  // newer checkpoints that could not be used
    bool windows_missing = false;
    Json changes;           // settings changed by this resume
    Json since_checkpoint;  // settings that differ from those in the checkpoint
};

void recordResume(const ResumeFacts& facts, const TrainingState& state, RunNotices& notices);

}  // namespace seedbed
