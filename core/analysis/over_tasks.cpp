// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/over_tasks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/analysis/statistics.hpp"
#include "core/base/rng.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kThresholds = 101;

using Scores = std::vector<std::vector<double>>;  // [task][run]

double meanOf(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

// All numbers of a method for one (re)sample of its runs.
struct Numbers {
    double iqm = 0, mean = 0, median = 0, gap = 0, improvement = 0;
    std::vector<double> profile;
};

double medianOf(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// P(a > b) + P(a = b) / 2 of sorted runs.
double probabilityAbove(const std::vector<double>& a, const std::vector<double>& b) {
    double wins = 0;
    for (const double x : a) {
        const auto [first, last] = std::equal_range(b.begin(), b.end(), x);
        wins += static_cast<double>(first - b.begin()) + static_cast<double>(last - first) / 2;
    }
    return wins / (static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

// Sorts the runs of each task.
Numbers numbersOf(Scores& scores, const Scores& first, const std::vector<double>& thresholds) {
    Numbers numbers;
    numbers.profile.resize(thresholds.size());
    std::vector<double> all, means;
    const double tasks = static_cast<double>(scores.size());
    double gaps = 0;
    for (std::size_t task = 0; task < scores.size(); ++task) {
        std::vector<double>& runs = scores[task];
        std::sort(runs.begin(), runs.end());
        all.insert(all.end(), runs.begin(), runs.end());
        means.push_back(meanOf(runs));
        for (const double score : runs) gaps += std::max(0.0, 1 - score);
        numbers.improvement += probabilityAbove(runs, first[task]) / tasks;
        for (std::size_t i = 0; i < thresholds.size(); ++i) {
            const auto above = runs.end() - std::upper_bound(runs.begin(), runs.end(), thresholds[i]);
            numbers.profile[i] += static_cast<double>(above) / static_cast<double>(runs.size()) / tasks;
        }
    }
    numbers.iqm = interquartileMean(all);
    numbers.mean = meanOf(means);
    numbers.median = medianOf(std::move(means));
    numbers.gap = gaps / static_cast<double>(all.size());
    return numbers;
}

Scores resampled(const Scores& scores, Rng& rng) {
    Scores drawn = scores;
    for (std::size_t task = 0; task < scores.size(); ++task)
        for (double& score : drawn[task])
            score = scores[task][rng.below(static_cast<std::uint32_t>(scores[task].size()))];
    return drawn;
}

Estimate estimate(double value, std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    const auto at = [&](double share) {
        return samples[static_cast<std::size_t>(
            std::lround(share * static_cast<double>(samples.size() - 1)))];
    };
    return {value, at(0.025), at(0.975)};
}

template <class Get>
Estimate estimate(const Numbers& numbers, const std::vector<Numbers>& samples, Get get) {
    std::vector<double> values;
    values.reserve(samples.size());
    for (const Numbers& sample : samples) values.push_back(get(sample));
    return estimate(get(numbers), std::move(values));
}

}  // namespace

Result<OverTasks> compareOverTasks(const std::vector<NormalisedScore>& scores, int resamples) {
    if (scores.empty()) return fail(ErrorCode::usage, "there are no scores to compare");
    OverTasks over;
    std::map<std::pair<std::string, std::string>, std::vector<double>> runs;
    double highest = 1;
    const auto add = [](std::vector<std::string>& names, const std::string& name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    };
    std::vector<std::string> methods;
    for (const NormalisedScore& score : scores) {
        add(over.tasks, score.task);
        add(methods, score.method);
        runs[{score.method, score.task}].push_back(score.score);
        highest = std::max(highest, score.score);
    }
    for (const std::string& method : methods)
        for (const std::string& task : over.tasks)
            if (!runs.contains({method, task}))
                return fail(ErrorCode::usage, "'" + method + "' has no run of '" + task +
                                                  "'; methods are compared on tasks that all of them have");
    for (std::size_t i = 0; i < kThresholds; ++i)
        over.thresholds.push_back(highest * static_cast<double>(i) / (kThresholds - 1));
    const auto scoresOf = [&](const std::string& method) {
        Scores of;
        for (const std::string& task : over.tasks) of.push_back(runs[{method, task}]);
        return of;
    };
    Scores first = scoresOf(methods.front());
    for (std::vector<double>& task : first) std::sort(task.begin(), task.end());
    for (std::size_t m = 0; m < methods.size(); ++m) {
        Scores mine = scoresOf(methods[m]);
        // Resamples of the first method are independent of those of the compared one.
        Rng rng(0, RngPurpose::analysis, static_cast<std::uint32_t>(m) + 1), other(0, RngPurpose::analysis);
        std::vector<Numbers> samples;
        for (int i = 0; i < resamples; ++i) {
            Scores drawn = resampled(mine, rng), against = resampled(first, other);
            for (std::vector<double>& task : against) std::sort(task.begin(), task.end());
            samples.push_back(numbersOf(drawn, against, over.thresholds));
        }
        const Numbers numbers = numbersOf(mine, first, over.thresholds);
        MethodScores method;
        method.method = methods[m];
        method.fewest = mine.front().size();
        for (const std::vector<double>& task : mine) {
            method.runs += task.size();
            method.fewest = std::min(method.fewest, task.size());
        }
        method.iqm = estimate(numbers, samples, [](const Numbers& n) { return n.iqm; });
        method.mean = estimate(numbers, samples, [](const Numbers& n) { return n.mean; });
        method.median = estimate(numbers, samples, [](const Numbers& n) { return n.median; });
        method.optimality_gap = estimate(numbers, samples, [](const Numbers& n) { return n.gap; });
        method.improvement = estimate(numbers, samples, [](const Numbers& n) { return n.improvement; });
        if (m == 0) method.improvement = {0.5, 0.5, 0.5};
        for (std::size_t i = 0; i < over.thresholds.size(); ++i)
            method.profile.push_back(
                estimate(numbers, samples, [i](const Numbers& n) { return n.profile[i]; }));
        over.methods.push_back(std::move(method));
    }
    return over;
}

}  // namespace seedbed
