// SPDX-License-Identifier: Apache-2.0
#include "core/run/checkpoint_replays.hpp"

#include <utility>

namespace seedbed {

void CheckpointReplays::replace(const EvaluationRequest& request, EvaluationResult& result,
                                const Json& source) {
    files_.clear();
    for (const Replay& replay : bestMedianWorst(request, result, source))
        files_.push_back({replayFileName(replay.source.value("kind", "")), encodeReplay(replay)});
    result.tracks.clear();
}

void CheckpointReplays::moveFrom(CheckpointData& data) {
    files_.clear();
    for (CheckpointFile& file : data.files)
        if (isReplayFileName(file.name)) files_.push_back(std::move(file));
}

void CheckpointReplays::addTo(CheckpointData& data) const {
    data.files.insert(data.files.end(), files_.begin(), files_.end());
}

}  // namespace seedbed
