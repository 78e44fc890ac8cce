// SPDX-License-Identifier: Apache-2.0
// Gradients, optimiser and target followers of a network on a Vulkan device.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/nn/learn_device.hpp"
#include "gpu/blocks.hpp"
#include "gpu/commands.hpp"
#include "gpu/net.hpp"
#include "gpu/recorder.hpp"

namespace seedbed::gpu {

class VulkanLearner final : public LearnDevice {
public:
    // Allocates memory on first use. `net` must outlive this object.
    VulkanLearner(VulkanNet& net, Optimiser* optimiser);
    ~VulkanLearner() override;

    Result<> requireLanes(std::size_t count) override;
    Result<> clearLanes() override;
    Result<> backward(NetContext& context, const float* head_gradients, std::size_t lane,
                      const std::vector<float*>* input_gradient) override;
    Result<Optimiser::StepInfo> sum(std::size_t count) override;
    Result<> load(const Params& params) override;
    Result<> loadMoments() override;
    Result<> step(const Optimiser::Factors& factors) override;
    Result<> follow(LearnDevice& other, double tau) override;
    void rename(const Params& before, const Params& after) override;
    Result<> read(float* blob) override;

private:
    enum class Work : std::uint8_t { clear, sum, load_moments, step, follow, read };
    // Identifies recorded commands: the work, and the numbers on which they depend.
    using Key = std::array<std::size_t, 3>;

    Result<> open();
    Result<> openOptimiser();
    // Runs the kernels that `walk` dispatches, which are recorded once per key.
    template <class Walk>
    Result<> run(Work work, std::size_t first, std::size_t second, const Walk& walk);
    template <class Push>
    void dispatch(const char* kernel, std::initializer_list<Slice> slices, const Push& push,
                  std::uint64_t threads);
    void dispatchBlocks(const char* kernel, std::initializer_list<Slice> slices);
    void copy(const Slice& from, const Slice& to);
    void writeFactors(const Optimiser::Factors& factors);
    std::size_t floats() const { return net_.plan().param_floats; }
    std::size_t bytes() const { return floats() * sizeof(float); }
    // Bytes between blobs of a region.
    VkDeviceSize stride() const {
        return (bytes() + Memory::kAlignment - 1) / Memory::kAlignment * Memory::kAlignment;
    }
    Slice blob() const { return slot_->slice(bytes()); }
    // The part of a region that begins `blobs` blobs after its beginning.
    Slice part(const Region& region, std::size_t blobs) const;

    VulkanNet& net_;
    Device& device_;
    Optimiser* optimiser_;
    CommandPool pool_;
    std::optional<Recorder> recorder_;
    std::map<Key, Commands> commands_;
    ParamSlot* slot_ = nullptr;
    std::vector<DeviceLane> lanes_;
    std::optional<BlockTable> blocks_;  // of the ranges that the optimiser changes
    Region first_, second_;             // moments
    Region squares_, factors_;
    Region exchange_;  // parameters and moments on their way to and from the host
};

}  // namespace seedbed::gpu
