// SPDX-License-Identifier: Apache-2.0
// What a run is doing at the moment, in a word: for progress lines and the status stream.
#pragma once

#include <cstdint>

namespace seedbed {

enum class RunPhase : std::uint8_t {
    starting,    // until there is something to save
    training,    // collecting and learning at once, or in turns too short to be told apart
    collecting,  // experience for the next update
    learning,    // an update
    evaluating,
    saving,   // training rests until a checkpoint is on disk
    waiting,  // until rows, or the last state, can be saved again
    paused,
    stopping,
    ended,
};

// How a turn begins, after one that took so long: where collecting goes on beside learning (not `in_turns`),
// or each takes a moment, there is nothing to tell apart.
RunPhase turnOf(double turn_s, bool in_turns);

// As the enumerators are spelt.
const char* nameOf(RunPhase phase);

}  // namespace seedbed
