// SPDX-License-Identifier: Apache-2.0
// One network while it learns: the working copy that steps change in place, the published versions that
// others read, gradient lanes, optimiser.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/learn/lanes.hpp"
#include "core/nn/optimiser.hpp"
#include "core/nn/params.hpp"

namespace seedbed {

// Versions count contents: `newest`, kept by the learner, is the highest number given to any. Thread: the
// learner's; lanes as Lanes says.
class LearningNet {
public:
    // Without an optimiser when `trained` is false.
    LearningNet(const NetPlan& plan, bool trained, const OptimiserParams& optimiser);

    // Takes given parameters over; those published are the given value itself.
    void set(Params params, std::uint64_t& newest);
    // The working copy; after a change to it, changed() gives it a version.
    std::vector<float>& working() { return *working_; }
    void changed(std::uint64_t& newest);
    // Whether the working copy differs from what is published.
    bool differs() const;
    // Publishes the working copy, in memory that nobody reads any more if there is some.
    void publish();

    // Shares the working copy: for forward passes between changes.
    const Params& current() const { return current_; }
    // An immutable value.
    const Params& published() const { return published_; }

    Lanes lanes;
    std::unique_ptr<Optimiser> optimiser;

private:
    std::shared_ptr<std::vector<float>> working_;
    Params current_, published_;
    std::vector<std::shared_ptr<std::vector<float>>> spare_;  // blobs published before
};

}  // namespace seedbed
