// SPDX-License-Identifier: Apache-2.0
// Golden traces: replays transitions recorded from an original environment and finds the first difference.
//
// A trace is JSON lines, gzipped or plain. Each line is a transition with its observation or a whole episode:
//   {"s": state, "a": action, "s2": state, "r": reward, "term": bool, ...} with one of
//       "o": [...]                   the first vector leaf
//       "obs_on": [[y, x, channel]]  the non-zero elements of the first image leaf
//       "image": [x][y][channel]     the first image leaf; "dir": the discrete leaf `direction`
//   {"k": .., "obs": [...], "act": [...], "rew": [...], "term": [...]}
//       "obs" is the first discrete leaf and has one element more than the others. The environment gets the
//       state {"k", "obs", "t": 0} and must play the same episode.
//
// States are set by setState() and compared with state(), which must contain every field of the original.
// Integers and booleans must be equal, rewards and observations (f32) within 1e-6, real state variables
// within 1e-9, or 1e-6 if the original stores float32 (all of s2 is representable in it); relative to the
// expected value or to 0.001, whichever is larger. Time limits are off, so "trunc" is not compared. If a step
// used random numbers, s2 must be a possible outcome: see EnvBatch::adoptOutcome().
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
    std::size_t drawn = 0;        // of these, with random numbers
    std::optional<TraceDifference> difference;

    // error: parity, if there is a difference.
    Result<> verdict() const;
};

// Replays a trace on `batch`, which has one environment without wrappers. error: failure if the file cannot
// be read or is not a trace; parity if the environment rejects a state or action.
Result<TraceReport> checkTrace(EnvBatch& batch, const std::string& path);
// The same for a registered environment in its default configuration without wrappers. error: also config, if
// `id` is unknown.
Result<TraceReport> checkTrace(const std::string& id, const std::string& path);

}  // namespace seedbed
