// SPDX-License-Identifier: GPL-3.0-or-later
// The live canvas in Vulkan and Dear ImGui: a native window inside the page.
#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

#include "ui/live/live_window.hpp"
#include "ui/views/watch/canvas.hpp"

namespace seedbed::ui::live {

class VulkanCanvas : public QObject, public Canvas {
public:
    // Null, with the reason in the request, if there is no device for it.
    static Canvas* create(CanvasRequest& request);
    ~VulkanCanvas() override;

    QWidget* widget() override { return container_; }
    void show(std::shared_ptr<const CanvasPicture> picture) override { window_->show(std::move(picture)); }
    std::uint64_t drawn() const override { return window_->drawn(); }
    void lose() override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    explicit VulkanCanvas(CanvasReports reports) : reports_(std::move(reports)) {}
    void start(QVulkanInstance& instance, int device, bool software, QWidget* parent);
    void report(const QString& reason);

    CanvasReports reports_;
    bool lost_ = false;
    LiveWindow* window_ = nullptr;  // owned by the container
    QPointer<QWidget> container_;
};

}  // namespace seedbed::ui::live
