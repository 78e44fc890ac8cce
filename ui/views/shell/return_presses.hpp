// SPDX-License-Identifier: GPL-3.0-or-later
// Return on a button that has the focus presses it, as Space does. Dialogs have it by themselves: there
// Return is their default button's.
#pragma once

#include <QObject>

namespace seedbed::ui {

// Watches the whole application as long as it lives.
class ReturnPresses : public QObject {
    Q_OBJECT
public:
    explicit ReturnPresses(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace seedbed::ui
