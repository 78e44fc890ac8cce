// SPDX-License-Identifier: Apache-2.0
// Data echoing (Choi et al. 2019, "Faster Neural Network Training with Data Echoing", arXiv:1907.05550): the
// windows of another source again, for environments that are slower than learning.
#pragma once

#include <stop_token>
#include <utility>

#include "core/base/archive.hpp"
#include "core/learn/window_source.hpp"

namespace seedbed {

// Delivers each set of windows of `inner` `passes` times; the learner shuffles every pass differently. After
// a request to stop, the set is not repeated any more. Thread: the learner's.
class EchoWindows final : public WindowSource {
public:
    // `inner` outlives this object. passes >= 1.
    EchoWindows(WindowSource& inner, int passes, std::stop_token stop = {})
        : inner_(inner), passes_(passes), stop_(std::move(stop)) {}

    const TakenWindows* take() override;
    void done(std::span<const float> priorities) override { inner_.done(priorities); }
    std::span<const Window> entered() const override { return inner_.entered(); }
    // Passes since the beginning.
    int delivered() const { return delivered_; }

private:
    WindowSource& inner_;
    int passes_;
    std::stop_token stop_;
    TakenWindows taken_;
    int left_ = 0, delivered_ = 0;
};

// The number of passes over each set of windows: a setting, or (automatic) the ratio of the time in which
// actors deliver a set to the time of one pass, so that learning fills the time that the learner would wait.
// Thread: the learner's.
class EchoFactor {
public:
    // Limits of the automatic factor, and of its relative change per set. Repeated data lose their use as the
    // factor grows (Choi et al., section 3).
    static constexpr double kLargest = 8;
    static constexpr double kLargestChange = 0.05;

    // `setting`: learner.echo; 0: automatic.
    explicit EchoFactor(int setting) : setting_(setting), factor_(setting > 0 ? setting : 1) {}

    // The passes over the next set. The automatic factor's fraction is carried over to the next call.
    int nextPasses();
    // Automatic: actors delivered `sets` sets (in columns, so that a part counts) in `acting_s` seconds in
    // which they did not wait for the learner; `passes` passes over one set took `learning_s` seconds.
    void measure(double sets, double acting_s, int passes, double learning_s);
    double factor() const { return factor_; }
    // The smoothed ratio; 0 without a measurement.
    double ratio() const;

    // The factor and its measurements. Saves nothing if the setting is a number.
    void archive(Archive& archive);

private:
    int setting_;
    double factor_, fraction_ = 0;
    // Sums in which every earlier set counts kDecay times as much.
    double sets_ = 0, acting_s_ = 0, passes_ = 0, learning_s_ = 0;
};

}  // namespace seedbed
