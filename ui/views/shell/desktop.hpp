// SPDX-License-Identifier: GPL-3.0-or-later
// What the desktop is told: a notification when a queue is done, progress at the taskbar entry. By the
// session bus, and only if it is there.
#pragma once

#include <QString>

namespace seedbed::ui {

// Thread: the window's; nothing waits for an answer.
class Desktop {
public:
    virtual ~Desktop() = default;
    virtual void notify(const QString& title, const QString& text);
    // 0 to 1; nothing is shown for a negative one.
    virtual void showProgress(double share);
};

}  // namespace seedbed::ui
