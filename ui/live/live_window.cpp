// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/live_window.hpp"

#include <array>

namespace seedbed::ui::live {

QVulkanWindowRenderer* LiveWindow::createRenderer() { return new Renderer(*this); }

void LiveWindow::show(std::shared_ptr<const CanvasPicture> picture) {
    picture_ = std::move(picture);
    requestUpdate();
}

void Renderer::initResources() {
    status_ = {};
    tiles_.start(window_, status_);
}

void Renderer::releaseResources() {
    overlay_.stop(window_);
    tiles_.stop(window_);
}

void Renderer::beginPass() const {
    const QColor background = window_.picture_ ? window_.picture_->background : QColor(Qt::black);
    std::array<VkClearValue, 3> clear{};
    clear[0].color = {{static_cast<float>(background.redF()), static_cast<float>(background.greenF()),
                       static_cast<float>(background.blueF()), 1}};
    clear[1].depthStencil = {1, 0};
    clear[2] = clear[0];  // with several samples
    const QSize size = window_.swapChainImageSize();
    VkRenderPassBeginInfo info{};
    info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO;
    info.renderPass = window_.defaultRenderPass();
    info.framebuffer = window_.currentFramebuffer();
    info.renderArea.extent = {static_cast<std::uint32_t>(size.width()),
                              static_cast<std::uint32_t>(size.height())};
    info.clearValueCount = window_.sampleCountFlagBits() > VK_SAMPLE_COUNT_1_BIT ? 3 : 2;
    info.pClearValues = clear.data();
    vkCmdBeginRenderPass(window_.currentCommandBuffer(), &info, VK_SUBPASS_CONTENTS_INLINE);
}

void Renderer::startNextFrame() {
    const std::shared_ptr<const CanvasPicture> picture = window_.picture_;
    const double ratio = window_.devicePixelRatio();
    if (picture && !status_.failed()) {
        tiles_.prepare(window_, *picture, ratio, status_);
        if (!status_.failed()) overlay_.prepare(window_, *picture, ratio, status_);
    }
    beginPass();
    if (picture && !status_.failed()) {
        tiles_.draw(window_);
        overlay_.draw(window_.currentCommandBuffer());
    }
    vkCmdEndRenderPass(window_.currentCommandBuffer());
    if (status_.failed()) window_.report(QString::fromStdString(status_.failure()));
    else if (picture) ++window_.drawn_;
    window_.frameReady();
}

void Renderer::physicalDeviceLost() { window_.report(QStringLiteral("the graphics card was removed")); }

void Renderer::logicalDeviceLost() { window_.report(QStringLiteral("the graphics driver reset the device")); }

}  // namespace seedbed::ui::live
