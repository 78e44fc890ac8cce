// SPDX-License-Identifier: Apache-2.0
// The replays in every checkpoint: best, median and worst episode of the latest evaluation.
#pragma once

#include <vector>

#include "core/checkpoint/checkpoint.hpp"
#include "core/session/evaluation.hpp"

namespace seedbed {

class CheckpointReplays {
public:
    // Replaces the replays with those of a recorded evaluation, whose tracks are cleared. `source`: as in
    // bestMedianWorst().
    void replace(const EvaluationRequest& request, EvaluationResult& result, const Json& source);
    // Replaces the replays with those of a checkpoint, which are moved out of it.
    void moveFrom(CheckpointData& data);
    void addTo(CheckpointData& data) const;

private:
    std::vector<CheckpointFile> files_;
};

}  // namespace seedbed
