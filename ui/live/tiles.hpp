// SPDX-License-Identifier: GPL-3.0-or-later
// Draws scenes: one call per tile, whose shapes are instances, and whose pictures are layers of one texture.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "ui/live/memory.hpp"
#include "ui/live/scene_instances.hpp"
#include "ui/views/watch/canvas.hpp"

namespace seedbed::ui::live {

// Thread: GUI. start() before the other functions, stop() before the device is destroyed.
class Tiles {
public:
    void start(QVulkanWindow& window, Status& status);
    void stop(QVulkanWindow& window);
    // Records copies, before the render pass. `ratio`: device pixels per logical pixel.
    void prepare(QVulkanWindow& window, const CanvasPicture& picture, double ratio, Status& status);
    // Records the drawing, within the render pass.
    void draw(QVulkanWindow& window);

private:
    struct Span {
        VkRect2D clip;
        std::uint32_t first, count;
        bool picture;  // the first instance
    };
    // Of each frame in flight.
    struct Frame {
        Buffer instances, pixels;
    };

    // `inputs`: the number of members of ShapeInstance that the shader reads.
    VkPipeline createPipeline(QVulkanWindow& window, std::string_view vertex, std::string_view fragment,
                              std::uint32_t inputs, Status& status);
    void setPictures(VkDevice device);
    void copyPictures(QVulkanWindow& window, const CanvasPicture& picture, Status& status);

    VkSampler sampler_ = VK_NULL_HANDLE;
    VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline shapes_ = VK_NULL_HANDLE, picture_ = VK_NULL_HANDLE;
    std::array<Frame, QVulkanWindow::MAX_CONCURRENT_FRAME_COUNT> frames_{};
    Pictures pictures_;
    std::vector<ShapeInstance> instances_;
    std::vector<Span> spans_;
};

}  // namespace seedbed::ui::live
