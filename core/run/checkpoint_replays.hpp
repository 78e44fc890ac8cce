// SPDX-License-Identifier: Apache-2.0
// The replays in every checkpoint: best, median and worst episode of the latest evaluation.
#pragma once

#include <vector>

#include "core/checkpoint/checkpoint.hpp"
#include "core/session/evaluation.hpp"

namespace seedbed {

class CheckpointReplays {
public:
    // Replaces the replays with the best, median and worst of a recorded evaluation, and clears its tracks.
    // `source`: as in bestMedianWorst().
    void replace(const EvaluationRequest& request, EvaluationResult& result, const Json& source);
    // Moves the replays of a checkpoint into this object, replacing the previous ones.
    void moveFrom(CheckpointData& data);
    void addTo(CheckpointData& data) const;

private:
    std::vector<CheckpointFile> files_;
};

}  // namespace seedbed
