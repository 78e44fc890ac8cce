// SPDX-License-Identifier: GPL-3.0-or-later
// Undo steps that act on one widget only: Undo and Redo of the window apply to them while it is visible.
#pragma once

#include <QUndoStack>
#include <QWidget>

#include "ui/views/services.hpp"

namespace seedbed::ui {

// A child of the widget.
class OwnUndo : public QUndoStack {
public:
    OwnUndo(const Services& services, QWidget* widget);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    Services services_;
};

}  // namespace seedbed::ui
