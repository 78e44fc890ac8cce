// SPDX-License-Identifier: GPL-3.0-or-later
// Runs side by side as the window compares them: grouped by configuration except the seed, with statistics
// where they have scores, what their settings differ in, and values for a scatter plot. Computed on worker
// threads from values that were read.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/analysis/comparison.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::ui {

// What was read of a run.
struct ComparedRun {
    RunRecord record;
    Json config;
    std::optional<RunScore> score;        // none before its first episode
    std::vector<std::string> metrics;     // names, sorted
    std::vector<SegmentRecord> segments;  // more than one: it was resumed
};

// What was read of the chosen ones.
struct ComparedRuns {
    std::vector<ComparedRun> runs;
    std::vector<std::int64_t>
        common_steps;      // where they are not equally far: the last step that all of a task have reached
    bool aligned = false;  // the scores were taken there
};

struct ComparedGroup {
    QString key;    // the configuration; the same whatever else is compared
    QString label;  // in what it differs from the others
    std::vector<RunId> runs;
    std::vector<RunId> drawn;                   // without those that repeat a seed
    Json config;                                // without the seed and what cannot change the result
    Json whole_config;                          // of its first run
    std::optional<RunGroup> statistics;         // of its runs that have a score
    std::optional<GroupDifference> difference;  // to the baseline; none for the baseline itself
    bool baseline = false;
};

struct CompareData {
    std::vector<ComparedRun> runs;
    std::vector<ComparedGroup> groups;
    QStringList metrics;                     // that any of the runs has
    int unscored = 0;                        // runs without any episode
    bool some_training = false;              // a score is a mean of training episodes
    std::vector<std::int64_t> common_steps;  // as in ComparedRuns
    bool aligned = false;
};

// error: the store's. Runs that are gone are left out.
Result<ComparedRuns> readCompared(StoreReader& reader, const std::vector<RunId>& runs,
                                  ScoreAt at = ScoreAt::common_step);
// baseline: key of a group; "" or unknown is the first one. Thread: any.
CompareData compareRead(ComparedRuns read, const QString& baseline);
// "50,000"; of several tasks "50,000; 2,000,000".
QString stepsText(const std::vector<std::int64_t>& steps);

// Fields and their values, one column per group. `all`: also those in which they agree.
struct DifferenceTable {
    QStringList fields;
    std::vector<QStringList> values;  // [field][group]
};
DifferenceTable differenceTable(const std::vector<ComparedGroup>& groups, bool all);

// Dotted names of all settings that any of the runs has.
QStringList configFields(const std::vector<ComparedRun>& runs);
// A setting of a run as it is shown; "" when it has none.
QString configText(const Json& config, const QString& field);
std::optional<double> configNumber(const Json& config, const QString& field);

// How many seeds to add so that the verdict can become one: to come to five, or what the difference needs; 0
// for none. At most 20.
int seedsToAdd(const ComparedGroup& group, const ComparedGroup& baseline);
// The next seeds that the group has not used, for "queue more seeds".
QStringList nextSeeds(const CompareData& data, const ComparedGroup& group, int count);

// Tables for files, numbers exact.
QString compareCsv(const CompareData& data);
QString compareMarkdown(const CompareData& data);

}  // namespace seedbed::ui
