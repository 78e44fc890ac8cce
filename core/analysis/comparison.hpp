// SPDX-License-Identifier: Apache-2.0
// Runs side by side: grouped by configuration, with intervals, differences to a baseline and a verdict in
// words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/localizable_text.hpp"

namespace seedbed {

// What of a run counts in a comparison.
struct RunScore {
    std::int64_t id = 0;
    std::string name;
    Json config;             // the whole RunConfig
    double score = 0;        // finite
    bool evaluated = false;  // mean of its newest evaluation; else of its last training episodes
    std::int64_t steps = 0;  // at which the score was taken; 0: not known
    bool running = false;    // the run is not at its end
};

// At which steps scores are compared.
enum class ScoreAt : std::uint8_t {
    common_step,  // the greatest that all runs of a task have reached, where they are not equally far; the
                  // fair choice
    last_step,    // the newest score of each run, however far it is
};

// For each run the greatest step that all runs of its task (sameTask) have reached: the least
// RunScore::steps, where they are not equally far; else 0. Runs whose steps are not known take no part.
std::vector<std::int64_t> commonSteps(const std::vector<RunScore>& runs);
// The greatest step at which a score may be taken to stand for `step`: 5 % beyond, as schedules of
// evaluations seldom meet exactly.
std::int64_t latestStepFor(std::int64_t step);

// Seeds per side below which only an exact test may decide.
inline constexpr std::size_t kMinSeeds = 5;

// Runs whose configurations are equal except for the seed and what cannot change the result or how it is
// measured.
struct RunGroup {
    std::string
        label;  // the fields in which it differs from the other groups, or the environment and algorithm
    std::vector<std::int64_t> runs;  // that count: of each seed the newest
    std::vector<std::int64_t>
        repeated;                 // that do not: a newer one has the same seed, and would say the same again
    std::vector<double> scores;   // of runs
    double mean = 0, centre = 0;  // centre: interquartile mean for four runs or more, else mean
    // 95 % interval of centre over runs: the percentile bootstrap, stretched for few runs as Student's t is
    // beside the normal distribution (Hesterberg, "What Teachers Should Know About the Bootstrap", 2015).
    // Equal to centre for one run.
    double ci_low = 0, ci_high = 0;
    double min = 0, max = 0;
    std::int64_t first_steps = 0,
                 last_steps = 0;  // range of RunScore::steps; 0 when it is not known of every run
    std::string note;  // what to mind: repeated seeds, runs that go on or went less far; else empty
    std::vector<LocalizableText> notes;  // the same one by one
};

// A group against the baseline.
struct GroupDifference {
    // Of the centres, with an interval like RunGroup's over the runs of both: not-a-number when a side has
    // one run. All of them are not-a-number for other_task.
    double difference = 0, ci_low = 0, ci_high = 0;
    double
        improvement = 0,
        improvement_low = 0,
        improvement_high =
            0;  // P(a run of the group scores higher), ties half (Agarwal et al. 2021); percentile bootstrap
    // Permutation test of the difference, two-sided; exact up to 20,000 splits, else 20,000 random ones. Of
    // each group by itself: nothing is corrected for how many groups there are.
    double p_value = 1;
    // better and worse: p_value is at most 5 % and the interval leaves out 0. other_task: returns of
    // different environments (or ways of playing) are different quantities.
    enum class Verdict : std::uint8_t {
        better,
        worse,
        undecided,
        too_few,
        other_task
    } verdict = Verdict::too_few;
    std::optional<int> more_seeds;      // undecided: about how many more seeds each side would need for this
                                        // difference; none beyond 100
    std::string text;                   // one plain sentence
    std::vector<LocalizableText> said;  // its parts; "; " is between them
};

struct Comparison {
    std::vector<RunGroup> groups;  // in order of their first run; the first one is the baseline unless told
    std::vector<GroupDifference>
        differences;  // one per group; the baseline's own is all zero with an empty text
    std::size_t baseline = 0;
};

// A field in which configurations differ.
struct ConfigDifference {
    std::string field;         // algo.learning_rate
    std::vector<Json> values;  // one per configuration; null where it lacks the field
};

// Fields that differ, in the order of the first configuration, those only others have last.
std::vector<ConfigDifference> configDifferences(const std::vector<Json>& configs);
// The configuration without the seed and what can change neither the result nor how it is measured: threads,
// cadence of evaluations and checkpoints, what happens when something stalls. What has a say in it stays: how
// long the run is planned to be, greedy or sampled evaluation, device and engine.
Json withoutSeed(const Json& config);
// Whether returns of runs with these configurations are the same quantity: environment, its parameters, what
// its wrappers do to the game, and how evaluations play.
bool sameTask(const Json& a, const Json& b);

// baseline: id of a run in the wanted group; 0 is the first. Scores that are not finite are the caller's to
// leave out. Thread: any.
Comparison compareRuns(const std::vector<RunScore>& runs, std::int64_t baseline = 0, int resamples = 2000);

}  // namespace seedbed
