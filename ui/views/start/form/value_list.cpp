// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/form/value_list.hpp"

#include <algorithm>
#include <utility>

#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/suggested_values.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {

ValueList::ValueList(const ConfigForm& form, const QString& key, const QString& name,
                     const QStringList& choices, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      form_(form),
      theme_(theme),
      key_(key),
      name_(name),
      choices_(choices),
      chips_(new QWidget(this)) {
    setObjectName(QStringLiteral("values-") + key);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    new FlowLayout(chips_);
    column->addWidget(chips_);
    if (!choices.isEmpty()) return;
    input_ = new QLineEdit(parent);
    input_->setObjectName(QStringLiteral("add-value-") + key);
    input_->setAccessibleName(tr("Add a value of %1").arg(name));
    input_->setPlaceholderText(tr("Add a value"));
    input_->setToolTip(tr("Return adds the value; Backspace in the empty field removes the last one"));
    input_->installEventFilter(this);
    connect(input_, &QLineEdit::textEdited, this, [this](const QString& text) {
        // A separator adds the values before it.
        if (!text.isEmpty() && separators().contains(text.back())) commit();
        Q_EMIT problemChanged();
    });
    connect(input_, &QLineEdit::editingFinished, this, &ValueList::commit);
}

// A comma may be part of a list or of a decimal number.
QString ValueList::separators() const {
    const FormField* field = form_.field(key_);
    const bool lists = field != nullptr &&
                       (field->type == QLatin1String("integers") || field->type == QLatin1String("reals"));
    return lists || QLocale().decimalPoint() == QLatin1String(",") ? QStringLiteral(";")
                                                                   : QStringLiteral(",;");
}

bool ValueList::canVary(const QString& value) {
    return !value.isEmpty() && !value.contains(QLatin1Char(' ')) && !value.contains(QLatin1Char('='));
}

void ValueList::setValues(const QStringList& values) {
    values_ = values;
    QString had_focus;
    for (QPushButton* chip : chips()) {
        if (chip->hasFocus()) had_focus = chip->property("value").toString();
        chips_->layout()->removeWidget(chip);
        chip->setParent(nullptr);
        chip->deleteLater();
    }
    if (!choices_.isEmpty()) {
        for (const QString& choice : choices_) addChip(choice, values.contains(choice));
    } else {
        for (const QString& value : values) addChip(value, true);
        for (const QString& value : suggestedValues(form_, key_))
            if (!values.contains(value)) addChip(value, false);
    }
    chips_->updateGeometry();
    if (had_focus.isEmpty()) return;
    if (input_ != nullptr) input_->setFocus();
    else
        for (QPushButton* chip : chips())
            if (chip->property("value") == had_focus) chip->setFocus();
}

QList<QPushButton*> ValueList::chips() const {
    return chips_->findChildren<QPushButton*>(QString(), Qt::FindDirectChildrenOnly);
}

QWidget* ValueList::followTab(QWidget* before) {
    for (QPushButton* chip : chips()) setTabOrder(std::exchange(before, chip), chip);
    return before;
}

QWidget* ValueList::input() const { return input_; }

void ValueList::addChip(const QString& value, bool is_on) {
    const FormField* field = form_.field(key_);
    const QString shown = field != nullptr ? field->shown(value) : value;
    auto* chip = new QPushButton(shown, chips_);
    chip->setObjectName(QStringLiteral("value-%1-%2").arg(key_, value));
    chip->setProperty("value", value);
    chip->setCheckable(true);
    chip->setChecked(is_on);
    if (choices_.isEmpty()) {
        chip->setLayoutDirection(is_on ? Qt::RightToLeft : Qt::LeftToRight);  // the cross is behind the value
        chip->setIcon(theme_.icon(is_on ? QStringLiteral("remove") : QStringLiteral("add")));
        chip->setIconSize({12, 12});
    }
    chip->setAccessibleName(is_on ? tr("%1 %2, selected").arg(name_, shown) : tr("%1 %2").arg(name_, shown));
    chip->setToolTip(is_on ? tr("Remove this value") : tr("Also train with this value"));
    setKind(chip, ButtonKind::chip);
    chip->installEventFilter(this);
    chips_->layout()->addWidget(chip);
    chip->show();
    connect(chip, &QPushButton::clicked, this, [this, value](bool on) { toggle(value, on); });
}

void ValueList::toggle(const QString& value, bool on) {
    QStringList values = values_;
    if (on && !values.contains(value)) values += value;
    if (!on) values.removeAll(value);
    // Choices keep their order.
    if (!choices_.isEmpty())
        std::sort(values.begin(), values.end(), [this](const QString& a, const QString& b) {
            return choices_.indexOf(a) < choices_.indexOf(b);
        });
    Q_EMIT changed(values);
}

QStringList ValueList::typedValues(QString& problem) const {
    QStringList values;
    if (input_ == nullptr) return values;
    QString text = input_->text();
    for (const QChar separator : separators()) text.replace(separator, QLatin1Char('\n'));
    for (const QString& part : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        QString value = part.trimmed();
        if (value.isEmpty()) continue;
        problem = form_.problemWith(key_, value, &value);
        if (problem.isEmpty() && !canVary(value))
            problem = tr("%1: texts with spaces or “=” cannot be varied").arg(name_);
        if (!problem.isEmpty()) return {};
        values += value;
    }
    return values;
}

QString ValueList::problem() const {
    QString problem;
    (void)typedValues(problem);
    return problem;
}

bool ValueList::commit() {
    QString problem;
    const QStringList typed = typedValues(problem);
    if (!problem.isEmpty()) return false;
    if (input_ == nullptr || input_->text().isEmpty()) return true;
    input_->clear();
    QStringList values = values_ + typed;
    values.removeDuplicates();
    if (values != values_) Q_EMIT changed(values);
    Q_EMIT problemChanged();
    return true;
}

void ValueList::clearTyped() {
    if (input_ == nullptr) return;
    input_->clear();
    Q_EMIT problemChanged();
}

void ValueList::focusInput() {
    if (input_ != nullptr) return input_->setFocus();
    if (!chips().isEmpty()) chips().front()->setFocus();
}

bool ValueList::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (watched != input_) {
        const auto* chip = qobject_cast<QPushButton*>(watched);
        if (chip == nullptr || !chip->isChecked() || (key != Qt::Key_Backspace && key != Qt::Key_Delete))
            return QWidget::eventFilter(watched, event);
        toggle(chip->property("value").toString(), false);
        return true;
    }
    if (key == Qt::Key_Escape && !input_->text().isEmpty()) {
        clearTyped();
        return true;
    }
    if (key == Qt::Key_Backspace && input_->text().isEmpty() && !values_.isEmpty()) {
        toggle(values_.last(), false);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace seedbed::ui
