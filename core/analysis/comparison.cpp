// SPDX-License-Identifier: Apache-2.0
// Groups, intervals, differences to the baseline, and what they mean in words.
#include "core/analysis/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/analysis/aggregate.hpp"
#include "core/analysis/statistics.hpp"
#include "core/base/rng.hpp"

namespace seedbed {
namespace {

// Below this many runs on a side, a bootstrap over runs says too little to decide anything.
constexpr std::size_t kFewestRuns = 3;
constexpr int kMostSeeds = 100;

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

// Share of pairs in which a run of `a` scores higher than one of `b`, ties half: the Mann-Whitney statistic over its maximum.
double probabilityHigher(const std::vector<double>& a, const std::vector<double>& b) {
    double wins = 0;
    for (const double x : a)
        for (const double y : b) wins += x > y ? 1 : x == y ? 0.5 : 0;
    return wins / static_cast<double>(a.size() * b.size());
}

void describeScores(RunGroup& group, int resamples) {
    std::vector<double> sorted = group.scores;
    group.centre = centreOf(sorted);
    group.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
    const auto [low, high] = std::minmax_element(sorted.begin(), sorted.end());
    group.min = *low, group.max = *high;
    std::sort(sorted.begin(), sorted.end());
    Rng rng(0, RngPurpose::analysis);
    std::vector<double> drawn, centres;
    for (int i = 0; i < resamples; ++i) {
        resample(sorted, rng, drawn);
        centres.push_back(centreOf(drawn));
    }
    const Interval interval = interval95(centres);
    group.ci_low = interval.low, group.ci_high = interval.high;
}

// Seeds per side with which a difference of this size would be found with 80 % power at the 5 % level (two-sided normal approximation):
// n = (1.960 + 0.842)^2 (s_a^2 + s_b^2) / d^2.
double seedsNeeded(const RunGroup& a, const RunGroup& b, double difference) {
    const double sa = summarise(a.scores).std, sb = summarise(b.scores).std;
    return difference == 0 ? INFINITY : (1.960 + 0.842) * (1.960 + 0.842) * (sa * sa + sb * sb) / (difference * difference);
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

void judge(const RunGroup& group, const RunGroup& baseline, GroupDifference& d) {
    using Verdict = GroupDifference::Verdict;
    const std::size_t fewest = std::min(group.scores.size(), baseline.scores.size());
    const std::string size = number(std::abs(d.difference)) + " [" + number(d.ci_low) + ", " + number(d.ci_high) + "]";
    if (fewest < kFewestRuns) {
        d.verdict = Verdict::too_few;
        d.text = "too few seeds to tell: " + std::to_string(group.scores.size()) + " against " + std::to_string(baseline.scores.size()) +
                 ", at least " + std::to_string(kFewestRuns) + " each are needed";
        return;
    }
    if (d.ci_low > 0 || d.ci_high < 0) {
        d.verdict = d.ci_low > 0 ? Verdict::better : Verdict::worse;
        d.text = std::string(d.ci_low > 0 ? "better" : "worse") + " by " + size;
        return;
    }
    d.verdict = Verdict::undecided;
    const double needed = std::ceil(seedsNeeded(group, baseline, d.difference)) - static_cast<double>(fewest);
    if (needed <= kMostSeeds) {
        d.more_seeds = std::max(1, static_cast<int>(needed));
        d.text = "not yet distinguishable; about " + std::to_string(*d.more_seeds) + (*d.more_seeds == 1 ? " more seed" : " more seeds");
    } else {
        d.text = "not distinguishable; if there is a difference of this size, more than " + std::to_string(kMostSeeds) +
                 " more seeds would be needed to show it";
    }
}

GroupDifference differenceOf(const RunGroup& group, const RunGroup& baseline, int resamples) {
    GroupDifference d;
    d.difference = group.centre - baseline.centre;
    d.improvement = probabilityHigher(group.scores, baseline.scores);
    std::vector<double> a = group.scores, b = baseline.scores, drawn_a, drawn_b, differences, improvements;
    std::sort(a.begin(), a.end()), std::sort(b.begin(), b.end());
    Rng rng(1, RngPurpose::analysis);
    for (int i = 0; i < resamples; ++i) {
        resample(a, rng, drawn_a), resample(b, rng, drawn_b);
        improvements.push_back(probabilityHigher(drawn_a, drawn_b));
        differences.push_back(centreOf(drawn_a) - centreOf(drawn_b));
    }
    const Interval of_difference = interval95(differences), of_improvement = interval95(improvements);
    d.ci_low = of_difference.low, d.ci_high = of_difference.high;
    d.improvement_low = of_improvement.low, d.improvement_high = of_improvement.high;
    judge(group, baseline, d);
    return d;
}

std::string valueText(const Json& value) { return value.is_string() ? value.get<std::string>() : value.is_null() ? "-" : value.dump(); }

// Names groups by what tells them apart.
void label(std::vector<RunGroup>& groups, const std::vector<Json>& configs) {
    const std::vector<ConfigDifference> differences = configDifferences(configs);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        std::string& text = groups[g].label;
        for (const ConfigDifference& difference : differences)
            text += (text.empty() ? "" : ", ") + difference.field + "=" + valueText(difference.values[g]);
        if (text.empty()) text = configs[g].value("/env/id"_json_pointer, "?") + " " + configs[g].value("/algo/id"_json_pointer, "?");
    }
}

}  // namespace

Comparison compareRuns(const std::vector<RunScore>& runs, std::int64_t baseline, int resamples) {
    Comparison result;
    std::vector<Json> configs;
    for (const RunScore& run : runs) {
        const Json config = withoutSeed(run.config);
        const auto at = std::find(configs.begin(), configs.end(), config);
        const auto index = static_cast<std::size_t>(at - configs.begin());
        if (at == configs.end()) configs.push_back(config), result.groups.emplace_back();
        result.groups[index].runs.push_back(run.id), result.groups[index].scores.push_back(run.score);
        if (run.id == baseline) result.baseline = index;
    }
    if (result.groups.empty()) return result;
    label(result.groups, configs);
    for (RunGroup& group : result.groups) describeScores(group, resamples);
    for (std::size_t g = 0; g < result.groups.size(); ++g)
        result.differences.push_back(g == result.baseline ? GroupDifference{}
                                                          : differenceOf(result.groups[g], result.groups[result.baseline], resamples));
    return result;
}

}  // namespace seedbed
