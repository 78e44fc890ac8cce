// SPDX-License-Identifier: GPL-3.0-or-later
// The composition root of the window: makes the services and the main window. main() and the tests that drive
// the whole window use it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/paths.hpp"
#include "ui/views/services.hpp"
#include "ui/views/shell/desktop.hpp"
#include "ui/views/shell/main_window.hpp"

namespace seedbed {

struct WindowOptions {
    bool safe_mode = false;     // ignore and keep what the window remembers
    bool measure = true;        // how long presets take here, some seconds after the start
    QString program;            // the file of seedbed; "" is that beside this program
    QVariantMap handed_over{};  // of the window before, when this one takes its place
};

// Thread: the one of the QApplication, which must exist. Runs go on when it is destroyed.
class WindowApplication {
public:
    // `desktop` is told what the desktop should show; null is the session bus.
    WindowApplication(const UserFolders& folders, const WindowOptions& options,
                      std::unique_ptr<ui::Desktop> desktop = nullptr);
    ~WindowApplication();

    ui::MainWindow& window() { return *window_; }
    const ui::Services& services() const { return services_; }

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
    ui::Services services_;
    std::unique_ptr<ui::MainWindow> window_;
};

}  // namespace seedbed
