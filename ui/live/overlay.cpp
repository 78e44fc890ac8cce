// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/overlay.hpp"

#include <imgui.h>
#include <imgui/backends/imgui_impl_vulkan.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include <QFontInfo>
#include <QFontMetrics>
#include <QPainter>

namespace seedbed::ui::live {
namespace {

constexpr int kLargePixels = 48;  // height of the font for texts in scenes, which is scaled
// Letters of European languages, and signs of the window's texts. Others are added when they first occur.
constexpr char16_t kFirst = 0x20, kLast = 0x17f;

ImU32 colourOf(const QColor& c) { return IM_COL32(c.red(), c.green(), c.blue(), c.alpha()); }

// A character of the font as an image of one line.
QImage glyphOf(char16_t character, const QFont& font, const QFontMetrics& metrics) {
    QImage image(std::max(1, metrics.horizontalAdvance(QChar(character)) + 2), metrics.height(),
                 QImage::Format_Grayscale8);
    image.fill(Qt::black);
    QPainter painter(&image);
    painter.setFont(font);
    painter.setPen(Qt::white);
    painter.drawText(1, metrics.ascent(), QString(QChar(character)));
    return image;
}

}  // namespace

Overlay::Overlay() : context_(ImGui::CreateContext()) {
    for (char16_t c = kFirst; c <= kLast; ++c)
        if (QChar(c).isPrint()) characters_.insert(c);
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().LogFilename = nullptr;
}

Overlay::~Overlay() { ImGui::DestroyContext(context_); }

void Overlay::stop(QVulkanWindow& window) {
    if (pool_ == VK_NULL_HANDLE) return;
    ImGui::SetCurrentContext(context_);
    vkDeviceWaitIdle(window.device());
    ImGui_ImplVulkan_Shutdown();
    vkDestroyDescriptorPool(window.device(), pool_, nullptr);
    pool_ = VK_NULL_HANDLE;
}

// Dear ImGui's own fonts have one scale and few characters, so the atlas gets Qt's pictures of them.
ImFont* Overlay::addFont(ImFontAtlas& atlas, const QFont& font, Glyphs& glyphs) {
    const QFontMetrics metrics(font);
    ImFontConfig config;
    static constexpr ImWchar kSpace[] = {' ', ' ', 0};
    config.SizePixels = static_cast<float>(metrics.height());
    config.GlyphRanges = kSpace;
    ImFont* made = atlas.AddFontDefault(&config);
    for (const char16_t character : characters_) {
        QImage image = glyphOf(character, font, metrics);
        const int place = atlas.AddCustomRectFontGlyph(
            made, character, image.width(), image.height(),
            static_cast<float>(metrics.horizontalAdvance(QChar(character))), ImVec2(-1, 0));
        glyphs.emplace_back(place, std::move(image));
    }
    return made;
}

void Overlay::restart(QVulkanWindow& window, Status& status) {
    stop(window);
    ImGui::SetCurrentContext(context_);
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1};
    VkDescriptorPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    pool.maxSets = 1;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    if (!status.check(vkCreateDescriptorPool(window.device(), &pool, nullptr, &pool_),
                      "vkCreateDescriptorPool"))
        return;
    ImGui_ImplVulkan_InitInfo info{};
    info.Instance = window.vulkanInstance()->vkInstance();
    info.PhysicalDevice = window.physicalDevice();
    info.Device = window.device();
    info.QueueFamily = window.graphicsQueueFamilyIndex();
    info.Queue = window.graphicsQueue();
    info.DescriptorPool = pool_;
    // One set of buffers for each frame in flight.
    info.MinImageCount = 2;
    info.ImageCount = std::max(2U, static_cast<std::uint32_t>(window.concurrentFrameCount()));
    info.MSAASamples = window.sampleCountFlagBits();
    ImGui_ImplVulkan_Init(&info, window.defaultRenderPass());

    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    Glyphs glyphs;
    QFont font = font_;
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(QFontInfo(font_).pixelSize() * ratio_))));
    small_ = addFont(atlas, font, glyphs);
    font.setPixelSize(kLargePixels);
    large_ = addFont(atlas, font, glyphs);
    atlas.Build();
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    atlas.GetTexDataAsAlpha8(&pixels, &width, &height);
    for (const auto& [place, image] : glyphs) {
        const ImFontAtlasCustomRect& rect = *atlas.GetCustomRectByIndex(place);
        for (int y = 0; y < rect.Height; ++y)
            std::copy_n(image.constScanLine(y), rect.Width, pixels + (rect.Y + y) * width + rect.X);
    }
    ImGui_ImplVulkan_CreateFontsTexture(window.currentCommandBuffer());
}

bool Overlay::addCharacters(const CanvasPicture& picture) {
    const std::size_t before = characters_.size();
    for (const CanvasMark& mark : picture.marks)
        for (const QChar c : mark.text) characters_.insert(c.unicode());
    for (const CanvasTile& tile : picture.tiles)
        for (const Shape& shape : tile.scene->shapes)
            if (shape.kind == Shape::Kind::text)
                for (const QChar c : QString::fromStdString(shape.text)) characters_.insert(c.unicode());
    return characters_.size() != before;
}

void Overlay::prepare(QVulkanWindow& window, const CanvasPicture& picture, double ratio, Status& status) {
    const bool added = addCharacters(picture);
    const bool changed = added || font_ != picture.font || ratio_ != static_cast<float>(ratio);
    if (pool_ == VK_NULL_HANDLE || changed) {
        font_ = picture.font;
        ratio_ = static_cast<float>(ratio);
        restart(window, status);
        if (status.failed()) return;
    }
    ImGui::SetCurrentContext(context_);
    const QSize size = window.swapChainImageSize();
    ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(size.width()), static_cast<float>(size.height()));
    ImGui_ImplVulkan_NewFrame();
    ImGui::NewFrame();
    for (const CanvasTile& tile : picture.tiles) addTexts(tile);
    for (const CanvasMark& mark : picture.marks) addMark(mark);
    ImGui::Render();
}

// Upright: a text's angle is ignored.
void Overlay::addTexts(const CanvasTile& tile) {
    const Scene& scene = *tile.scene;
    if (!(scene.right > scene.left)) return;
    const double scale = tile.place.width() / static_cast<double>(scene.right - scene.left) * ratio_;
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    for (const Shape& shape : scene.shapes) {
        // The cap height is about 0.7 of the font size.
        const float size = shape.h * static_cast<float>(scale) / 0.7F * large_->FontSize / kLargePixels;
        if (shape.kind != Shape::Kind::text || size < 4) continue;
        const QByteArray text(shape.text.data(), static_cast<qsizetype>(shape.text.size()));
        const ImVec2 extent = large_->CalcTextSizeA(size, FLT_MAX, 0, text.constData());
        const float x = static_cast<float>(tile.place.left()) * ratio_ +
                        (shape.x - scene.left) * static_cast<float>(scale);
        const float y = static_cast<float>(tile.place.bottom()) * ratio_ -
                        (shape.y - scene.bottom) * static_cast<float>(scale);
        const QColor colour(shape.fill.r, shape.fill.g, shape.fill.b, shape.fill.a);
        list.AddText(large_, size, ImVec2(x - extent.x / 2, y - extent.y / 2), colourOf(colour),
                     text.constData());
    }
}

void Overlay::addMark(const CanvasMark& mark) {
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const auto at = [this](const QPointF& point) {
        return ImVec2(static_cast<float>(point.x()) * ratio_, static_cast<float>(point.y()) * ratio_);
    };
    const ImVec2 from = at(mark.area.topLeft()), to = at(mark.area.bottomRight());
    const float width = static_cast<float>(mark.width) * ratio_,
                radius = static_cast<float>(mark.radius) * ratio_;
    const ImU32 colour = colourOf(mark.colour);
    switch (mark.kind) {
        case CanvasMark::Kind::fill: return list.AddRectFilled(from, to, colour, radius);
        case CanvasMark::Kind::outline: return list.AddRect(from, to, colour, radius, 0, width);
        case CanvasMark::Kind::line: {
            std::vector<ImVec2> points;
            for (const QPointF& point : mark.points) points.push_back(at(point));
            return list.AddPolyline(points.data(), static_cast<int>(points.size()), colour, 0, width);
        }
        case CanvasMark::Kind::text: {
            const QByteArray text = mark.text.toUtf8();
            const ImVec2 extent = small_->CalcTextSizeA(small_->FontSize, FLT_MAX, 0, text.constData());
            const float space = to.x - from.x - extent.x;
            float x = from.x;
            if (mark.alignment & Qt::AlignHCenter) x += space / 2;
            if (mark.alignment & Qt::AlignRight) x += space;
            const float y = (from.y + to.y - extent.y) / 2;
            return list.AddText(small_, small_->FontSize, ImVec2(std::round(x), std::round(y)), colour,
                                text.constData());
        }
    }
}

void Overlay::draw(VkCommandBuffer commands) {
    ImGui::SetCurrentContext(context_);
    ImGui_ImplVulkan_RenderDrawData(ImGui::GetDrawData(), commands);
}

}  // namespace seedbed::ui::live
