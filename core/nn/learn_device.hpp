// SPDX-License-Identifier: Apache-2.0
// Learning on a device: parameters, gradients and moments of a network stay there during an update, instead
// of being transferred at every optimiser step.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/nn/engine.hpp"
#include "core/nn/optimiser.hpp"

namespace seedbed {

// Thread: the learner's, except for backward(). All functions that return a Result: error: device,
// out_of_memory; the contents of the device are then undefined.
class LearnDevice {
public:
    virtual ~LearnDevice() = default;

    // Ensures that at least `count` lanes exist. New lanes are zero.
    virtual Result<> requireLanes(std::size_t count) = 0;
    // Sets all lanes to zero.
    virtual Result<> clearLanes() = 0;
    // NetContext::backward() of a context of the same network, which adds the gradient to a lane of the
    // device. Thread: any, one at a time for each lane and context.
    virtual Result<> backward(NetContext& context, const float* head_gradients, std::size_t lane,
                              const std::vector<float*>* input_gradient) = 0;
    // Adds the first `count` lanes in a fixed order to lane 0; the others become zero. Returns norm,
    // finiteness and culprit of the sum as Optimiser::step() does.
    virtual Result<Optimiser::StepInfo> sum(std::size_t count) = 0;

    // Copies parameters to the device, unless it has this version.
    virtual Result<> load(const Params& params) = 0;
    // Copies the optimiser's moments to the device.
    virtual Result<> loadMoments() = 0;
    // Changes the parameters and moments with the sum in lane 0, which becomes zero.
    virtual Result<> step(const Optimiser::Factors& factors) = 0;
    // Moves the parameters by the fraction `tau` towards those of another network on the same device.
    virtual Result<> follow(LearnDevice& other, double tau) = 0;
    // Contexts find the parameters on the device under the number of `after`, if they had that of `before`.
    virtual void rename(const Params& before, const Params& after) = 0;
    // Copies the parameters to `blob` [param_floats] and the moments to the optimiser.
    virtual Result<> read(float* blob) = 0;

    // Whether contexts continue on the CPU after a failure of the device.
    virtual bool canLeave() const { return false; }
    // Whether a call has failed because of the device.
    virtual bool hasFailed() const { return false; }
};

// Implemented by networks of engines that can do this.
class LearnsOnDevice {
public:
    virtual ~LearnsOnDevice() = default;
    // `optimiser`: null for a network that only follows another; otherwise it must stay valid. As long as the
    // result exists, contexts of the network support LearnDevice::backward() in place of gradients in host
    // memory.
    virtual std::unique_ptr<LearnDevice> learnDevice(Optimiser* optimiser) = 0;
};

// Null if the engine of the network has none.
inline std::unique_ptr<LearnDevice> learnDevice(EngineNet& net, Optimiser* optimiser) {
    auto* learns = dynamic_cast<LearnsOnDevice*>(&net);
    return learns == nullptr ? nullptr : learns->learnDevice(optimiser);
}

}  // namespace seedbed
