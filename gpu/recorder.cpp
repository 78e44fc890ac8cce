// SPDX-License-Identifier: Apache-2.0
#include "gpu/recorder.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace seedbed::gpu {

namespace {

// Work of one submission. Drivers stop submissions that run for seconds, and others wait while one runs.
constexpr double kMostMacs = 4e9;

void barrier(const Api& api, VkCommandBuffer buffer, VkPipelineStageFlags from, VkPipelineStageFlags to,
             VkAccessFlags written, VkAccessFlags read) {
    VkMemoryBarrier memory{};
    memory.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    memory.srcAccessMask = written;
    memory.dstAccessMask = read;
    api.vkCmdPipelineBarrier(buffer, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

}  // namespace

void Recorder::beginCounting() {
    counting_ = true;
    active_ = true;
    kernels_ = 0;
    status_ = {};
}

void Recorder::beginRecording(std::uint32_t kernels) {
    counting_ = false;
    active_ = true;
    kernels_ = 0;
    commands_ = {};
    status_ = createDescriptors(kernels);
    if (status_) status_ = beginBuffer();
}

Result<> Recorder::createDescriptors(std::uint32_t kernels) {
    const std::uint32_t count = std::max(kernels, 1u);
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count * kBindings};
    VkDescriptorPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    info.maxSets = count;
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    SEEDBED_VK(device_.api(),
               vkCreateDescriptorPool(device_.handle(), &info, nullptr, &commands_.descriptors),
               "creating descriptors");
    return {};
}

Result<> Recorder::beginBuffer() {
    VkCommandBufferAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    info.commandPool = pool_;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    VkCommandBuffer buffer = VK_NULL_HANDLE;
    SEEDBED_VK(device_.api(), vkAllocateCommandBuffers(device_.handle(), &info, &buffer),
               "allocating a command buffer");
    commands_.buffers.push_back(buffer);
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    SEEDBED_VK(device_.api(), vkBeginCommandBuffer(buffer, &begin), "recording commands");
    barrier(device_.api(), buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    macs_ = 0;
    return {};
}

Result<> Recorder::endBuffer() {
    VkCommandBuffer buffer = commands_.buffers.back();
    barrier(device_.api(), buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_HOST_READ_BIT);
    SEEDBED_VK(device_.api(), vkEndCommandBuffer(buffer), "recording commands");
    return {};
}

void Recorder::dispatch(const char* kernel, std::initializer_list<Slice> slices, const void* push,
                        std::size_t push_bytes, std::uint64_t threads, double macs) {
    if (threads == 0 || !active_) return;
    ++kernels_;
    if (counting_ || !status_) return;
    status_ = record(kernel, slices, push, push_bytes, threads, macs);
}

Result<> Recorder::record(const char* kernel, std::initializer_list<Slice> slices, const void* push,
                          std::size_t push_bytes, std::uint64_t threads, double macs) {
    if (macs_ > 0 && macs_ + macs > kMostMacs) {
        SEEDBED_TRY(endBuffer());
        SEEDBED_TRY(beginBuffer());
    }
    macs_ += macs;
    commands_.macs += macs;
    const Api& api = device_.api();
    SEEDBED_ASSIGN(VkPipeline pipeline, device_.pipelines().pipeline(kernel));
    SEEDBED_ASSIGN(VkDescriptorSet set, describe(slices));
    VkCommandBuffer buffer = commands_.buffers.back();
    VkPipelineLayout layout = device_.pipelines().layout();
    api.vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    api.vkCmdBindDescriptorSets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    api.vkCmdPushConstants(buffer, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           static_cast<std::uint32_t>(push_bytes), push);
    // One dimension has at most 65535 groups on some devices.
    const std::uint64_t groups = (threads + kGroupThreads - 1) / kGroupThreads, most = 32768;
    const std::uint64_t columns = std::min(groups, most), lines = (groups + columns - 1) / columns;
    if (lines > 65535)
        return fail(ErrorCode::out_of_memory,
                    "a batch is too large for a Vulkan device; use smaller batches");
    api.vkCmdDispatch(buffer, static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(lines), 1);
    barrier(api, buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
            VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    return {};
}

Result<VkDescriptorSet> Recorder::describe(std::initializer_list<Slice> slices) {
    VkDescriptorSetLayout layout = device_.pipelines().setLayout();
    VkDescriptorSetAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    info.descriptorPool = commands_.descriptors;
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    VkDescriptorSet set = VK_NULL_HANDLE;
    SEEDBED_VK(device_.api(), vkAllocateDescriptorSets(device_.handle(), &info, &set),
               "creating descriptors");
    std::array<VkDescriptorBufferInfo, kBindings> ranges{};
    std::array<VkWriteDescriptorSet, kBindings> writes{};
    std::uint32_t count = 0, binding = 0;
    for (const Slice& slice : slices) {
        SEEDBED_CHECK(binding < kBindings);
        if (slice.bytes > device_.limits().maxStorageBufferRange)
            return fail(ErrorCode::out_of_memory,
                        "a batch needs a buffer of " + std::to_string(slice.bytes >> 20) +
                            " MiB, but the buffers of " + device_.info().id + " are limited to " +
                            std::to_string(device_.limits().maxStorageBufferRange >> 20) +
                            " MiB; use smaller minibatches or --run.device cpu");
        if (slice) {
            ranges[count] = {slice.buffer, slice.offset, slice.bytes};
            writes[count].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
            writes[count].dstSet = set;
            writes[count].dstBinding = binding;
            writes[count].descriptorCount = 1;
            writes[count].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
            writes[count].pBufferInfo = &ranges[count];
            ++count;
        }
        ++binding;
    }
    device_.api().vkUpdateDescriptorSets(device_.handle(), count, writes.data(), 0, nullptr);
    return set;
}

Result<Commands> Recorder::end() {
    if (counting_) return Commands{};
    if (status_) status_ = endBuffer();
    if (!status_) {
        free(commands_);
        return tl::unexpected<Error>(status_.error());
    }
    for (VkCommandBuffer& buffer : commands_.buffers) {
        VkSubmitInfo submit{};
        submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
        submit.commandBufferCount = 1;
        submit.pCommandBuffers = &buffer;
        commands_.batches.push_back(submit);
    }
    return std::exchange(commands_, {});
}

void Recorder::free(Commands& commands) {
    if (device_.isHanging()) return;
    if (!commands.buffers.empty())
        device_.api().vkFreeCommandBuffers(device_.handle(), pool_,
                                           static_cast<std::uint32_t>(commands.buffers.size()),
                                           commands.buffers.data());
    if (commands.descriptors != VK_NULL_HANDLE)
        device_.api().vkDestroyDescriptorPool(device_.handle(), commands.descriptors, nullptr);
    commands = {};
}

}  // namespace seedbed::gpu
