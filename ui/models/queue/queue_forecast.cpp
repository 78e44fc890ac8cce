// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/queue/queue_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace seedbed::ui {
namespace {

constexpr int kSpeedsUsed = 10, kRunsScored = 50;
constexpr double kLeastSpread = 0.1;  // the speed of repeated runs differs by about this part
constexpr double kClose = 0.2;

// Seconds from now at which each run starts, for the low or the high estimates.
std::vector<double> startTimes(const std::vector<QueueWork>& queue, int at_a_time, double Span::*end) {
    const auto length = [&](const QueueWork& work) {
        // A paused run takes at least the rest of its training.
        const bool unknown = !work.seconds || work.held;
        if (unknown && end == &Span::high) return std::numeric_limits<double>::infinity();
        return work.seconds ? *work.seconds.*end : 0;
    };
    std::multiset<double> free;  // when a place becomes free
    for (const QueueWork& work : queue)
        if (work.live) free.insert(length(work));
    const auto places = static_cast<std::size_t>(std::max(1, at_a_time));
    while (free.size() < places) free.insert(0);
    while (free.size() > places) free.erase(free.begin());
    std::vector<double> starts;
    for (const QueueWork& work : queue) {
        starts.push_back(work.live ? 0 : *free.begin());
        if (work.live || work.held) continue;
        free.erase(free.begin());
        free.insert(starts.back() + length(work));
    }
    return starts;
}

}  // namespace

std::optional<Span> speedOf(const std::vector<TrainedRun>& runs, std::size_t kind, std::size_t settings,
                            double before) {
    for (const bool same_settings : {true, false}) {
        std::optional<Span> speed;
        int used = 0;
        for (const TrainedRun& run : runs) {
            if (run.kind != kind || run.ended > before || (same_settings && run.settings != settings))
                continue;
            const double steps_per_s = static_cast<double>(run.steps) / run.seconds;
            if (!speed) speed = {steps_per_s, steps_per_s};
            speed = {std::min(speed->low, steps_per_s), std::max(speed->high, steps_per_s)};
            if (++used == kSpeedsUsed) break;
        }
        if (!speed) continue;
        const double middle = speed->middle();
        return Span{std::min(speed->low, (1 - kLeastSpread) * middle),
                    std::max(speed->high, (1 + kLeastSpread) * middle)};
    }
    return std::nullopt;
}

std::optional<Span> secondsFor(const TrainingLength& length, const std::optional<Span>& speed) {
    constexpr double kNoLimit = std::numeric_limits<double>::infinity();
    const double most = length.steps > 0 ? static_cast<double>(length.steps) : kNoLimit;
    const Span target = length.target_steps.value_or(Span{most, most});
    const Span steps{std::min(target.low, most), std::min(target.high, most)};
    std::optional<Span> seconds;
    if (std::isfinite(steps.high) && speed && speed->low > 0)
        seconds = {steps.low / speed->high, steps.high / speed->low};
    if (!(length.seconds > 0)) return seconds;
    if (!seconds) return Span{length.steps > 0 ? 0 : length.seconds, length.seconds};
    return Span{std::min(seconds->low, length.seconds), std::min(seconds->high, length.seconds)};
}

std::optional<Span> stepsToTarget(const std::vector<TrainedRun>& runs, std::size_t settings, double before) {
    std::optional<Span> steps;
    bool missed = false;
    int used = 0;
    for (const TrainedRun& run : runs) {
        if (run.settings != settings || run.ended > before || !run.reached) continue;
        missed |= !*run.reached;
        if (*run.reached) {
            const auto count = static_cast<double>(run.steps);
            if (!steps) steps = {count, count};
            steps = {std::min(steps->low, count), std::max(steps->high, count)};
        }
        if (++used == kSpeedsUsed) break;
    }
    if (steps && missed) steps->high = std::numeric_limits<double>::infinity();
    return steps;
}

EstimateScore scoreEstimates(const std::vector<TrainedRun>& runs) {
    EstimateScore score;
    for (const TrainedRun& run : runs) {
        if (!run.finished || score.runs == kRunsScored) continue;
        const auto speed = speedOf(runs, run.kind, run.settings, run.started);
        if (!speed) continue;
        TrainingLength length = run.length;
        length.target_steps = stepsToTarget(runs, run.settings, run.started);
        const auto estimate = secondsFor(length, speed);
        if (!estimate) continue;
        ++score.runs;
        score.close += std::abs(estimate->middle() - run.seconds) <= kClose * run.seconds;
    }
    return score;
}

std::vector<QueueTimes> forecastQueue(const std::vector<QueueWork>& queue, int at_a_time) {
    const std::vector<double> low = startTimes(queue, at_a_time, &Span::low),
                              high = startTimes(queue, at_a_time, &Span::high);
    std::vector<QueueTimes> times(queue.size());
    for (std::size_t i = 0; i < queue.size(); ++i) {
        if (queue[i].held || !std::isfinite(high[i])) continue;
        times[i].starts = {low[i], high[i]};
        if (queue[i].seconds)
            times[i].ends = {low[i] + queue[i].seconds->low, high[i] + queue[i].seconds->high};
    }
    return times;
}

}  // namespace seedbed::ui
