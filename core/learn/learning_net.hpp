// SPDX-License-Identifier: Apache-2.0
// A network during training: the working copy that the optimiser changes in place, the published versions for
// readers, the gradient lanes and the optimiser.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/learn/lanes.hpp"
#include "core/nn/optimiser.hpp"
#include "core/nn/params.hpp"

namespace seedbed {

// Whether the optimiser of a network steps after the minibatch that follows `steps` optimiser steps.
inline bool isSteppedAt(const NetworkDecl& decl, std::uint64_t steps) {
    return decl.trained && (steps + 1) % static_cast<std::uint64_t>(decl.every) == 0;
}

// Every change to the parameters gets a new version number; `newest` is the learner's highest number so far.
// Thread: the learner's; for lanes, see lanes.hpp.
class LearningNet {
public:
    // Has no optimiser if `trained` is false.
    LearningNet(const NetPlan& plan, bool trained, const OptimiserParams& optimiser);

    // Sets and publishes the given parameters.
    void set(Params params, std::uint64_t& newest);
    // The working copy. After modifying it, call changed().
    std::vector<float>& working() { return *working_; }
    void changed(std::uint64_t& newest);
    // Restores the working copy from the published version and gives it an earlier version number.
    void revert(std::uint64_t version);
    // Moves the working copy by the fraction `tau` towards `other`. Then call changed().
    void approach(const std::vector<float>& other, double tau);
    // Publishes the working copy unless it has already been published. Reuses the memory of an earlier
    // version that no longer has readers.
    void publish();

    // Refers to the working copy, for forward passes between changes.
    const Params& current() const { return current_; }
    // The published version; immutable.
    const Params& published() const { return published_; }

    Lanes lanes;
    std::unique_ptr<Optimiser> optimiser;

private:
    std::shared_ptr<std::vector<float>> working_;
    Params current_, published_;
    bool is_published_ = true;                                // the working copy equals the published version
    std::vector<std::shared_ptr<std::vector<float>>> spare_;  // memory of earlier versions
};

}  // namespace seedbed
