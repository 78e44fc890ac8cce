// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/own_undo.hpp"

#include <QEvent>
#include <QUndoGroup>

namespace seedbed::ui {

OwnUndo::OwnUndo(const Services& services, QWidget* widget) : QUndoStack(widget), services_(services) {
    if (services_.undo_group == nullptr) return;
    services_.undo_group->addStack(this);
    widget->installEventFilter(this);
}

bool OwnUndo::eventFilter(QObject* watched, QEvent* event) {
    QUndoGroup& group = *services_.undo_group;
    if (event->type() == QEvent::Show) group.setActiveStack(this);
    else if (event->type() == QEvent::Hide && group.activeStack() == this)
        group.setActiveStack(services_.undo);
    return QUndoStack::eventFilter(watched, event);
}

}  // namespace seedbed::ui
