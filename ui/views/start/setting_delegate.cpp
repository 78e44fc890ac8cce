// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/setting_delegate.hpp"

#include <QComboBox>
#include <QLineEdit>

#include "ui/models/config_form.hpp"

namespace seedbed::ui {

QWidget* SettingDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const {
    QStringList choices = index.data(ConfigForm::kChoicesRole).toStringList();
    if (index.data(ConfigForm::kTypeRole).toString() == QLatin1String("boolean"))
        choices = {QStringLiteral("true"), QStringLiteral("false")};
    const QString name = index.siblingAtColumn(ConfigForm::kName).data().toString();
    const QStringList special = index.data(ConfigForm::kSpecialRole).toStringList();
    if (choices.isEmpty() && special.isEmpty()) {
        auto* line = new QLineEdit(parent);
        line->setAccessibleName(name);
        line->setFrame(false);
        return line;
    }
    auto* box = new QComboBox(parent);
    box->setAccessibleName(name);
    box->addItems(choices + special);
    // Numbers are typed, what has a meaning of its own can be chosen.
    box->setEditable(choices.isEmpty());
    box->setInsertPolicy(QComboBox::NoInsert);
    auto* self = const_cast<SettingDelegate*>(this);
    connect(box, &QComboBox::activated, self, [self, box] {
        Q_EMIT self->commitData(box);
        Q_EMIT self->closeEditor(box);
    });
    return box;
}

void SettingDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    const QString text = index.data(Qt::EditRole).toString();
    auto* box = qobject_cast<QComboBox*>(editor);
    if (box != nullptr && box->isEditable()) box->setEditText(index.data(Qt::DisplayRole).toString());
    else if (box != nullptr) box->setCurrentText(text);
    else if (auto* line = qobject_cast<QLineEdit*>(editor)) line->setText(text);
}

void SettingDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    if (auto* box = qobject_cast<QComboBox*>(editor)) model->setData(index, box->currentText(), Qt::EditRole);
    else if (auto* line = qobject_cast<QLineEdit*>(editor)) model->setData(index, line->text(), Qt::EditRole);
}

}  // namespace seedbed::ui
