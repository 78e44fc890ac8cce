// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/smoothing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/describe.hpp"

namespace seedbed {
namespace {

constexpr std::array<std::pair<const char*, Smoothing>, 6> kNames{
    {{"none", Smoothing::none},
     {"ema", Smoothing::time_weighted_ema},
     {"tensorboard", Smoothing::tensorboard_ema},
     {"gaussian", Smoothing::gaussian},
     {"mean", Smoothing::mean},
     {"median", Smoothing::median}}};

// s_i = w_i s_(i-1) + y_i with weights w_i = exp(-(x_i - x_(i-1)) / amount), divided by the same sum over
// ones (de-biasing).
void timeWeightedEma(const Curve& curve, double amount, Curve& out) {
    double sum = 0, weight = 0, last_x = 0;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        if (!std::isfinite(curve.y[i])) continue;
        const double keep = weight > 0 ? std::exp(-(curve.x[i] - last_x) / amount) : 0;
        sum = keep * sum + curve.y[i];
        weight = keep * weight + 1;
        last_x = curve.x[i];
        out.y[i] = sum / weight;
    }
}

// TensorBoard's resmoothDataset: s_i = w s_(i-1) + (1 - w) y_i from 0, divided by 1 - w^n.
void tensorboardEma(const Curve& curve, double keep, Curve& out) {
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        if (!std::isfinite(curve.y[i])) continue;
        sum = keep * sum + (1 - keep) * curve.y[i];
        weight = keep * weight + (1 - keep);
        out.y[i] = sum / weight;
    }
}

// Checks for a stop request on every 4096th call.
class StopCheck {
public:
    explicit StopCheck(const std::stop_token& stop) : stop_(stop) {}
    bool operator()() { return (++calls_ & 0xfff) == 0 && stop_.stop_requested(); }

private:
    const std::stop_token& stop_;
    std::uint32_t calls_ = 0;
};

// Calls body(i, begin, end) with the points within `reach` of point i, for every finite point.
template <class Body>
void forEachWindow(const Curve& curve, double reach, StopCheck stopped, const Body& body) {
    std::size_t begin = 0, end = 0;
    for (std::size_t i = 0; i < curve.size() && !stopped(); ++i) {
        while (curve.x[begin] < curve.x[i] - reach) ++begin;
        while (end < curve.size() && curve.x[end] <= curve.x[i] + reach) ++end;
        if (std::isfinite(curve.y[i])) body(i, begin, end);
    }
}

// Finite points that are close together, combined at their mean.
struct Clump {
    double x = 0, y = 0, count = 0;
};

// Clumps of the cells [k width, (k + 1) width). Sums of differences from the first value keep constants
// exactly constant.
std::vector<Clump> clumpsOf(const Curve& curve, double width) {
    std::vector<Clump> clumps;
    double cell = 0;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        if (!std::isfinite(curve.y[i])) continue;
        const double of_point = std::floor(curve.x[i] / width);
        if (clumps.empty() || of_point != cell) {
            clumps.push_back({curve.x[i], curve.y[i], 0});
            cell = of_point;
        }
        Clump& clump = clumps.back();
        clump.count += 1;
        clump.x += (curve.x[i] - clump.x) / clump.count;
        clump.y += (curve.y[i] - clump.y) / clump.count;
    }
    return clumps;
}

void gaussian(const Curve& curve, double deviation, const std::stop_token& stop, Curve& out) {
    // Beyond three deviations the weight of a point would be below 1.2 %.
    constexpr double kReach = 3;
    // Windows with more points are summed over clumps, each an eighth of a deviation wide. The choice depends
    // only on the points within reach, so points farther away never change a value.
    constexpr std::size_t kMaxSinglePoints = 128;
    const std::vector<Clump> clumps = clumpsOf(curve, deviation / 8);
    std::size_t first = 0;
    forEachWindow(curve, kReach * deviation, StopCheck(stop),
                  [&](std::size_t i, std::size_t begin, std::size_t end) {
                      double sum = 0, weight = 0;
                      const auto add = [&](double x, double y, double count) {
                          const double distance = (x - curve.x[i]) / deviation;
                          const double w = count * std::exp(-0.5 * distance * distance);
                          sum += w * (y - curve.y[i]);
                          weight += w;
                      };
                      if (end - begin <= kMaxSinglePoints) {
                          for (std::size_t j = begin; j < end; ++j)
                              if (std::isfinite(curve.y[j])) add(curve.x[j], curve.y[j], 1);
                      } else {
                          while (clumps[first].x < curve.x[i] - kReach * deviation) ++first;
                          for (std::size_t j = first;
                               j < clumps.size() && clumps[j].x <= curve.x[i] + kReach * deviation; ++j)
                              add(clumps[j].x, clumps[j].y, clumps[j].count);
                      }
                      out.y[i] = curve.y[i] + sum / weight;
                  });
}

void runningMean(const Curve& curve, double window, const std::stop_token& stop, Curve& out) {
    // Sums of differences from the first value keep constants exactly constant.
    std::vector<double> sums(curve.size() + 1, 0), counts(curve.size() + 1, 0);
    const auto first =
        std::find_if(curve.y.begin(), curve.y.end(), [](double y) { return std::isfinite(y); });
    if (first == curve.y.end()) return;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const bool finite = std::isfinite(curve.y[i]);
        sums[i + 1] = sums[i] + (finite ? curve.y[i] - *first : 0);
        counts[i + 1] = counts[i] + (finite ? 1 : 0);
    }
    forEachWindow(curve, window / 2, StopCheck(stop), [&](std::size_t i, std::size_t begin, std::size_t end) {
        out.y[i] = *first + (sums[end] - sums[begin]) / (counts[end] - counts[begin]);
    });
}

// A set of ranks 0 .. n - 1 with lookup of the k-th smallest: a Fenwick tree. Calls take O(log n).
class RankSet {
public:
    explicit RankSet(std::size_t n) : tree_(n + 1, 0) {
        while (top_ * 2 <= n) top_ *= 2;
    }
    void change(std::size_t rank, int by) {
        size_ += by;
        for (std::size_t at = rank + 1; at < tree_.size(); at += at & (~at + 1)) tree_[at] += by;
    }
    int size() const { return size_; }
    std::size_t kth(int k) const {
        std::size_t at = 0;
        for (std::size_t step = top_; step > 0; step /= 2)
            if (at + step < tree_.size() && tree_[at + step] <= k) {
                at += step;
                k -= tree_[at];
            }
        return at;
    }

private:
    std::vector<int> tree_;
    std::size_t top_ = 1;
    int size_ = 0;
};

void runningMedian(const Curve& curve, double window, const std::stop_token& stop, Curve& out) {
    // Keeps the finite values of the moving window as ranks among all finite values.
    std::vector<std::size_t> by_value, rank(curve.size(), 0);
    for (std::size_t i = 0; i < curve.size(); ++i)
        if (std::isfinite(curve.y[i])) by_value.push_back(i);
    std::stable_sort(by_value.begin(), by_value.end(),
                     [&](std::size_t a, std::size_t b) { return curve.y[a] < curve.y[b]; });
    for (std::size_t r = 0; r < by_value.size(); ++r) rank[by_value[r]] = r;
    RankSet present(by_value.size());
    const auto value = [&](int k) { return curve.y[by_value[present.kth(k)]]; };
    std::size_t from = 0, to = 0;
    forEachWindow(curve, window / 2, StopCheck(stop), [&](std::size_t i, std::size_t begin, std::size_t end) {
        for (; to < end; ++to)
            if (std::isfinite(curve.y[to])) present.change(rank[to], 1);
        for (; from < begin; ++from)
            if (std::isfinite(curve.y[from])) present.change(rank[from], -1);
        const int n = present.size();
        const double upper = value(n / 2), lower = n % 2 == 1 ? upper : value(n / 2 - 1);
        out.y[i] = lower + (upper - lower) / 2;
    });
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

Curve smooth(const Curve& curve, const SmoothingSpec& spec, const std::stop_token& stop) {
    const bool by_weight = spec.kind == Smoothing::tensorboard_ema;
    if (spec.kind == Smoothing::none || !(spec.amount > 0) || !std::isfinite(spec.amount) ||
        (by_weight && spec.amount >= 1))
        return curve;
    Curve out = curve;
    switch (spec.kind) {
        case Smoothing::none: break;
        case Smoothing::time_weighted_ema: timeWeightedEma(curve, spec.amount, out); break;
        case Smoothing::tensorboard_ema: tensorboardEma(curve, spec.amount, out); break;
        case Smoothing::gaussian: gaussian(curve, spec.amount, stop, out); break;
        case Smoothing::mean: runningMean(curve, spec.amount, stop, out); break;
        case Smoothing::median: runningMedian(curve, spec.amount, stop, out); break;
    }
    return out;
}

}  // namespace seedbed
