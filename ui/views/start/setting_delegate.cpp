// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/setting_delegate.hpp"

#include <utility>

#include <QAbstractItemView>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>

#include "ui/models/config_form.hpp"

namespace seedbed::ui {

QWidget* SettingDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&,
                                       const QModelIndex& index) const {
    Q_EMIT opened(index.data(ConfigForm::kKeyRole).toString());
    QStringList choices = index.data(ConfigForm::kChoicesRole).toStringList();
    if (index.data(ConfigForm::kTypeRole).toString() == QLatin1String("boolean"))
        choices = {QStringLiteral("true"), QStringLiteral("false")};
    const QString name = index.siblingAtColumn(ConfigForm::kName).data().toString();
    const QStringList special = index.data(ConfigForm::kSpecialRole).toStringList();
    if (choices.isEmpty() && special.isEmpty()) {
        auto* line = new QLineEdit(parent);
        line->setAccessibleName(name);
        line->setFrame(false);
        open_ = line;
        return line;
    }
    auto* box = new QComboBox(parent);
    box->setAccessibleName(name);
    box->addItems(choices + special);
    // Numbers can be typed and special values selected.
    box->setEditable(choices.isEmpty());
    box->setInsertPolicy(QComboBox::NoInsert);
    auto* self = const_cast<SettingDelegate*>(this);
    connect(box, &QComboBox::activated, self, [self, box] {
        Q_EMIT self->commitData(box);
        Q_EMIT self->closeEditor(box);
    });
    open_ = box;
    return box;
}

void SettingDelegate::commit() {
    if (open_.isNull()) return;
    QWidget* editor = std::exchange(open_, nullptr);
    Q_EMIT commitData(editor);
    Q_EMIT closeEditor(editor);
}

void SettingDelegate::showChoices() {
    auto* box = qobject_cast<QComboBox*>(open_.data());
    if (box != nullptr && !box->isEditable()) box->showPopup();
}

// A closed list ignores arrow keys and the wheel, so that moving through the form does not change values.
bool SettingDelegate::eventFilter(QObject* watched, QEvent* event) {
    // Check the event type first: QComboBox::view() creates the list, which generates events itself.
    const bool walks = event->type() == QEvent::Wheel || event->type() == QEvent::KeyPress;
    const auto* box = walks ? qobject_cast<QComboBox*>(watched) : nullptr;
    const bool closed = box != nullptr && !box->view()->isVisible();
    if (closed && event->type() == QEvent::Wheel) {
        event->ignore();
        return true;
    }
    if (closed && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool opens = key->modifiers() & Qt::AltModifier;
        for (const int walking :
             {Qt::Key_Up, Qt::Key_Down, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Home, Qt::Key_End})
            if (key->key() == walking && !opens) {
                event->ignore();
                return true;
            }
    }
    return QStyledItemDelegate::eventFilter(watched, event);
}

void SettingDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    const QString text = index.data(Qt::EditRole).toString();
    auto* box = qobject_cast<QComboBox*>(editor);
    // Special values are edited as displayed, numbers without separators.
    const QString shown = index.data(Qt::DisplayRole).toString();
    if (box != nullptr && box->isEditable())
        box->setEditText(index.data(ConfigForm::kSpecialRole).toStringList().contains(shown) ? shown : text);
    else if (box != nullptr) box->setCurrentText(text);
    else if (auto* line = qobject_cast<QLineEdit*>(editor)) line->setText(text);
}

void SettingDelegate::setModelData(QWidget* editor, QAbstractItemModel* model,
                                   const QModelIndex& index) const {
    if (auto* box = qobject_cast<QComboBox*>(editor)) model->setData(index, box->currentText(), Qt::EditRole);
    else if (auto* line = qobject_cast<QLineEdit*>(editor)) model->setData(index, line->text(), Qt::EditRole);
}

}  // namespace seedbed::ui
