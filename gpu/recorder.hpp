// SPDX-License-Identifier: Apache-2.0
// Records kernels into command buffers. Each kernel waits for all earlier ones.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "gpu/arena.hpp"
#include "gpu/vulkan/device.hpp"
#include "gpu/vulkan/limits.hpp"

namespace seedbed::gpu {

// Command buffers that can be submitted any number of times, and the descriptors that they use.
struct Commands {
    VkDescriptorPool descriptors = VK_NULL_HANDLE;
    std::vector<VkCommandBuffer> buffers;
    std::vector<VkSubmitInfo> batches;  // one per buffer
    double macs = 0;                    // of all kernels
};

// Thread: one owner.
class Recorder {
public:
    // `pool` must permit that command buffers are freed one by one.
    Recorder(Device& device, VkCommandPool pool) : device_(device), pool_(pool) {}

    // Until end(), kernels are only counted.
    void beginCounting();
    // Until end(), kernels are recorded; there must be `kernels` of them. Kernels are skipped while `active`
    // is false.
    void beginRecording(std::uint32_t kernels);
    void setActive(bool active) { active_ = active; }
    // The number of kernels since the beginning.
    std::uint32_t kernels() const { return kernels_; }
    void dispatch(const char* kernel, std::initializer_list<Slice> slices, const void* push,
                  std::size_t push_bytes, std::uint64_t threads, double macs);
    // The result of the recording. error: the first one since its beginning; out_of_memory, device.
    Result<Commands> end();
    // Frees commands that are not being executed.
    void free(Commands& commands);

private:
    Result<> record(const char* kernel, std::initializer_list<Slice> slices, const void* push,
                    std::size_t push_bytes, std::uint64_t threads, double macs);
    Result<VkDescriptorSet> describe(std::initializer_list<Slice> slices);
    Result<> createDescriptors(std::uint32_t kernels);
    Result<> beginBuffer();
    Result<> endBuffer();

    Device& device_;
    VkCommandPool pool_;
    bool counting_ = false, active_ = true;
    std::uint32_t kernels_ = 0;
    double macs_ = 0;  // of the current buffer
    Commands commands_;
    Result<> status_;
};

}  // namespace seedbed::gpu
