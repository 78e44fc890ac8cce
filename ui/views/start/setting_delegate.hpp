// SPDX-License-Identifier: GPL-3.0-or-later
// Edits a value of the form where it stands: a list for choices, a line for everything else.
#pragma once

#include <QStyledItemDelegate>

namespace seedbed::ui {

class SettingDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
};

}  // namespace seedbed::ui
