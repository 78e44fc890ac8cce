// SPDX-License-Identifier: Apache-2.0
// A screen for tests of the whole window: Xvfb where it is installed, else Qt's offscreen platform.
#pragma once

#include <optional>

#include "core/ipc/child_process.hpp"

namespace seedbed::ui {

class Screen {
public:
    // Before the QApplication is made. Does nothing when QT_QPA_PLATFORM is set. Also gives the process XDG
    // folders of its own.
    Screen();

private:
    std::optional<ChildProcess> server_;
};

}  // namespace seedbed::ui
