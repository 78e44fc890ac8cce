// SPDX-License-Identifier: Apache-2.0
#include "tests/ui_window/screen.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <unistd.h>

namespace seedbed::ui {

Screen::Screen() {
    namespace fs = std::filesystem;
    std::string folder = (fs::temp_directory_path() / "seedbed-window-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) std::abort();
    for (const char* name :
         {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"}) {
        const fs::path path = fs::path(folder) / name;
        fs::create_directory(path);
        fs::permissions(path, fs::perms::owner_all);
        ::setenv(name, path.c_str(), 1);
    }
    ::setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent", 1);
    if (std::getenv("QT_QPA_PLATFORM") != nullptr) return;
    ChildOptions options;
    options.arguments = {"Xvfb",         "-displayfd", "1",   "-screen", "0",
                         "2900x1900x24", "-nolisten",  "tcp", "-noreset"};
    options.output = ChildOptions::Stream::pipe;
    options.error = ChildOptions::Stream::null;
    if (auto started = ChildProcess::start(options)) {
        char text[16] = {};
        if (::read(started->output().get(), text, sizeof text - 1) > 0) {
            ::setenv("DISPLAY", (":" + std::to_string(std::atoi(text))).c_str(), 1);
            ::setenv("QT_QPA_PLATFORM", "xcb", 1);
            server_.emplace(std::move(*started));
            return;
        }
    }
    ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
}

}  // namespace seedbed::ui
