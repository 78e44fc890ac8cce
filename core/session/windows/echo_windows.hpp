// SPDX-License-Identifier: Apache-2.0
// Data echoing (Choi et al. 2019, "Faster Neural Network Training with Data Echoing", arXiv:1907.05550):
// repeats the windows of another source, for environments that are slower than learning.
#pragma once

#include <stop_token>
#include <utility>

#include "core/base/archive.hpp"
#include "core/learn/window_source.hpp"

namespace seedbed {

// Delivers each set of windows of `inner` `passes` times; the learner shuffles every pass differently. After
// a request to stop, the set is no longer repeated. Thread: the learner's.
class EchoWindows final : public WindowSource {
public:
    // `inner` outlives this object. passes >= 1.
    EchoWindows(WindowSource& inner, int passes, std::stop_token stop = {})
        : inner_(inner), passes_(passes), stop_(std::move(stop)) {}

    const TakenWindows* take() override;
    void done(std::span<const float> priorities) override { inner_.done(priorities); }
    std::span<const Window> entered() const override { return inner_.entered(); }
    // Number of passes so far.
    int delivered() const { return delivered_; }

private:
    WindowSource& inner_;
    int passes_;
    std::stop_token stop_;
    TakenWindows taken_;
    int left_ = 0, delivered_ = 0;
};

// The number of passes over each set of windows: a setting, or (automatic) the time in which actors deliver a
// set divided by the time of one pass, so that learning fills the time in which the learner would wait.
// Thread: the learner's.
class EchoFactor {
public:
    // Limits of the automatic factor, and of its relative change per set. Repeated data become less useful as
    // the factor grows (Choi et al., section 3).
    static constexpr double kLargest = 8;
    static constexpr double kLargestChange = 0.05;

    // `setting`: learner.echo; 0: automatic.
    explicit EchoFactor(int setting) : setting_(setting), factor_(setting > 0 ? setting : 1) {}

    // Number of passes over the next set. The automatic factor's fraction is carried over to the next call.
    int nextPasses();
    // Automatic: actors delivered `sets` sets (in columns, so that partial sets count) in `acting_s` seconds,
    // excluding time in which they waited for the learner; `passes` passes over one set took `learning_s`
    // seconds.
    void measure(double sets, double acting_s, int passes, double learning_s);
    double factor() const { return factor_; }
    // The smoothed ratio; 0 if nothing was measured.
    double ratio() const;

    // The factor and its measurements. Saves nothing if the setting is a number.
    void archive(Archive& archive);

private:
    int setting_;
    double factor_, fraction_ = 0;
    // Sums in which each set counts kDecay times as much as the next one.
    double sets_ = 0, acting_s_ = 0, passes_ = 0, learning_s_ = 0;
};

}  // namespace seedbed
