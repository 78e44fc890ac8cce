// SPDX-License-Identifier: Apache-2.0
// The replays that go with every checkpoint: best, median and worst episode of the newest evaluation.
#pragma once

#include <vector>

#include "core/checkpoint/checkpoint.hpp"
#include "core/session/evaluation.hpp"

namespace seedbed {

class CheckpointReplays {
public:
    // Takes them out of a recorded evaluation, in place of those before. `source` as in bestMedianWorst().
    void keep(const EvaluationRequest& request, EvaluationResult& result, const Json& source);
    // Those of a checkpoint the run goes back to.
    void takeFrom(CheckpointData& data);
    void addTo(CheckpointData& data) const;

private:
    std::vector<CheckpointFile> files_;
};

}  // namespace seedbed
