// SPDX-License-Identifier: GPL-3.0-or-later
// Desktop integration over the session bus, if there is one: notifications and progress in the taskbar.
#pragma once

#include <QString>

namespace seedbed::ui {

// Thread: GUI. Does not block.
class Desktop {
public:
    virtual ~Desktop() = default;
    virtual void notify(const QString& title, const QString& text);
    // share: 0 to 1; negative hides the progress.
    virtual void showProgress(double share);
};

}  // namespace seedbed::ui
