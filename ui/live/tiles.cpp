// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/tiles.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "ui/live/shaders.hpp"

namespace seedbed::ui::live {
namespace {

VkShaderModule shaderModule(VkDevice device, std::string_view name, Status& status) {
    const Shader& shader = shaderNamed(name);
    VkShaderModuleCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    info.codeSize = shader.words * sizeof(std::uint32_t);
    info.pCode = shader.code;
    VkShaderModule made = VK_NULL_HANDLE;
    status.check(vkCreateShaderModule(device, &info, nullptr, &made), "vkCreateShaderModule");
    return made;
}

bool hasPicture(const Scene& scene) { return scene.frame_width > 0 && scene.frame_height > 0; }

// The part of the window that the tile covers; empty outside of the window.
VkRect2D clipOf(const QRectF& place, const QSize& window) {
    const QRect inside = place.toAlignedRect() & QRect(QPoint(), window);
    if (inside.isEmpty()) return {};
    return {{inside.x(), inside.y()},
            {static_cast<std::uint32_t>(inside.width()), static_cast<std::uint32_t>(inside.height())}};
}

}  // namespace

void Tiles::start(QVulkanWindow& window, Status& status) {
    const VkDevice device = window.device();
    VkSamplerCreateInfo sampler{};
    sampler.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
    sampler.magFilter = sampler.minFilter = VK_FILTER_LINEAR;
    sampler.addressModeU = sampler.addressModeV = sampler.addressModeW =
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    status.check(vkCreateSampler(device, &sampler, nullptr, &sampler_), "vkCreateSampler");

    VkDescriptorSetLayoutBinding binding{};
    binding.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    binding.descriptorCount = 1;
    binding.stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT;
    VkDescriptorSetLayoutCreateInfo set{};
    set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    set.bindingCount = 1;
    set.pBindings = &binding;
    status.check(vkCreateDescriptorSetLayout(device, &set, nullptr, &set_layout_),
                 "vkCreateDescriptorSetLayout");
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1};
    VkDescriptorPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    pool.maxSets = 1;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    status.check(vkCreateDescriptorPool(device, &pool, nullptr, &pool_), "vkCreateDescriptorPool");

    const VkPushConstantRange constants{VK_SHADER_STAGE_VERTEX_BIT, 0, 2 * sizeof(float)};
    VkPipelineLayoutCreateInfo layout{};
    layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &set_layout_;
    layout.pushConstantRangeCount = 1;
    layout.pPushConstantRanges = &constants;
    status.check(vkCreatePipelineLayout(device, &layout, nullptr, &layout_), "vkCreatePipelineLayout");
    if (status.failed()) return;
    VkDescriptorSetAllocateInfo sets{};
    sets.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    sets.descriptorPool = pool_;
    sets.descriptorSetCount = 1;
    sets.pSetLayouts = &set_layout_;
    status.check(vkAllocateDescriptorSets(device, &sets, &set_), "vkAllocateDescriptorSets");
    shapes_ = createPipeline(window, "shape_vert", "shape_frag", 8, status);
    picture_ = createPipeline(window, "picture_vert", "picture_frag", 3, status);
}

VkPipeline Tiles::createPipeline(QVulkanWindow& window, std::string_view vertex_name,
                                 std::string_view fragment_name, std::uint32_t inputs, Status& status) {
    const VkDevice device = window.device();
    std::array<VkPipelineShaderStageCreateInfo, 2> stages{};
    const VkShaderModule vertex = shaderModule(device, vertex_name, status),
                         fragment = shaderModule(device, fragment_name, status);
    for (std::size_t i = 0; i < stages.size(); ++i) {
        stages[i].sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        stages[i].stage = i == 0 ? VK_SHADER_STAGE_VERTEX_BIT : VK_SHADER_STAGE_FRAGMENT_BIT;
        stages[i].module = i == 0 ? vertex : fragment;
        stages[i].pName = "main";
    }
    const VkVertexInputBindingDescription binding{0, sizeof(ShapeInstance), VK_VERTEX_INPUT_RATE_INSTANCE};
    const std::array<VkVertexInputAttributeDescription, 8> attributes{{
        {0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(ShapeInstance, a)},
        {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(ShapeInstance, b)},
        {2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(ShapeInstance, c)},
        {3, 0, VK_FORMAT_R32_SFLOAT, offsetof(ShapeInstance, radius)},
        {4, 0, VK_FORMAT_R32_SFLOAT, offsetof(ShapeInstance, half_stroke)},
        {5, 0, VK_FORMAT_R32_UINT, offsetof(ShapeInstance, kind)},
        {6, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(ShapeInstance, fill)},
        {7, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(ShapeInstance, stroke)},
    }};
    VkPipelineVertexInputStateCreateInfo input{};
    input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    input.vertexBindingDescriptionCount = 1;
    input.pVertexBindingDescriptions = &binding;
    input.vertexAttributeDescriptionCount = inputs;
    input.pVertexAttributeDescriptions = attributes.data();
    VkPipelineInputAssemblyStateCreateInfo assembly{};
    assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    VkPipelineViewportStateCreateInfo viewport{};
    viewport.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
    viewport.viewportCount = viewport.scissorCount = 1;
    VkPipelineRasterizationStateCreateInfo raster{};
    raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
    raster.cullMode = VK_CULL_MODE_NONE;
    raster.lineWidth = 1;
    VkPipelineMultisampleStateCreateInfo samples{};
    samples.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
    samples.rasterizationSamples = window.sampleCountFlagBits();
    VkPipelineDepthStencilStateCreateInfo depth{};
    depth.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
    VkPipelineColorBlendAttachmentState over{};
    over.blendEnable = VK_TRUE;
    over.srcColorBlendFactor = over.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    over.dstColorBlendFactor = over.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    over.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT |
                          VK_COLOR_COMPONENT_A_BIT;
    VkPipelineColorBlendStateCreateInfo blend{};
    blend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
    blend.attachmentCount = 1;
    blend.pAttachments = &over;
    const std::array states{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    VkPipelineDynamicStateCreateInfo dynamic{};
    dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
    dynamic.dynamicStateCount = static_cast<std::uint32_t>(states.size());
    dynamic.pDynamicStates = states.data();
    VkGraphicsPipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.stageCount = static_cast<std::uint32_t>(stages.size());
    info.pStages = stages.data();
    info.pVertexInputState = &input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    info.layout = layout_;
    info.renderPass = window.defaultRenderPass();
    VkPipeline made = VK_NULL_HANDLE;
    if (!status.failed())
        status.check(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made),
                     "vkCreateGraphicsPipelines");
    vkDestroyShaderModule(device, vertex, nullptr);
    vkDestroyShaderModule(device, fragment, nullptr);
    return made;
}

void Tiles::stop(QVulkanWindow& window) {
    const VkDevice device = window.device();
    for (Frame& frame : frames_) {
        frame.instances.destroy(device);
        frame.pixels.destroy(device);
    }
    pictures_.destroy(device);
    vkDestroyPipeline(device, shapes_, nullptr);
    vkDestroyPipeline(device, picture_, nullptr);
    vkDestroyPipelineLayout(device, layout_, nullptr);
    vkDestroyDescriptorPool(device, pool_, nullptr);
    vkDestroyDescriptorSetLayout(device, set_layout_, nullptr);
    vkDestroySampler(device, sampler_, nullptr);
    *this = {};
}

void Tiles::setPictures(VkDevice device) {
    const VkDescriptorImageInfo image{sampler_, pictures_.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set_;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    write.pImageInfo = &image;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

// Scenes of different sizes would need several textures; those of one game have the same size.
void Tiles::copyPictures(QVulkanWindow& window, const CanvasPicture& picture, Status& status) {
    std::uint32_t width = 1, height = 1;
    for (const CanvasTile& tile : picture.tiles)
        if (hasPicture(*tile.scene)) {
            width = std::max(width, static_cast<std::uint32_t>(tile.scene->frame_width));
            height = std::max(height, static_cast<std::uint32_t>(tile.scene->frame_height));
        }
    const auto layers = static_cast<std::uint32_t>(std::max<std::size_t>(1, picture.tiles.size()));
    const bool first = pictures_.image == VK_NULL_HANDLE;
    if (width != pictures_.width || height != pictures_.height || layers > pictures_.layers) {
        vkDeviceWaitIdle(window.device());
        if (!pictures_.create(window, width, height, layers, status)) return;
        setPictures(window.device());
    } else if (width == 1 && height == 1 && !first) {
        return;  // only shapes
    }
    Frame& frame = frames_[static_cast<std::size_t>(window.currentFrame())];
    const std::size_t bytes = std::size_t{4} * width * height;
    if (!frame.pixels.grow(window, bytes * pictures_.layers, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, status))
        return;
    auto* to = static_cast<std::uint8_t*>(frame.pixels.mapped);
    for (std::size_t layer = 0; layer < picture.tiles.size(); ++layer) {
        const Scene& scene = *picture.tiles[layer].scene;
        if (scene.frame.size() != bytes / 4 * 3) continue;
        std::uint8_t* pixel = to + layer * bytes;
        for (std::size_t i = 0; i < scene.frame.size(); i += 3, pixel += 4) {
            const std::uint8_t* rgb = scene.frame.data() + i;
            const std::array<std::uint8_t, 4> rgba{rgb[0], rgb[1], rgb[2], 255};
            std::memcpy(pixel, rgba.data(), rgba.size());
        }
    }
    pictures_.copyFrom(frame.pixels.handle, window.currentCommandBuffer());
}

void Tiles::prepare(QVulkanWindow& window, const CanvasPicture& picture, double ratio, Status& status) {
    spans_.clear();
    instances_.clear();
    copyPictures(window, picture, status);
    int layer = 0;
    for (const CanvasTile& tile : picture.tiles) {
        const QRectF place(tile.place.topLeft() * ratio, tile.place.size() * ratio);
        const auto first = static_cast<std::uint32_t>(instances_.size());
        const VkRect2D clip = clipOf(place, window.swapChainImageSize());
        if (clip.extent.width > 0) appendScene(*tile.scene, place, layer, instances_);
        ++layer;
        if (const auto count = static_cast<std::uint32_t>(instances_.size()) - first; count > 0)
            spans_.push_back({clip, first, count, hasPicture(*tile.scene)});
    }
    if (instances_.empty() || status.failed()) return;
    Buffer& buffer = frames_[static_cast<std::size_t>(window.currentFrame())].instances;
    const std::size_t bytes = instances_.size() * sizeof(ShapeInstance);
    if (buffer.grow(window, bytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, status))
        std::memcpy(buffer.mapped, instances_.data(), bytes);
}

void Tiles::draw(QVulkanWindow& window) {
    const VkCommandBuffer commands = window.currentCommandBuffer();
    const QSize size = window.swapChainImageSize();
    const VkViewport viewport{0, 0, static_cast<float>(size.width()), static_cast<float>(size.height()),
                              0, 1};
    const std::array to_clip{2 / viewport.width, 2 / viewport.height};
    const VkBuffer buffer = frames_[static_cast<std::size_t>(window.currentFrame())].instances.handle;
    if (buffer == VK_NULL_HANDLE) return;
    const VkDeviceSize start = 0;
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_, 0, nullptr);
    vkCmdBindVertexBuffers(commands, 0, 1, &buffer, &start);
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof to_clip, to_clip.data());
    for (Span span : spans_) {
        vkCmdSetScissor(commands, 0, 1, &span.clip);
        if (span.picture) {
            vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, picture_);
            vkCmdDraw(commands, 6, 1, 0, span.first++);
            --span.count;
        }
        if (span.count == 0) continue;
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, shapes_);
        vkCmdDraw(commands, 6, span.count, 0, span.first);
    }
}

}  // namespace seedbed::ui::live
