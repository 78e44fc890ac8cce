// SPDX-License-Identifier: Apache-2.0
// The current activity of a run, for progress lines and the status stream.
#pragma once

#include <cstdint>

namespace seedbed {

enum class RunPhase : std::uint8_t {
    starting,
    training,    // collecting and learning at the same time, or alternating quickly
    collecting,  // collecting experience for the next update
    learning,    // computing an update
    evaluating,
    saving,   // training waits until a checkpoint is on disk
    waiting,  // training waits until rows, or the last state, can be saved
    paused,
    stopping,
    ended,
};

// The phase at the beginning of an update, after one that took `update_s`: collecting if experience and
// learning alternate and take long enough to be visible, otherwise training.
RunPhase phaseOfUpdate(double update_s, bool alternating);

// The name of the enumerator.
const char* nameOf(RunPhase phase);

}  // namespace seedbed
