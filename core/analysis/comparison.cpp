// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include "core/analysis/aggregate.hpp"
#include "core/analysis/config_difference.hpp"
#include "core/analysis/group_names.hpp"
#include "core/analysis/permutation_test.hpp"
#include "core/analysis/statistics.hpp"
#include "core/base/rng.hpp"

namespace seedbed {
namespace {

constexpr int kMaxMoreSeeds = 100;
constexpr double kLevel = 0.05;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Scores count as taken at the same step if their steps differ by at most this fraction.
constexpr double kStepTolerance = 0.1;

struct Interval {
    double low = 0, high = 0;
};

Interval interval95(std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    const auto quantile = [&](double q) {
        const double at = q * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
    };
    return {quantile(0.025), quantile(0.975)};
}

void resample(const std::vector<double>& from, Rng& rng, std::vector<double>& to) {
    to.resize(from.size());
    for (double& value : to) value = from[rng.below(static_cast<std::uint32_t>(from.size()))];
}

// Share of pairs in which a run of `a` scores higher than a run of `b`, counting ties as half: the
// Mann-Whitney statistic divided by its maximum.
double probabilityHigher(const std::vector<double>& a, const std::vector<double>& b) {
    double wins = 0;
    for (const double x : a)
        for (const double y : b) wins += x > y ? 1 : x == y ? 0.5 : 0;
    return wins / static_cast<double>(a.size() * b.size());
}

// Factors by which an interval over n runs is wider than the percentile bootstrap: the variance of resamples
// of n values is (n - 1) / n times the variance of samples, and the spread is an estimate with `degrees` of
// freedom.
double resampleDeviation(std::size_t n) {
    return n < 2 ? 1 : std::sqrt(static_cast<double>(n) / static_cast<double>(n - 1));
}
double widening(double degrees) { return studentQuantile975(degrees) / 1.959964; }

Interval stretched(const Interval& interval, double centre, double factor) {
    return {centre + factor * (interval.low - centre), centre + factor * (interval.high - centre)};
}

using Range = std::optional<std::pair<double, double>>;

void describeScores(RunGroup& group, const Range& range, int resamples) {
    std::vector<double> sorted = group.scores;
    group.centre = centreOf(sorted);
    group.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
    const auto [low, high] = std::minmax_element(sorted.begin(), sorted.end());
    group.min = *low;
    group.max = *high;
    std::sort(sorted.begin(), sorted.end());
    Rng rng(0, RngPurpose::analysis);
    std::vector<double> drawn, centres;
    for (int i = 0; i < resamples; ++i) {
        resample(sorted, rng, drawn);
        centres.push_back(centreOf(drawn));
    }
    const std::size_t n = sorted.size();
    group.widening = n < 2 ? 1 : resampleDeviation(n) * widening(static_cast<double>(n - 1));
    if (n < kMinIntervalSeeds) {
        group.ci_low = group.ci_high = kNan;
        return;
    }
    const Interval interval = stretched(interval95(centres), group.centre, group.widening);
    group.ci_low = range ? std::max(interval.low, range->first) : interval.low;
    group.ci_high = range ? std::min(interval.high, range->second) : interval.high;
}

// Seeds per side needed to detect a difference of this size with 80 % power at the 5 % level (two-sided
// normal approximation): n = (1.960 + 0.842)^2 (s_a^2 + s_b^2) / d^2.
double seedsNeeded(const RunGroup& a, const RunGroup& b, double difference) {
    const double sa = summarise(a.scores).std;
    const double sb = summarise(b.scores).std;
    return difference == 0
               ? INFINITY
               : (1.960 + 0.842) * (1.960 + 0.842) * (sa * sa + sb * sb) / (difference * difference);
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string listOf(const std::vector<std::int64_t>& runs) {
    std::string text;
    for (std::size_t i = 0; i < runs.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(runs[i]);
    return text;
}

void addNotes(RunGroup& group, const std::vector<const RunScore*>& counted) {
    std::vector<LocalizableText>& notes = group.notes;
    if (!group.repeated.empty())
        notes.push_back(
            {group.repeated.size() == 1
                 ? SEEDBED_TEXT(
                       "Not counted, as a newer run with the same settings has the same seed: run %1.")
                 : SEEDBED_TEXT(
                       "Not counted, as a newer run with the same settings has the same seed: runs %1."),
             {listOf(group.repeated)}});
    std::vector<std::int64_t> running;
    bool known = true;
    for (const RunScore* run : counted) {
        if (run->running) running.push_back(run->id);
        known = known && run->steps > 0;
        group.first_steps = group.first_steps == 0 ? run->steps : std::min(group.first_steps, run->steps);
        group.last_steps = std::max(group.last_steps, run->steps);
    }
    if (!known) group.first_steps = group.last_steps = 0;
    if (static_cast<double>(group.first_steps) < (1 - kStepTolerance) * static_cast<double>(group.last_steps))
        notes.push_back(
            {SEEDBED_TEXT(
                 "Its runs have trained for different numbers of steps: scores from step %1 to step %2."),
             {std::to_string(group.first_steps), std::to_string(group.last_steps)}});
    if (!running.empty())
        notes.push_back({running.size() == 1 ? SEEDBED_TEXT("Still running: run %1.")
                                             : SEEDBED_TEXT("Still running: runs %1."),
                         {listOf(running)}});
    group.note = joinedText(notes, " ");
}

void setVerdict(const RunGroup& group, const RunGroup& baseline, GroupDifference& d) {
    using Verdict = GroupDifference::Verdict;
    const std::size_t fewest = std::min(group.scores.size(), baseline.scores.size());
    if (d.p_value <= kLevel && d.ci_low > 0) {
        d.verdict = Verdict::better;
        d.parts = {{SEEDBED_TEXT("better by %1 [%2, %3]"),
                    {number(d.difference), number(d.ci_low), number(d.ci_high)}}};
    } else if (d.p_value <= kLevel && d.ci_high < 0) {
        d.verdict = Verdict::worse;
        d.parts = {{SEEDBED_TEXT("worse by %1 [%2, %3]"),
                    {number(-d.difference), number(-d.ci_high), number(-d.ci_low)}}};
    } else if (fewest < kMinSeeds) {
        d.verdict = Verdict::too_few;
        const bool possible = leastPValue(group.scores.size(), baseline.scores.size()) <= kLevel;
        d.parts = {{possible
                        ? SEEDBED_TEXT("too few seeds to tell: %1 against %2 show only large differences; "
                                       "use at least %3 each")
                        : SEEDBED_TEXT("too few seeds to tell: %1 against %2 cannot show a difference; "
                                       "use at least %3 each"),
                    {std::to_string(group.scores.size()), std::to_string(baseline.scores.size()),
                     std::to_string(kMinSeeds)}}};
    } else {
        d.verdict = Verdict::undecided;
        const double needed =
            std::ceil(seedsNeeded(group, baseline, d.difference)) - static_cast<double>(fewest);
        if (needed <= kMaxMoreSeeds) {
            d.more_seeds = std::max(1, static_cast<int>(needed));
            d.parts = {{*d.more_seeds == 1 ? SEEDBED_TEXT("not yet distinguishable; about %1 more seed")
                                           : SEEDBED_TEXT("not yet distinguishable; about %1 more seeds"),
                        {std::to_string(*d.more_seeds)}}};
        } else {
            d.parts = {{SEEDBED_TEXT("not distinguishable; more than %1 additional seeds would be needed to "
                                     "detect a difference of this size"),
                        {std::to_string(kMaxMoreSeeds)}}};
        }
    }
    const std::int64_t first = std::min(group.first_steps, baseline.first_steps),
                       last = std::max(group.last_steps, baseline.last_steps);
    if (first > 0 && static_cast<double>(first) < (1 - kStepTolerance) * static_cast<double>(last))
        d.parts.push_back({SEEDBED_TEXT("different numbers of steps: scores from step %1 to step %2"),
                           {std::to_string(first), std::to_string(last)}});
    d.text = joinedText(d.parts, "; ");
}

// The probability that a run of `a` would score higher if all scores of `a` were higher by `shift`.
double probabilityAt(std::vector<double> a, const std::vector<double>& b, double shift) {
    for (double& score : a) score += shift;
    return probabilityHigher(a, b);
}

GroupDifference differenceOf(const RunGroup& group, const RunGroup& baseline) {
    GroupDifference d;
    d.difference = group.centre - baseline.centre;
    d.improvement = probabilityHigher(group.scores, baseline.scores);
    d.p_value = permutationTest(group.scores, baseline.scores);
    d.ci_low = d.ci_high = d.improvement_low = d.improvement_high = kNan;
    if (const auto interval = permutationInterval(group.scores, baseline.scores, kLevel)) {
        std::tie(d.ci_low, d.ci_high) = *interval;
        d.improvement_low = probabilityAt(group.scores, baseline.scores, d.ci_low - d.difference);
        d.improvement_high = probabilityAt(group.scores, baseline.scores, d.ci_high - d.difference);
        // Ranks and interquartile means can disagree about the sign of a small difference; the test decides.
        if (d.ci_low > 0) d.improvement_low = std::max(d.improvement_low, 0.5);
        else d.improvement_low = std::min(d.improvement_low, 0.5);
        if (d.ci_high < 0) d.improvement_high = std::min(d.improvement_high, 0.5);
        else d.improvement_high = std::max(d.improvement_high, 0.5);
    }
    setVerdict(group, baseline, d);
    return d;
}

GroupDifference otherTask() {
    GroupDifference d;
    d.difference = d.ci_low = d.ci_high = d.improvement = d.improvement_low = d.improvement_high = d.p_value =
        kNan;
    d.verdict = GroupDifference::Verdict::other_task;
    d.parts = {{SEEDBED_TEXT("a different task from the baseline's: returns of different environments, or of "
                             "greedy and sampled episodes, are not compared"),
                {}}};
    d.text = joinedText(d.parts, "; ");
    return d;
}

}  // namespace

std::vector<std::int64_t> commonSteps(const std::vector<RunScore>& runs) {
    std::vector<std::int64_t> steps(runs.size(), 0);
    std::vector<bool> done(runs.size(), false);
    for (std::size_t first = 0; first < runs.size(); ++first) {
        if (done[first]) continue;
        std::vector<std::size_t> task;
        std::int64_t least = 0;
        std::int64_t most = 0;
        for (std::size_t i = first; i < runs.size(); ++i) {
            if (done[i] || !sameTask(runs[first].config, runs[i].config)) continue;
            done[i] = true;
            if (runs[i].steps <= 0) continue;
            task.push_back(i);
            least = least == 0 ? runs[i].steps : std::min(least, runs[i].steps);
            most = std::max(most, runs[i].steps);
        }
        if (static_cast<double>(least) >= (1 - kStepTolerance) * static_cast<double>(most)) continue;
        for (const std::size_t i : task) steps[i] = least;
    }
    return steps;
}

std::int64_t latestStepFor(std::int64_t step) { return step + step / 20; }

namespace {

std::string seedOf(const RunScore& run) {
    const auto seed = "/run/seed"_json_pointer;
    return run.config.contains(seed) ? run.config.at(seed).dump() : "run " + std::to_string(run.id);
}

// Scores of one kind: greedy evaluations, sampled ones, or training episodes.
bool sameKind(const RunScore& a, const RunScore& b) {
    return a.evaluated == b.evaluated && (!a.evaluated || a.greedy == b.greedy);
}

RunGroup groupOf(const std::vector<const RunScore*>& members, int resamples) {
    RunGroup group;
    // Repeating a seed gives no information about other seeds, so only the newest run of each seed is used.
    std::map<std::string, std::int64_t> newest;
    for (const RunScore* run : members) newest[seedOf(*run)] = std::max(newest[seedOf(*run)], run->id);
    std::vector<const RunScore*> counted;
    for (const RunScore* run : members) {
        if (newest[seedOf(*run)] != run->id) {
            group.repeated.push_back(run->id);
            continue;
        }
        group.runs.push_back(run->id);
        group.scores.push_back(run->score);
        counted.push_back(run);
    }
    addNotes(group, counted);
    describeScores(group, members.front()->range, resamples);
    return group;
}

}  // namespace

Comparison compareRuns(const std::vector<RunScore>& runs, std::int64_t baseline, int resamples) {
    Comparison result;
    std::vector<Json> configs;
    std::vector<std::vector<const RunScore*>> members;
    for (const RunScore& run : runs) {
        const Json config = withoutSeed(run.config);
        const auto at = std::find(configs.begin(), configs.end(), config);
        const auto index = static_cast<std::size_t>(at - configs.begin());
        if (at == configs.end()) {
            configs.push_back(config);
            members.emplace_back();
        }
        members[index].push_back(&run);
        if (run.id == baseline) result.baseline = index;
    }
    if (members.empty()) return result;
    for (const auto& of_group : members) result.groups.push_back(groupOf(of_group, resamples));
    const std::vector<std::string> names = groupNames(configs, FieldNames::whole);
    for (std::size_t g = 0; g < names.size(); ++g) result.groups[g].label = names[g];
    for (std::size_t g = 0; g < result.groups.size(); ++g) {
        const RunGroup& base = result.groups[result.baseline];
        result.differences.push_back(g == result.baseline ? GroupDifference{}
                                     : sameTask(configs[g], configs[result.baseline]) &&
                                             sameKind(*members[g].front(), *members[result.baseline].front())
                                         ? differenceOf(result.groups[g], base)
                                         : otherTask());
    }
    return result;
}

}  // namespace seedbed
