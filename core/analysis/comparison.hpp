// SPDX-License-Identifier: Apache-2.0
// Compares runs: groups by configuration, with intervals, differences from a baseline and a verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/localizable_text.hpp"

namespace seedbed {

// A run in a comparison.
struct RunScore {
    std::int64_t id = 0;
    std::string name;
    Json config;             // the whole RunConfig, or groupConfig()
    double score = 0;        // finite
    bool evaluated = false;  // the mean of its latest evaluation; otherwise of its last training episodes
    bool greedy = true;      // whether the evaluation was greedy
    std::optional<std::pair<double, double>> range{};  // range of returns in its environment, if known
    std::int64_t steps = 0;                            // steps at which the score was taken; 0 if unknown
    bool running = false;                              // queued or in progress
};

// The steps at which scores are compared.
enum class ScoreAt : std::uint8_t {
    common_step,  // the largest step that all runs of a task have reached, if their numbers of steps differ
    last_step,    // the latest score of each run
};

// For each run the largest step that all runs of its task (sameTask) have reached, which is the smallest
// RunScore::steps; 0 if they have about the same number of steps. Ignores runs with unknown steps.
std::vector<std::int64_t> commonSteps(const std::vector<RunScore>& runs);
// The largest step whose score may be used for `step`: 5 % above `step`, because evaluation schedules of
// different runs rarely match exactly.
std::int64_t latestStepFor(std::int64_t step);

// With fewer seeds per side, only the exact test decides.
inline constexpr std::size_t kMinSeeds = 5;
// With fewer seeds, the spread between seeds cannot be estimated reliably.
inline constexpr std::size_t kMinIntervalSeeds = 3;

// Runs whose configurations are equal except for the seed and other settings that withoutSeed() removes.
struct RunGroup {
    std::string label;               // the fields that differ between groups, or environment and algorithm
    std::vector<std::int64_t> runs;  // compared: the newest run of each seed
    std::vector<std::int64_t> repeated;  // ignored, because a newer run has the same seed
    std::vector<double> scores;          // scores of `runs`
    double mean = 0;
    double centre = 0;  // interquartile mean for four runs or more, otherwise the mean
    // 95 % interval of centre over runs: the percentile bootstrap, widened by `widening` and limited to
    // RunScore::range. NaN for fewer than kMinIntervalSeeds runs.
    double ci_low = 0, ci_high = 0;
    // sqrt(n / (n - 1)) times the ratio of Student's t to the normal distribution (Hesterberg, "What Teachers
    // Should Know About the Bootstrap", 2015).
    double widening = 1;
    double min = 0, max = 0;
    std::int64_t first_steps = 0, last_steps = 0;  // range of RunScore::steps; 0 if unknown for any run
    std::string note;                              // caveats, or ""
    std::vector<LocalizableText> notes;            // the parts of `note`
};

// A group compared with the baseline.
struct GroupDifference {
    // Difference of the centres, with the interval of the test (permutationInterval()), which excludes 0 if
    // and only if p_value is at most 5 %. The interval is NaN if the sides are too small for that. All
    // numbers are NaN for other_task.
    double difference = 0, ci_low = 0, ci_high = 0;
    // P(a run of the group scores higher), where ties count half (Agarwal et al. 2021), and the values that
    // correspond to ci_low and ci_high: each is above 0.5 if and only if that end of the interval is above 0.
    double improvement = 0, improvement_low = 0, improvement_high = 0;
    // Two-sided permutation test of the difference; exact up to 20,000 splits, otherwise with 20,000 random
    // ones. Not corrected for the number of groups.
    double p_value = 1;
    enum class Verdict : std::uint8_t {
        better,     // p_value is at most 5 %, so the interval excludes 0
        worse,      // same condition as for `better`
        undecided,  // enough seeds, but no significant difference
        too_few,    // fewer than kMinSeeds seeds
        other_task  // returns of different environments or evaluation modes cannot be compared
    } verdict = Verdict::too_few;
    // For `undecided`: about how many more seeds each side would need for this difference; empty above 100.
    std::optional<int> more_seeds;
    std::string text;                    // one sentence
    std::vector<LocalizableText> parts;  // parts of `text`, which joins them with "; "
};

struct Comparison {
    std::vector<RunGroup> groups;              // ordered by their first run
    std::vector<GroupDifference> differences;  // one per group; zeros and an empty text for the baseline
    std::size_t baseline = 0;                  // index of a group
};

// Groups and compares runs. `baseline`: id of any run in the baseline group, 0 for the first group. The
// caller removes scores that are not finite. Thread: any.
Comparison compareRuns(const std::vector<RunScore>& runs, std::int64_t baseline = 0, int resamples = 2000);

}  // namespace seedbed
