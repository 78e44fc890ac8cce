// SPDX-License-Identifier: GPL-3.0-or-later
// Return presses the focused button, like Space, except in dialogs, where it presses the default button.
#pragma once

#include <QObject>

namespace seedbed::ui {

// Filters the events of the whole application while it exists.
class ReturnKeyFilter : public QObject {
    Q_OBJECT
public:
    explicit ReturnKeyFilter(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace seedbed::ui
