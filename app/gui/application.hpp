// SPDX-License-Identifier: GPL-3.0-or-later
// The composition root of the window: creates the services and the main window, for main() and window tests.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/base/os/paths.hpp"
#include "ui/views/services.hpp"
#include "ui/views/shell/desktop.hpp"
#include "ui/views/shell/main_window.hpp"

namespace seedbed {

struct WindowOptions {
    bool safe_mode = false;     // ignore the stored window state and leave it unchanged
    bool measure = true;        // measure the speed of presets a few seconds after startup
    QString program;            // path of seedbed; "": in the folder of this program
    QVariantMap page_states{};  // state of the previous window if this one replaces it
};

// Thread: the QApplication's, which must exist. Active runs continue after destruction.
class WindowApplication {
public:
    // `desktop` shows notifications and progress; null: the session bus is used.
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
