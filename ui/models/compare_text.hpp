// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of a comparison. All views of the comparison use them, so that a number looks the same everywhere.
#pragma once

#include <vector>

#include <QString>
#include <QStringList>

#include "ui/models/compare_data.hpp"

namespace seedbed::ui {

// "0.008"; "<0.001" for smaller values, with a no-break space.
QString pValueText(double p);
// The score of a group as in the statistics; a dash without scores.
QString scoreText(const ComparedGroup& group);
// How the score of a group is computed from those of its runs.
QString scoreHelp(const ComparedGroup& group);
// "baseline" or "+133"; "" if the group cannot be compared with the baseline.
QString differenceText(const ComparedGroup& group);
// When the runs of a group reached the goal: "Solved at 20.2k steps" (the median), "Solved by 3 of 5",
// "Not solved yet"; ""
// without a goal or evaluations.
QString goalText(const CompareData& data, const ComparedGroup& group);
// "cartpole · 5 seeds"; for a single run its name instead of the number, if it has one.
QString runsText(const CompareData& data, const ComparedGroup& group);

struct SeedRequest {
    QString group;  // key
    int count = 0;  // of additional seeds
    bool operator==(const SeedRequest&) const = default;
};

// The result of a comparison in words. With more than two groups: of the best one against the baseline.
struct ComparisonVerdict {
    enum class Kind : std::uint8_t {
        none,        // no scores yet, or no groups that can be compared
        single,      // only one group
        too_few,     // too few seeds
        undecided,   // enough seeds, but no significant difference
        different,   // a significant difference
        other_tasks  // returns of different tasks
    } kind = Kind::none;
    QString group{};                 // key of the judged group; "" if none is
    QString sentence;                // with %1 and %2 for `names`
    QStringList names;               // labels of groups, which may be long
    QString details;                 // numbers
    std::vector<SeedRequest> seeds;  // seeds that may lead to a verdict
};
ComparisonVerdict verdictOf(const CompareData& data);

}  // namespace seedbed::ui
