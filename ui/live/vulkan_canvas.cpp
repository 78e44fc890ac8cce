// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/vulkan_canvas.hpp"

#include <array>
#include <cstring>

#include <QEvent>
#include <QTimer>
#include <QVulkanInstance>

#include "core/base/version.hpp"

namespace seedbed::ui::live {
namespace {

constexpr int kSamples = 4;  // of graphics cards, for the edges of polygons

// Kinds of devices, best first. Software devices are the last.
constexpr std::array kKinds{VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU,
                            VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, VK_PHYSICAL_DEVICE_TYPE_OTHER,
                            VK_PHYSICAL_DEVICE_TYPE_CPU};

// One for the process, because drivers remain loaded. Null if there is no Vulkan.
QVulkanInstance* sharedInstance() {
    static QVulkanInstance* const instance = [] {
        auto* made = new QVulkanInstance;
        if (qgetenv("SEEDBED_VULKAN_VALIDATION") == "1") made->setLayers({"VK_LAYER_KHRONOS_validation"});
        made->create();
        return made;
    }();
    return instance->isValid() ? instance : nullptr;
}

// The index of the best device, -1 if there is none.
int chooseDevice(const QList<VkPhysicalDeviceProperties>& devices, bool software) {
    for (const VkPhysicalDeviceType kind : kKinds)
        for (int i = 0; i < devices.size(); ++i)
            if (devices[i].deviceType == kind && (software || kind != VK_PHYSICAL_DEVICE_TYPE_CPU)) return i;
    return -1;
}

}  // namespace

Canvas* VulkanCanvas::create(CanvasRequest& request) {
    QVulkanInstance* instance = sharedInstance();
    if (instance == nullptr) {
        request.reason = QStringLiteral("no Vulkan driver was found");
        return nullptr;
    }
    QVulkanWindow probe;
    probe.setVulkanInstance(instance);
    const QList<VkPhysicalDeviceProperties> devices = probe.availablePhysicalDevices();
    const int device = chooseDevice(devices, request.software);
    if (device < 0) {
        request.reason = QStringLiteral("there is no graphics card with Vulkan");
        return nullptr;
    }
    auto* canvas = new VulkanCanvas(std::move(request.reports));
    canvas->start(*instance, device, devices[device].deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU,
                  request.parent);
    return canvas;
}

void VulkanCanvas::start(QVulkanInstance& instance, int device, bool software, QWidget* parent) {
    window_ = new LiveWindow([this](const QString& reason) { report(reason); });
    window_->setVulkanInstance(&instance);
    window_->setPhysicalDeviceIndex(device);
    window_->setFlags(QVulkanWindow::PersistentResources);
    // With sRGB formats the colours would differ from those of the window.
    window_->setPreferredColorFormats({VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM});
    if (!software && window_->supportedSampleCounts().contains(kSamples)) window_->setSampleCount(kSamples);
    // The page has the keyboard.
    window_->setFlag(Qt::WindowDoesNotAcceptFocus);
    window_->installEventFilter(this);
    container_ = QWidget::createWindowContainer(window_, parent);
    container_->setFocusPolicy(Qt::NoFocus);
}

VulkanCanvas::~VulkanCanvas() {
    window_->removeEventFilter(this);
    delete container_;
}

// Not from within a frame, because the receiver destroys the canvas.
void VulkanCanvas::report(const QString& reason) {
    if (std::exchange(lost_, true)) return;
    QTimer::singleShot(0, this, [this, reason] {
        const auto lost = std::move(reports_.lost);
        lost(reason);
    });
}

void VulkanCanvas::lose() { report(QStringLiteral("a test")); }

bool VulkanCanvas::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::MouseButtonPress:
        case QEvent::MouseButtonRelease:
        case QEvent::MouseButtonDblClick:
        case QEvent::MouseMove:
        case QEvent::Wheel:
        case QEvent::Leave: reports_.input(*event); return true;
        case QEvent::Expose:
            // Qt makes the device when it handles this event, and only prints why it cannot.
            QTimer::singleShot(0, this, [this] {
                if (window_->isExposed() && !window_->size().isEmpty() && !window_->isValid())
                    report(QStringLiteral("the device cannot show pictures in this window"));
            });
            break;
        default: break;
    }
    return QObject::eventFilter(watched, event);
}

extern "C" __attribute__((visibility("default"))) Canvas* seedbed_live_canvas(CanvasRequest& request) {
    if (std::strcmp(request.version, kVersion) != 0) {
        request.reason = QStringLiteral("seedbed_live.so belongs to a different version");
        return nullptr;
    }
    return VulkanCanvas::create(request);
}

}  // namespace seedbed::ui::live
