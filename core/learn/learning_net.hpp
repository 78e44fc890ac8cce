// SPDX-License-Identifier: Apache-2.0
// A network during training: the working copy that the optimiser changes in place, the published versions for
// readers, the gradient lanes and the optimiser.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/learn/lanes.hpp"
#include "core/nn/learn_device.hpp"
#include "core/nn/optimiser.hpp"
#include "core/nn/params.hpp"

namespace seedbed {

// Whether the optimiser of a network steps after the minibatch that follows `steps` optimiser steps.
inline bool isSteppedAt(const NetworkDecl& decl, std::uint64_t steps) {
    return decl.trained && (steps + 1) % static_cast<std::uint64_t>(decl.every) == 0;
}

// Where gradients are added: a lane in host memory, or one of `device`. Empty: gradients are not needed.
struct LaneRef {
    float* host = nullptr;
    LearnDevice* device = nullptr;
    std::size_t index = 0;
};

// With a device, the parameters and moments are there during an update: the working copy is then that of the
// last fetch().
//
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
    // The same parameters get a new version number.
    void renumber(std::uint64_t& newest);
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

    // --- gradients and steps
    Result<> requireLanes(std::size_t count);
    // Sets all lanes to zero.
    Result<> clearLanes();
    LaneRef lane(std::size_t index);
    // As Optimiser::step(), after LearnDevice::sum() returned `grad_norm`. Only with a device.
    Result<> stepOnDevice(double learning_rate, double grad_norm, std::uint64_t& newest);
    // approach() on the device of both networks.
    Result<> approachOnDevice(LearningNet& other, double tau, std::uint64_t& newest);

    // --- the device; null: none
    void useDevice(std::unique_ptr<LearnDevice> device);
    LearnDevice* device() const { return device_.get(); }
    // Copies newer parameters and moments to the working copy and the optimiser.
    Result<> fetch();
    // Restores the working copy and the optimiser from before the latest fetch(), which copied something.
    // Call it before anything else changes them.
    void undoFetch();
    // The optimiser's moments were loaded.
    void momentsChanged();
    // Without a device the learner continues with the state of the last fetch().
    void leaveDevice(std::uint64_t& newest);

    Lanes lanes;
    std::unique_ptr<Optimiser> optimiser;

private:
    std::unique_ptr<LearnDevice> device_;
    bool is_stale_ = false;            // the device has newer parameters than the working copy
    bool moments_on_host_ = true;      // the optimiser has newer moments than the device
    std::uint64_t fetched_steps_ = 0;  // steps of the optimiser at the last fetch()
    struct Before {                    // the latest fetch()
        std::vector<float> params, first, second;
        std::uint64_t steps = 0;
        bool has_changed = false;
    } before_;
    std::shared_ptr<std::vector<float>> working_;
    Params current_, published_;
    bool is_published_ = true;                                // the working copy equals the published version
    std::vector<std::shared_ptr<std::vector<float>>> spare_;  // memory of earlier versions
};

}  // namespace seedbed
