// SPDX-License-Identifier: Apache-2.0
// Golden traces: replays transitions recorded from an original environment and finds the first difference.
// The format of traces and the tolerances are in trace_check.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "core/env/env.hpp"

namespace seedbed {

struct TraceDifference {
    std::size_t line = 0;       // line number, from 1
    std::string field;          // path in the line: "s2.ball_x", "o[2]", "r", "term"
    std::string expected, got;  // as JSON
    std::string text() const;   // "line 3: s2.ball_x is 4, expected 5"
};

struct TraceReport {
    std::size_t transitions = 0;  // number of transitions that were compared and equal
    std::size_t drawn = 0;        // number of compared transitions that used random numbers
    std::optional<TraceDifference> difference;

    // error: parity if a difference was found.
    Result<> verdict() const;
};

// Replays a trace on `batch`, which has one environment without wrappers. error: failure if the file cannot
// be read or is not a trace; parity if the environment rejects a state or action.
Result<TraceReport> checkTrace(LocalBatch& batch, const std::string& path);
// As above, for a registered environment in its default configuration without wrappers. error: also config if
// `id` is unknown.
Result<TraceReport> checkTrace(const std::string& id, const std::string& path);

}  // namespace seedbed
