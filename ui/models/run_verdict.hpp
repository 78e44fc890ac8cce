// SPDX-License-Identifier: GPL-3.0-or-later
// What came of a run, in a sentence: whether and when it reached the goal of its environment, or why it
// ended.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QString>

#include "core/store/store_reader.hpp"

namespace seedbed::ui {

// The step of the first evaluation with at least this mean return.
std::optional<std::int64_t> solvedAt(const std::vector<EvaluationRecord>& evaluations, double goal);

// The other finished runs of an environment, and how many of them reached its goal later or not at all.
struct OtherRuns {
    int runs = 0, later = 0;
};
// For the newest 200 runs. error: from the store. Thread: any.
Result<OtherRuns> compareSolved(StoreReader& reader, const RunRecord& run, std::int64_t solved, double goal);

struct RunVerdict {
    enum class Kind : std::uint8_t { none, solved, missed, failed, interrupted };

    Kind kind = Kind::none;
    QString text{};                      // "" for none
    std::optional<std::int64_t> step{};  // at which the goal was reached
    bool like_random = false;            // missed, and no evaluation is better than random actions
};

// goal: the mean return to reach, if the environment has one. others: unset until they were compared.
// random: the mean return of random actions, if it is known.
RunVerdict runVerdict(const RunRecord& run, const std::vector<EvaluationRecord>& evaluations,
                      std::optional<double> goal, const std::optional<OtherRuns>& others,
                      std::optional<double> random = {});

}  // namespace seedbed::ui
