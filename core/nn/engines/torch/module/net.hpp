// SPDX-License-Identifier: Apache-2.0
// A compiled network and its contexts inside the module: one Frame per shape seen so far, and the transfers
// to and from the caller's memory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <c10/core/Stream.h>

#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/torch_abi.h"

namespace seedbed::torch_module {

struct Net {
    NetPlan plan;
    Analysis analysis;
    at::Device device;
};

// The parameter blob, in memory that the device can read.
struct UploadedParams {
    at::Tensor copy;  // undefined on the CPU
    const float* memory = nullptr;
};
UploadedParams uploadParams(const Net& net, const float* blob);

// Thread: one at a time. Failures are exceptions; module.cpp turns them into codes.
class Context {
public:
    explicit Context(const Net& net);

    void run(const UploadedParams& params, const SeedbedTorchRows& rows, const SeedbedTorchOutputs& out,
             bool keep);
    void backward(const float* head_gradients, float* lane, float* const* input_gradient);

private:
    Frame& frameFor(const Shape& shape);
    void readRows(const SeedbedTorchRows& rows, std::size_t count);
    // Waits for the device; does nothing on the CPU.
    void finish();

    const Net* net_;
    std::optional<c10::Stream> stream_;  // stream of this context, if the device has streams
    std::unique_ptr<Workspace> workspace_;
    std::vector<std::unique_ptr<Frame>> frames_;  // in order of creation, newest last
    Frame* taped_ = nullptr;                      // the frame with a complete tape
    std::vector<float> spare_lane_;               // receives gradients of parameters that were not requested
    bool no_rows_ = false;                        // whether the last run had zero rows
};

// Sets `device` from "cpu" or "cuda:N". Returns "", or the reason why the device cannot be used and a list of
// usable ones.
std::string parseDevice(const std::string& name, at::Device& device);
// One usable device per line.
std::string deviceLines();

}  // namespace seedbed::torch_module
