// SPDX-License-Identifier: Apache-2.0
// Measurements for the rules of the training doctor: summaries of curves, settings, and the outcome of a run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/doctor/findings.hpp"

namespace seedbed::doctor {

// With fewer points, a trend cannot be detected.
inline constexpr std::size_t kMinPoints = 20;
// A run that has reached at least this share of the distance to the goal counts as good: the remainder is
// about as large as the variation between evaluations.
inline constexpr double kNearly = 0.9;

std::string shortNumber(double value);
std::string percent(double share);
std::string stepText(double step);

Finding found(const char* rule, Finding::Severity severity, const char* title);

// The finite values of a metric.
std::vector<double> valuesOf(const RunView& run, const std::string& metric);
// Median of the part [from, to) of a non-empty list; `from` and `to` are fractions of its length.
double medianOf(const std::vector<double>& values, double from, double to);
// Median of a part of a metric; nullopt if it has fewer than kMinPoints.
std::optional<double> medianOf(const RunView& run, const std::string& metric, double from, double to);

// Whether the base is a preset, not the defaults.
bool hasPreset(const RunView& run);

// The numeric setting with the dotted key `key`, such as "algo.epochs"; `otherwise` if it is missing.
double setting(const RunView& run, std::string_view key, double otherwise);
// The setting of a configuration; null if it is missing.
Json settingOf(const Json& config, std::string_view key);
// Converts `value` to the type of the setting: rounds it for an integer setting.
Json valueFor(const RunView& run, std::string_view key, double value);
// Suggests a numeric setting and blames its current value.
void suggest(Finding& finding, const RunView& run, const char* key, double value);

// The distance of a run from its goal.
struct Outcome {
    std::optional<double> score;     // the latest evaluation, or the latest training returns
    bool evaluated = false;          // the score is an evaluation
    std::optional<double> training;  // the latest training returns
    // Shares of the distance from random play to the goal that the two returns cover; nullopt if unknown.
    std::optional<double> way, training_way;
    bool over = false;       // whether it has trained for all its steps, or has failed
    bool good = false;       // whether it has reached the goal, or nearly
    bool random = false;     // whether it is no better than random play
    bool improving = false;  // whether the training return is still rising
};

Outcome outcomeOf(const RunView& run);

}  // namespace seedbed::doctor
