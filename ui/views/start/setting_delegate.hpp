// SPDX-License-Identifier: GPL-3.0-or-later
// Edits values in the form in place: a list for choices, a text field for other values.
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

    // Whether a value is being edited; commit() accepts it as if Return was pressed.
    bool editing() const { return !open_.isNull(); }
    void commit();
    // Opens the list of the edited value, if it has one.
    void showChoices();

Q_SIGNALS:
    // The user starts editing this setting's value.
    void opened(const QString& key) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    mutable QPointer<QWidget> open_;
};

}  // namespace seedbed::ui
