// SPDX-License-Identifier: GPL-3.0-or-later
// One window per data folder: a second start shows the first window instead. Uses a socket in the XDG runtime
// folder that only the user can open.
#pragma once

#include <filesystem>
#include <functional>

#include <QLocalServer>

#include "core/base/os/paths.hpp"

namespace seedbed {

class SingleInstance {
public:
    explicit SingleInstance(const UserFolders& folders);
    // Asks another process to show its window and open a file; `file`: its absolute path, or "". Returns
    // true if it confirms within a timeout.
    bool showOther(const QString& file) const;
    // Calls on_show(file) whenever another process requests it. If the socket cannot be created, several
    // windows may open.
    void listen(std::function<void(const QString&)> on_show);

private:
    QString path_;
    QLocalServer server_;
};

}  // namespace seedbed
