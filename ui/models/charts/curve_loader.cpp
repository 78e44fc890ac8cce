// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/charts/curve_loader.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <QCoreApplication>

namespace seedbed::ui {
namespace {

constexpr std::string_view kEvaluationReturn = "eval/return";
constexpr const char* kUpdateRate = "speed/updates_per_s";

// A non-decreasing quantity whose value is known at some steps.
struct Counter {
    std::vector<double> steps, values;

    // 0 before the first row.
    double at(double step) const {
        const auto after = std::upper_bound(steps.begin(), steps.end(), step) - steps.begin();
        return after == 0 ? 0 : values[static_cast<std::size_t>(after - 1)];
    }
};

Result<bool> hasMetric(StoreReader& reader, RunId run, const std::string& name) {
    SEEDBED_ASSIGN(const std::vector<std::string> names, reader.metricNames(run));
    return std::binary_search(names.begin(), names.end(), name);
}

// Start of the first process; the run may have been queued long before.
Result<double> firstMoment(StoreReader& reader, RunId run) {
    SEEDBED_ASSIGN(const RunDetails details, reader.details(run));
    return details.segments.empty() ? details.run.created : details.segments.front().started;
}

Result<Counter> counterOf(StoreReader& reader, RunId run, XAxis axis) {
    Counter counter;
    if (axis == XAxis::episodes) {
        SEEDBED_ASSIGN(const auto episodes, reader.episodes(run));
        for (const EpisodeRecord& episode : episodes) {
            const auto step = static_cast<double>(episode.step);
            if (counter.steps.empty() || counter.steps.back() != step) {
                counter.steps.push_back(step);
                counter.values.push_back(0);
            }
            counter.values.back() = static_cast<double>(&episode - episodes.data() + 1);
        }
        return counter;
    }
    SEEDBED_ASSIGN(const bool has_updates, hasMetric(reader, run, kUpdateRate));
    if (!has_updates) return counter;
    SEEDBED_ASSIGN(const MetricCurve rate, reader.metric(run, kUpdateRate));
    double sum = 0;
    for (std::size_t i = 0; i < rate.steps.size(); ++i) {
        const double seconds = rate.values[i] > 0 && std::isfinite(rate.values[i]) ? 1 / rate.values[i] : 0;
        sum += axis == XAxis::updates ? 1 : seconds;
        counter.steps.push_back(static_cast<double>(rate.steps[i]));
        counter.values.push_back(sum);
    }
    return counter;
}

// A run ends with an evaluation over more episodes, often at the same step as the last evaluation during
// training.
void keepNewestOfEachStep(MetricCurve& rows) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rows.steps.size(); ++i) {
        if (kept > 0 && rows.steps[kept - 1] == rows.steps[i]) --kept;
        rows.steps[kept] = rows.steps[i];
        rows.times[kept] = rows.times[i];
        rows.values[kept] = rows.values[i];
        ++kept;
    }
    rows.steps.resize(kept);
    rows.times.resize(kept);
    rows.values.resize(kept);
}

}  // namespace

const char* keyOf(XAxis axis) {
    switch (axis) {
        case XAxis::steps: return "steps";
        case XAxis::updates: return "updates";
        case XAxis::episodes: return "episodes";
        case XAxis::wall_time: return "wall_time";
        case XAxis::train_time: return "train_time";
        case XAxis::score: return "normalised_score";
    }
    return "?";
}

QString titleOf(XAxis axis) {
    switch (axis) {
        case XAxis::steps: return QCoreApplication::translate("XAxis", "Steps");
        case XAxis::updates: return QCoreApplication::translate("XAxis", "Updates");
        case XAxis::episodes: return QCoreApplication::translate("XAxis", "Episodes");
        case XAxis::wall_time: return QCoreApplication::translate("XAxis", "Wall time (s)");
        case XAxis::train_time: return QCoreApplication::translate("XAxis", "Training time (s)");
        case XAxis::score: return QCoreApplication::translate("XAxis", "Normalised score");
    }
    return {};
}

Result<LoadedCurve> loadCurve(StoreReader& reader, RunId run, const std::string& metric, XAxis axis) {
    LoadedCurve loaded{run, metric, nullptr, nullptr};
    MetricCurve rows;
    SEEDBED_ASSIGN(const bool has, hasMetric(reader, run, metric));
    if (has) {
        SEEDBED_ASSIGN(rows, reader.metric(run, metric));
        if (metric == kEvaluationReturn) keepNewestOfEachStep(rows);
    }
    auto steps = std::make_shared<std::vector<double>>(rows.steps.begin(), rows.steps.end());
    Curve curve{*steps, std::move(rows.values)};
    if (axis == XAxis::wall_time && curve.size() > 0) {
        SEEDBED_ASSIGN(const double begun, firstMoment(reader, run));
        double newest = 0;  // times may decrease, because the system clock may have been set back
        for (std::size_t i = 0; i < curve.size(); ++i)
            curve.x[i] = newest = std::max(newest, rows.times[i] - begun);
    } else if (axis != XAxis::steps) {
        SEEDBED_ASSIGN(const Counter counter, counterOf(reader, run, axis));
        for (double& x : curve.x) x = counter.at(x);
    }
    loaded.curve = std::make_shared<const CurveIndex>(std::move(curve));
    loaded.steps = std::move(steps);
    return loaded;
}

double xOfStep(const LoadedCurve& curve, double step) {
    if (!curve.steps || curve.steps->empty()) return step;
    const auto after =
        std::upper_bound(curve.steps->begin(), curve.steps->end(), step) - curve.steps->begin();
    return curve.curve->curve().x[static_cast<std::size_t>(std::max<std::ptrdiff_t>(after, 1) - 1)];
}

}  // namespace seedbed::ui
