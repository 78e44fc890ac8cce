// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a policy of the library: name and facts, and its score with the goal at the end of the row.
#pragma once

#include <QStyledItemDelegate>

namespace seedbed::ui {

// For views of a PolicyList. Thread: GUI.
class PolicyRow : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

}  // namespace seedbed::ui
