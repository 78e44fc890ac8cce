// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a run of the queue as a card: name, state, settings, progress, and when it starts and ends.
#pragma once

#include <QStyledItemDelegate>

namespace seedbed::ui {

// For views of a QueueModel. Thread: GUI.
class QueueRow : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

}  // namespace seedbed::ui
