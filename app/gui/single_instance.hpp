// SPDX-License-Identifier: GPL-3.0-or-later
// One window per data folder: a second start shows the first one instead. By a socket in the XDG runtime
// folder that only the user can open.
#pragma once

#include <filesystem>
#include <functional>

#include <QLocalServer>

#include "core/base/paths.hpp"

namespace seedbed {

class SingleInstance {
public:
    explicit SingleInstance(const UserFolders& folders);
    // True when another window answered; it has been asked to show itself.
    bool showOther() const;
    // From now on `wanted` is called when another start asks. Where the socket cannot be made, windows do not
    // know of each other.
    void listen(std::function<void()> wanted);

private:
    QString path_;
    QLocalServer server_;
};

}  // namespace seedbed
