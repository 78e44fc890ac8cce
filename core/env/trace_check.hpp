// SPDX-License-Identifier: Apache-2.0
// Golden traces: replays transitions recorded from an original environment against one of ours and finds the
// first difference.
//
// A trace is JSON lines, gzipped or plain. Each line is one of
//   {"s": state, "a": action, "s2": state, "r": reward, "term": bool, ...}   a transition, with its
//   observation as
//        "o": [...]                    the first vector leaf, or
//        "obs_on": [[y, x, channel]]   the elements of the first image leaf that are not 0, or
//        "image": [x][y][channel]      the first image leaf; "dir": the discrete leaf `direction`
//   {"k": .., "obs": [...], "act": [...], "rew": [...], "term": [...]}       an episode; obs has one element
//   more than the others, and is the
//        first discrete leaf. The environment gets the state {"k", "obs", "t": 0} and must play the same
//        episode.
// States go through setState() and state(); every field of the original's must be there. Integers and
// booleans are compared exactly, rewards and observations (f32 here) within 1e-6 relative, real state
// variables within 1e-9, or 1e-6 where the original keeps them as float32 (all of s2 is representable in it).
// Relative to the expected value or to 0.001, whichever is larger. Time limits are off: "trunc" is not
// compared. Where our step drew random numbers, s2 must be an outcome that we can draw too: see
// EnvBatch::adoptOutcome.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "core/env/env.hpp"

namespace seedbed {

struct TraceDifference {
    std::size_t line = 0;       // from 1
    std::string field;          // path in the line: "s2.ball_x", "o[2]", "r", "term"
    std::string expected, got;  // as JSON
    std::string text() const;   // "line 3: s2.ball_x is 4, expected 5"
};

struct TraceReport {
    std::size_t transitions = 0;  // compared without a difference
    std::size_t drawn = 0;        // of these, our environment drew random numbers
    std::optional<TraceDifference> difference;

    // error: parity, when there is a difference.
    Result<> verdict() const;
};

// `batch` has one environment, without wrappers. error: the file cannot be read or is no trace (failure);
// parity when the environment refuses a state or action of the trace.
Result<TraceReport> checkTrace(EnvBatch& batch, const std::string& path);
// For a registered environment, in its default configuration with all wrappers off. error: config when `id`
// is not known; as above.
Result<TraceReport> checkTrace(const std::string& id, const std::string& path);

}  // namespace seedbed
