// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the marks of a picture and the texts of scenes with Dear ImGui, in the window's font.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include <QFont>
#include <QImage>

#include "ui/live/memory.hpp"
#include "ui/views/watch/canvas.hpp"

struct ImFont;
struct ImFontAtlas;
struct ImGuiContext;

namespace seedbed::ui::live {

// Thread: GUI. Overlays are independent of each other. stop() before the device is destroyed.
class Overlay {
public:
    Overlay();
    ~Overlay();
    Overlay(const Overlay&) = delete;
    Overlay& operator=(const Overlay&) = delete;

    void stop(QVulkanWindow& window);
    // Records copies, before the render pass. `ratio`: device pixels per logical pixel.
    void prepare(QVulkanWindow& window, const CanvasPicture& picture, double ratio, Status& status);
    // Records the drawing, within the render pass.
    void draw(VkCommandBuffer commands);

private:
    using Glyphs = std::vector<std::pair<int, QImage>>;  // place in the atlas, and picture

    bool addCharacters(const CanvasPicture& picture);
    void restart(QVulkanWindow& window, Status& status);
    ImFont* addFont(ImFontAtlas& atlas, const QFont& font, Glyphs& glyphs);
    void addTexts(const CanvasTile& tile);
    void addMark(const CanvasMark& mark);

    ImGuiContext* context_ = nullptr;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;  // not null while started
    std::set<char16_t> characters_;
    QFont font_;
    float ratio_ = 1;
    ImFont *small_ = nullptr, *large_ = nullptr;  // of marks, and of texts in scenes
};

}  // namespace seedbed::ui::live
