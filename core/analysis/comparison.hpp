// SPDX-License-Identifier: Apache-2.0
// Runs side by side: grouped by configuration, with intervals, differences to a baseline and a verdict in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed {

// What of a run counts in a comparison.
struct RunScore {
    std::int64_t id = 0;
    std::string name;
    Json config;             // the whole RunConfig
    double score = 0;        // finite
    bool evaluated = false;  // mean of its newest evaluation; else of its last training episodes
};

// Runs whose configurations are equal except for the seed and what cannot change the result (threads, budget).
struct RunGroup {
    std::string label;  // the fields in which it differs from the other groups, or the environment and algorithm
    std::vector<std::int64_t> runs;
    std::vector<double> scores;
    double mean = 0, centre = 0;     // centre: interquartile mean for four runs or more, else mean
    double ci_low = 0, ci_high = 0;  // 95 % bootstrap interval of centre over runs; equal to centre for one run
    double min = 0, max = 0;
};

// A group against the baseline.
struct GroupDifference {
    double difference = 0, ci_low = 0, ci_high = 0;  // of the centres, 95 % bootstrap over the runs of both
    double improvement = 0, improvement_low = 0,
           improvement_high = 0;  // P(a run of the group scores higher), ties half (Agarwal et al. 2021)
    enum class Verdict : std::uint8_t { better, worse, undecided, too_few } verdict = Verdict::too_few;
    std::optional<int> more_seeds;  // undecided: about how many more seeds each side would need for this difference; none beyond 100
    std::string text;               // one plain sentence
};

struct Comparison {
    std::vector<RunGroup> groups;              // in order of their first run; the first one is the baseline unless told
    std::vector<GroupDifference> differences;  // one per group; the baseline's own is all zero with an empty text
    std::size_t baseline = 0;
};

// A field in which configurations differ.
struct ConfigDifference {
    std::string field;         // algo.learning_rate
    std::vector<Json> values;  // one per configuration; null where it lacks the field
};

// Fields that differ, in the order of the first configuration, those only others have last.
std::vector<ConfigDifference> configDifferences(const std::vector<Json>& configs);
// The configuration without what makes no difference to the result: seed, budget, threads, evaluation and checkpoint cadence.
Json withoutSeed(const Json& config);

// baseline: id of a run in the wanted group; 0 is the first. Scores that are not finite are the caller's to leave out. Thread: any.
Comparison compareRuns(const std::vector<RunScore>& runs, std::int64_t baseline = 0, int resamples = 2000);

}  // namespace seedbed
