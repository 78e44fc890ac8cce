// SPDX-License-Identifier: Apache-2.0
// Hindsight: replaces the goals of windows that another source draws (Andrychowicz et al. 2017, "Hindsight
// Experience Replay").
#pragma once

#include <cstdint>
#include <vector>

#include "core/learn/window_source.hpp"

namespace seedbed {

// The strategy "future" (section 4.5 of the paper): of k + 1 windows, k on average get a goal that was
// achieved later in the episode of their first row, each of these rows equally likely. Rows of later episodes
// in a window keep their goals. Has no state: draws depend on the seed and on TakenWindows::draw. Thread: the
// learner's.
class HindsightWindows final : public WindowSource {
public:
    // `inner` and the rings outlive this object. `goals` > 0: k.
    HindsightWindows(WindowSource& inner, std::vector<Ring*> rings, double goals, std::uint64_t seed)
        : inner_(inner), rings_(std::move(rings)), share_(goals / (goals + 1)), seed_(seed) {}

    const TakenWindows* take() override;
    void done(std::span<const float> priorities) override { inner_.done(priorities); }
    std::span<const Window> entered() const override { return inner_.entered(); }

private:
    WindowSource& inner_;
    std::vector<Ring*> rings_;
    double share_;  // share of windows that get a different goal
    std::uint64_t seed_;
    TakenWindows taken_;
};

}  // namespace seedbed
