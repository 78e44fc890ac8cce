// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shell/return_key_filter.hpp"

#include <QApplication>
#include <QDialog>
#include <QKeyEvent>
#include <QPushButton>
#include <QToolButton>

namespace seedbed::ui {

ReturnKeyFilter::ReturnKeyFilter(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool ReturnKeyFilter::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::KeyRelease) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter) return false;
    if ((key->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier || key->isAutoRepeat()) return false;
    auto* button = qobject_cast<QAbstractButton*>(watched);
    if (button == nullptr || qobject_cast<QDialog*>(button->window()) != nullptr) return false;
    if (qobject_cast<QPushButton*>(button) == nullptr && qobject_cast<QToolButton*>(button) == nullptr)
        return false;
    QKeyEvent space(event->type(), Qt::Key_Space, Qt::NoModifier, QStringLiteral(" "));
    QApplication::sendEvent(button, &space);
    return true;
}

}  // namespace seedbed::ui
