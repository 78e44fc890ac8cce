// SPDX-License-Identifier: Apache-2.0
// The smoothing kinds of charts.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/analysis/curve.hpp"
#include "core/base/describe.hpp"

namespace seedbed {
namespace {

constexpr std::array<std::pair<const char*, Smoothing>, 6> kNames{{{"none", Smoothing::none},
                                                                   {"ema", Smoothing::time_weighted_ema},
                                                                   {"tensorboard", Smoothing::tensorboard_ema},
                                                                   {"gaussian", Smoothing::gaussian},
                                                                   {"mean", Smoothing::mean},
                                                                   {"median", Smoothing::median}}};

// s_i = w_i s_(i-1) + y_i with weights w_i = exp(-(x_i - x_(i-1)) / amount), divided by the same sum of ones: the de-biasing.
void timeWeightedEma(const Curve& curve, double amount, Curve& out) {
    double sum = 0, weight = 0, last_x = 0;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        if (!std::isfinite(curve.y[i])) continue;
        const double keep = weight > 0 ? std::exp(-(curve.x[i] - last_x) / amount) : 0;
        sum = keep * sum + curve.y[i], weight = keep * weight + 1, last_x = curve.x[i];
        out.y[i] = sum / weight;
    }
}

// TensorBoard's resmoothDataset: s_i = w s_(i-1) + (1 - w) y_i from 0, divided by 1 - w^n.
void tensorboardEma(const Curve& curve, double keep, Curve& out) {
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        if (!std::isfinite(curve.y[i])) continue;
        sum = keep * sum + (1 - keep) * curve.y[i], weight = keep * weight + (1 - keep);
        out.y[i] = sum / weight;
    }
}

// Calls body(i, begin, end) with the points within `reach` of point i, for every finite point.
template <class Body>
void forEachWindow(const Curve& curve, double reach, const Body& body) {
    std::size_t begin = 0, end = 0;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        while (curve.x[begin] < curve.x[i] - reach) ++begin;
        while (end < curve.size() && curve.x[end] <= curve.x[i] + reach) ++end;
        if (std::isfinite(curve.y[i])) body(i, begin, end);
    }
}

void gaussian(const Curve& curve, double deviation, Curve& out) {
    // Beyond three deviations a point would count less than 1.2 %.
    forEachWindow(curve, 3 * deviation, [&](std::size_t i, std::size_t begin, std::size_t end) {
        double sum = 0, weight = 0;
        for (std::size_t j = begin; j < end; ++j) {
            if (!std::isfinite(curve.y[j])) continue;
            const double distance = (curve.x[j] - curve.x[i]) / deviation, w = std::exp(-0.5 * distance * distance);
            sum += w * (curve.y[j] - curve.y[i]), weight += w;
        }
        out.y[i] = curve.y[i] + sum / weight;
    });
}

void runningMean(const Curve& curve, double window, Curve& out) {
    // Sums of differences to the first value keep constants exactly constant.
    std::vector<double> sums(curve.size() + 1, 0), counts(curve.size() + 1, 0);
    const auto first = std::find_if(curve.y.begin(), curve.y.end(), [](double y) { return std::isfinite(y); });
    if (first == curve.y.end()) return;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const bool finite = std::isfinite(curve.y[i]);
        sums[i + 1] = sums[i] + (finite ? curve.y[i] - *first : 0), counts[i + 1] = counts[i] + (finite ? 1 : 0);
    }
    forEachWindow(curve, window / 2, [&](std::size_t i, std::size_t begin, std::size_t end) {
        out.y[i] = *first + (sums[end] - sums[begin]) / (counts[end] - counts[begin]);
    });
}

void runningMedian(const Curve& curve, double window, Curve& out) {
    // The window's finite values, kept sorted while it moves.
    std::vector<double> sorted;
    std::size_t begin = 0, end = 0;
    const double reach = window / 2;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        for (; end < curve.size() && curve.x[end] <= curve.x[i] + reach; ++end)
            if (std::isfinite(curve.y[end])) sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), curve.y[end]), curve.y[end]);
        for (; curve.x[begin] < curve.x[i] - reach; ++begin)
            if (std::isfinite(curve.y[begin])) sorted.erase(std::lower_bound(sorted.begin(), sorted.end(), curve.y[begin]));
        if (!std::isfinite(curve.y[i])) continue;
        const std::size_t n = sorted.size();
        out.y[i] = n % 2 == 1 ? sorted[n / 2] : sorted[n / 2 - 1] + (sorted[n / 2] - sorted[n / 2 - 1]) / 2;
    }
}

}  // namespace

Result<Smoothing> smoothingFromText(std::string_view text) {
    std::vector<std::string> names;
    for (const auto& [name, kind] : kNames) {
        if (text == name) return kind;
        names.emplace_back(name);
    }
    return fail(ErrorCode::config, "unknown smoothing '" + std::string(text) + "'" + suggestion(text, names));
}

Curve smooth(const Curve& curve, const SmoothingSpec& spec) {
    const bool by_weight = spec.kind == Smoothing::tensorboard_ema;
    if (spec.kind == Smoothing::none || !(spec.amount > 0) || !std::isfinite(spec.amount) || (by_weight && spec.amount >= 1)) return curve;
    Curve out = curve;
    switch (spec.kind) {
        case Smoothing::none: break;
        case Smoothing::time_weighted_ema: timeWeightedEma(curve, spec.amount, out); break;
        case Smoothing::tensorboard_ema: tensorboardEma(curve, spec.amount, out); break;
        case Smoothing::gaussian: gaussian(curve, spec.amount, out); break;
        case Smoothing::mean: runningMean(curve, spec.amount, out); break;
        case Smoothing::median: runningMedian(curve, spec.amount, out); break;
    }
    return out;
}

}  // namespace seedbed
