// SPDX-License-Identifier: GPL-3.0-or-later
// Compares runs: groups them by configuration, ignoring the seed, and computes statistics, differences
// between settings, and values for the scatter plot. Runs on worker threads.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/analysis/comparison.hpp"
#include "core/analysis/importance.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::ui {

// The stored data of one run.
struct ComparedRun {
    RunRecord record;
    Json config;                          // configOverTime()
    Json group_config;                    // groupConfig()
    Json begun_with;                      // its initial settings
    std::string preset;                   // empty: none
    std::optional<RunScore> score;        // unset before the first episode
    std::vector<std::string> metrics;     // names, sorted
    std::vector<SegmentRecord> segments;  // more than one if the run was resumed
    bool has_goal = false;                // its environment has a goal, and it was evaluated
    std::optional<std::int64_t> solved;   // step of the first evaluation that reached the goal
};

// The stored data of the selected runs.
struct ComparedRuns {
    std::vector<ComparedRun> runs;
    std::vector<std::int64_t>
        common_steps;  // for runs of different lengths: per task, the last step that all runs have reached
    bool aligned = false;  // whether scores were taken at common_steps
};

struct ComparedGroup {
    QString key;    // hash of the configuration; does not depend on the other runs
    QString label;  // the settings that distinguish it from other groups
    std::vector<RunId> runs;
    std::vector<RunId> drawn;                   // runs, excluding those that repeat a seed
    Json config;                                // without the seed and settings that cannot change the result
    Json whole_config;                          // complete configuration of the first run
    std::string preset, name;                   // of the first run
    std::optional<RunGroup> statistics;         // statistics over the runs that have a score
    std::optional<GroupDifference> difference;  // difference from the baseline; unset for the baseline
    bool baseline = false;
};

struct CompareData {
    std::vector<ComparedRun> runs;
    std::vector<ComparedGroup> groups;
    QStringList metrics;                     // metrics that at least one run has
    int unscored = 0;                        // number of runs without any episode
    bool some_training = false;              // whether at least one score is a mean over training episodes
    std::vector<std::int64_t> common_steps;  // as in ComparedRuns
    bool aligned = false;
    Importance importance;  // of the settings, over the runs that have a score
};

// goals: mean returns to reach, by environment. error: from the store. Deleted runs are omitted.
Result<ComparedRuns> readCompared(StoreReader& reader, const std::vector<RunId>& runs,
                                  ScoreAt at = ScoreAt::common_step,
                                  const std::map<std::string, double>& goals = {});
// baseline: key of a group; "" or an unknown key selects the first group. Thread: any.
CompareData compareRead(ComparedRuns read, const QString& baseline);
// "50,000"; for several tasks "50,000; 2,000,000".
QString stepsText(const std::vector<std::int64_t>& steps);

// Settings and their values, one column per group. `all`: also settings with equal values.
struct DifferenceTable {
    QStringList fields;
    std::vector<QStringList> values;  // [field][group]
};
DifferenceTable differenceTable(const std::vector<ComparedGroup>& groups, bool all);

// Dotted names of all settings that at least one run has.
QStringList configFields(const std::vector<ComparedRun>& runs);
// The value of a setting as displayed; "" if the run does not have it.
QString configText(const Json& config, const QString& field);
std::optional<double> configNumber(const Json& config, const QString& field);

// Number of seeds to add to reach a verdict: enough for five runs, or to detect the difference. 0 to 20.
int seedsToAdd(const ComparedGroup& group, const ComparedGroup& baseline);
// The smallest seeds that the group has not used.
QStringList nextSeeds(const CompareData& data, const ComparedGroup& group, int count);

// The comparison as CSV and as a Markdown table for files, with exact numbers.
QString compareCsv(const CompareData& data);
QString compareMarkdown(const CompareData& data);
// For papers, as seedbed compare --format latex, with short names of the groups.
QString compareLatex(const CompareData& data);

}  // namespace seedbed::ui
