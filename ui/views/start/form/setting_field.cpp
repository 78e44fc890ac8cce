// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/form/setting_field.hpp"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>

#include "ui/models/text/core_text.hpp"

namespace seedbed::ui {

SettingField::SettingField(const FormField& field, const QString& name, QWidget* parent)
    : QWidget(parent), field_(field) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    const QStringList special = field.specialTexts();
    QWidget* control = nullptr;
    if (field.type == QLatin1String("boolean")) {
        control = check_ = new QCheckBox(this);
        connect(check_, &QCheckBox::clicked, this,
                [this](bool on) { Q_EMIT committed(on ? QStringLiteral("true") : QStringLiteral("false")); });
    } else if (field.choices.isEmpty() && special.isEmpty()) {
        control = line_ = new QLineEdit(this);
    } else {
        control = box_ = new QComboBox(this);
        box_->addItems(field.choices + special);
        // Numbers can be typed and special values selected.
        box_->setEditable(field.choices.isEmpty());
        box_->setInsertPolicy(QComboBox::NoInsert);
        if (box_->isEditable()) box_->setCompleter(nullptr);
        box_->setMinimumContentsLength(8);
        box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        line_ = box_->lineEdit();
        connect(box_, &QComboBox::textActivated, this, &SettingField::committed);
    }
    control->setObjectName(QStringLiteral("setting-") + field.key);
    control->setAccessibleName(name);
    row->addWidget(control, 1);
    setFocusProxy(control);  // the line of an editable box never has the focus itself
    control->installEventFilter(this);
    if (line_ != nullptr) prepareLine();
    showValue(field);
}

void SettingField::prepareLine() {
    connect(line_, &QLineEdit::textEdited, this, [this] {
        pending_ = true;
        Q_EMIT typed();
    });
    connect(line_, &QLineEdit::editingFinished, this, [this] {
        if (pending_) Q_EMIT committed(line_->text());
        else showText();
    });
}

QString SettingField::typedText() const { return line_ != nullptr ? line_->text() : QString(); }

void SettingField::showValue(const FormField& field) {
    field_ = field;
    pending_ = false;
    const bool on = field.text == QLatin1String("true");
    if (check_ != nullptr) {
        check_->setChecked(on);
        check_->setText(field.shown(field.text));
    } else if (line_ != nullptr) {
        showText();
    } else {
        box_->setCurrentText(field.text);
    }
}

// Numbers have separators unless they are being edited.
void SettingField::showText() {
    const QString shown = field_.shown(field_.text);
    const bool number = field_.type == QLatin1String("integer") || field_.type == QLatin1String("real");
    const bool special = field_.specialTexts().contains(shown);
    line_->setText(focusProxy()->hasFocus() && !special ? (number ? localNumber(field_.text) : field_.text)
                                                        : shown);
    line_->setCursorPosition(0);
}

bool SettingField::eventFilter(QObject* watched, QEvent* event) {
    if (line_ != nullptr && event->type() == QEvent::FocusIn && !pending_) {
        const bool by_key = static_cast<QFocusEvent*>(event)->reason() != Qt::MouseFocusReason;
        QMetaObject::invokeMethod(
            this,
            [this, by_key] {
                if (pending_ || !focusProxy()->hasFocus()) return;
                showText();
                if (by_key) line_->selectAll();
            },
            Qt::QueuedConnection);
        return false;
    }
    const bool is_key = event->type() == QEvent::KeyPress;
    const int key = is_key ? static_cast<QKeyEvent*>(event)->key() : 0;
    if (key == Qt::Key_Escape && pending_) {
        Q_EMIT reverted();
        return true;
    }
    // Check the event type first: QComboBox::view() creates the list, which generates events itself.
    if (watched != box_ || (!is_key && event->type() != QEvent::Wheel) || box_->view()->isVisible())
        return QWidget::eventFilter(watched, event);
    // A closed list ignores arrow keys and the wheel, so that moving through the form does not change values.
    if (event->type() == QEvent::Wheel) {
        event->ignore();
        return true;
    }
    if (static_cast<QKeyEvent*>(event)->modifiers() & Qt::AltModifier) return false;
    for (const int walking :
         {Qt::Key_Up, Qt::Key_Down, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Home, Qt::Key_End})
        if (key == walking && (line_ == nullptr || (key != Qt::Key_Home && key != Qt::Key_End))) {
            event->ignore();
            return true;
        }
    if (line_ == nullptr && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
        box_->showPopup();
        return true;
    }
    return false;
}

}  // namespace seedbed::ui
