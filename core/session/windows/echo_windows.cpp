// SPDX-License-Identifier: Apache-2.0
#include "core/session/windows/echo_windows.hpp"

#include <algorithm>
#include <cmath>

namespace seedbed {
namespace {

constexpr double kDecay = 0.95;  // a memory of about 20 sets
constexpr double kMost = 1e12;   // largest sum accepted from an archive

}  // namespace

const TakenWindows* EchoWindows::take() {
    if (left_ > 0 && !stop_.stop_requested()) {
        --left_;
        ++taken_.repeat;
    } else {
        const TakenWindows* next = inner_.take();
        if (next == nullptr) return nullptr;
        taken_ = *next;
        left_ = passes_ - 1;
    }
    ++delivered_;
    return &taken_;
}

int EchoFactor::nextPasses() {
    if (setting_ > 0) return setting_;
    const double exact = factor_ + fraction_;
    const double passes = std::max(1.0, std::floor(exact));
    fraction_ = std::max(0.0, exact - passes);
    return static_cast<int>(passes);
}

void EchoFactor::measure(double sets, double acting_s, int passes, double learning_s) {
    if (setting_ > 0) return;
    sets_ = kDecay * sets_ + sets;
    acting_s_ = kDecay * acting_s_ + std::max(0.0, acting_s);
    passes_ = kDecay * passes_ + passes;
    learning_s_ = kDecay * learning_s_ + std::max(0.0, learning_s);
    if (ratio() <= 0) return;
    const double lowest = factor_ * (1 - kLargestChange), highest = factor_ * (1 + kLargestChange);
    factor_ = std::clamp(std::clamp(ratio(), lowest, highest), 1.0, kLargest);
}

double EchoFactor::ratio() const {
    const double per_set = sets_ > 0 ? acting_s_ / sets_ : 0,
                 per_pass = passes_ > 0 ? learning_s_ / passes_ : 0;
    return per_pass > 0 ? per_set / per_pass : 0;
}

void EchoFactor::archive(Archive& archive) {
    if (setting_ > 0) return;
    archive.field("the echo factor", factor_, range(1.0, kLargest))
        .field("the echo factor", fraction_, range(0.0, 1.0));
    for (double* sum : {&sets_, &acting_s_, &passes_, &learning_s_})
        archive.field("a measurement of the echo factor", *sum, range(0.0, kMost));
}

}  // namespace seedbed
