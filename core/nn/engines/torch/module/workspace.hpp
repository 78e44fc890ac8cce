// SPDX-License-Identifier: Apache-2.0
// The memory of one context: ports, which let fixed tensors refer to the caller's panels, and the arena of
// activations.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <ATen/ATen.h>

#include "core/nn/net_plan.hpp"

namespace seedbed::torch_module {

using Sizes = std::vector<std::int64_t>;

// A storage whose memory changes from call to call while views of it stay valid.
class Port {
public:
    Port(at::Device device, at::ScalarType type);

    // A view with `sizes` and `strides` that starts at element `offset`. Each point() moves it to the new
    // memory.
    at::Tensor view(const Sizes& sizes, const Sizes& strides, std::int64_t offset = 0) const;
    // A contiguous view.
    at::Tensor view(const Sizes& sizes, std::int64_t offset = 0) const;
    // Makes all views refer to `memory`.
    void point(const void* memory);

private:
    at::Device device_;
    at::Tensor base_;
};

// One array of the caller: on the CPU, the caller's memory itself; on another device, a copy transferred
// through pinned memory.
class Panel {
public:
    Panel(at::Device device, at::ScalarType type) : device_(device), type_(type), port_(device, type) {}

    const Port& port() const { return port_; }
    // Call before the kernels run, for an input of `count` elements.
    void read(const void* host, std::size_t count);
    // Call before the kernels run, for results. After the kernels, fetch() enqueues the copy to pinned
    // memory; once the device is idle, store() or addTo() passes the results to `host`.
    void write(void* host, std::size_t count, bool zero);
    void fetch();
    void store();
    void addTo(float* host);

private:
    void reserve(std::size_t count);

    at::Device device_;
    at::ScalarType type_;
    Port port_;
    void* host_ = nullptr;
    std::size_t count_ = 0;
    at::Tensor device_copy_, pinned_;  // unused on the CPU; never shrink
};

class Workspace {
public:
    Workspace(const NetPlan& plan, at::Device device);

    at::Device device() const { return device_; }
    // Allocates `count` floats after the previous allocations of the frame under construction; the memory
    // exists after reserve().
    std::int64_t place(std::int64_t count);
    void beginFrame() { placed_ = 0; }
    // Makes the arena large enough for the current frame. The contents of other frames are overwritten, since
    // only those of the last run are needed.
    void reserve();
    const Port& arena() const { return arena_; }

    Port params;
    Panel lane;
    std::vector<Panel> leaves;
    std::vector<Panel> leaf_gradients;
    std::vector<bool> leaf_wanted;  // leaf gradients requested by the current backward pass
    Panel first, state_in, previous_action, previous_reward, heads, head_gradients, state_out;
    bool state_wanted = false;  // whether the current run returns the state

private:
    at::Device device_;
    Port arena_;
    at::Tensor memory_;
    std::int64_t placed_ = 0;
};

}  // namespace seedbed::torch_module
