// SPDX-License-Identifier: Apache-2.0
// The screen for tests of the whole window: Xvfb if installed, otherwise Qt's offscreen platform.
#pragma once

#include <optional>

#include "core/ipc/child_process.hpp"

namespace seedbed::ui {

class Screen {
public:
    // Call before creating the QApplication. Does nothing if QT_QPA_PLATFORM is set. Also sets separate XDG
    // folders for the process.
    Screen();

private:
    std::optional<ChildProcess> server_;
};

}  // namespace seedbed::ui
