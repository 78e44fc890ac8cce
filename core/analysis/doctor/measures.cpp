// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/doctor/measures.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace seedbed::doctor {
namespace {

constexpr double kRandom = 0.1;

Json::json_pointer pointerOf(std::string_view key) {
    std::string pointer = "/" + std::string(key);
    std::replace(pointer.begin() + 1, pointer.end(), '.', '/');
    return Json::json_pointer(pointer);
}

// Whether the latest training returns exceed those from the middle of the run by more than the noise.
bool isImproving(const std::vector<double>& returns) {
    if (returns.size() < 2 * kMinPoints) return false;
    const auto [low, high] = std::minmax_element(returns.begin(), returns.end());
    return medianOf(returns, 0.8, 1) - medianOf(returns, 0.4, 0.6) > 0.02 * (*high - *low);
}

}  // namespace

std::string shortNumber(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

std::string percent(double share) { return shortNumber(100 * share); }

std::string stepText(double step) { return std::to_string(std::llround(step)); }

Finding found(const char* rule, Finding::Severity severity, const char* title) {
    Finding finding;
    finding.rule = rule;
    finding.severity = severity;
    finding.title = title;
    return finding;
}

std::vector<double> valuesOf(const RunView& run, const std::string& metric) {
    std::vector<double> values;
    const auto at = run.metrics.find(metric);
    if (at == run.metrics.end()) return values;
    for (const double y : at->second.y)
        if (std::isfinite(y)) values.push_back(y);
    return values;
}

double medianOf(const std::vector<double>& values, double from, double to) {
    const auto at = [&](double part) {
        return static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size()));
    };
    std::vector<double> part(values.begin() + at(from), values.begin() + std::max(at(to), at(from) + 1));
    const auto middle = part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2);
    std::nth_element(part.begin(), middle, part.end());
    return *middle;
}

std::optional<double> medianOf(const RunView& run, const std::string& metric, double from, double to) {
    const std::vector<double> values = valuesOf(run, metric);
    if (values.size() < kMinPoints) return std::nullopt;
    return medianOf(values, from, to);
}

bool hasPreset(const RunView& run) { return !run.preset.empty() && run.preset != "none"; }

Json settingOf(const Json& config, std::string_view key) {
    const Json::json_pointer at = pointerOf(key);
    return config.contains(at) ? config.at(at) : Json();
}

double setting(const RunView& run, std::string_view key, double otherwise) {
    const Json value = settingOf(run.config, key);
    return value.is_number() ? value.get<double>() : otherwise;
}

Json valueFor(const RunView& run, std::string_view key, double value) {
    if (settingOf(run.config, key).is_number_integer()) return std::llround(value);
    return value;
}

void suggest(Finding& finding, const RunView& run, const char* key, double value) {
    finding.settings = {{key, valueFor(run, key, value)}};
    finding.blames = {key};
}

Outcome outcomeOf(const RunView& run) {
    Outcome outcome;
    const std::vector<double> returns = valuesOf(run, "episode/return");
    if (!returns.empty()) outcome.training = medianOf(returns, 0.9, 1);
    outcome.score = outcome.training;
    for (const EvaluationPoint& one : run.evaluations)
        if (std::isfinite(one.mean)) {
            outcome.score = one.mean;
            outcome.evaluated = true;
        }
    const double planned = setting(run, "run.steps", 0);
    outcome.over = run.status == RunStatus::finished || run.status == RunStatus::failed ||
                   (planned > 0 && static_cast<double>(run.steps) >= planned);
    outcome.improving = isImproving(returns);

    std::optional<double> goal = run.goal ? run.goal : run.reference_score;
    std::optional<double> floor = run.random_return;
    if (!floor && returns.size() >= kMinPoints) floor = medianOf(returns, 0, 0.1);
    if (!outcome.score) return outcome;
    const bool is_optimal = run.best_possible && *outcome.score >= *run.best_possible;
    outcome.good = is_optimal || (goal && *outcome.score >= *goal);
    // A goal that random play reaches does not measure learning.
    if (!goal || !floor || *goal <= *floor) return outcome;
    outcome.way = (*outcome.score - *floor) / (*goal - *floor);
    if (outcome.training) outcome.training_way = (*outcome.training - *floor) / (*goal - *floor);
    outcome.good = is_optimal || *outcome.way >= kNearly;
    outcome.random = *outcome.way < kRandom;
    return outcome;
}

}  // namespace seedbed::doctor
