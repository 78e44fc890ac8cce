// SPDX-License-Identifier: GPL-3.0-or-later
// Edits a value of the form where it stands: a list for choices, a line for everything else.
#pragma once

#include <QPointer>
#include <QStyledItemDelegate>

namespace seedbed::ui {

class SettingDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;

    // Whether a value is being edited; commit() takes what stands there as if Return had been pressed.
    bool editing() const { return !open_.isNull(); }
    void commit();
    // Opens the list of the value that is being edited, where it is one.
    void showChoices();

Q_SIGNALS:
    // A value begins to be edited, whose setting this is.
    void opened(const QString& key) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    mutable QPointer<QWidget> open_;
};

}  // namespace seedbed::ui
