// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/form/setting_row.hpp"

#include <utility>

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/config_form.hpp"
#include "ui/views/start/form/setting_field.hpp"
#include "ui/views/start/form/value_list.hpp"
#include "ui/views/style/card.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

// In characters; a row narrower than two columns has the value below the text.
constexpr int kControlLetters = 34;

QStringList choicesOf(const FormField& field) {
    return field.type == QLatin1String("boolean")
               ? QStringList{QStringLiteral("true"), QStringLiteral("false")}
               : field.choices;
}

// Drawn only while its row is in use, since every row has one.
class VaryButton : public QPushButton {
public:
    VaryButton(const QString& text, const SettingRow& row, QWidget* parent)
        : QPushButton(text, parent), row_(row) {}

protected:
    void paintEvent(QPaintEvent* event) override {
        if (isChecked() || row_.isInUse()) QPushButton::paintEvent(event);
    }

private:
    const SettingRow& row_;
};

}  // namespace

SettingRow::SettingRow(ConfigForm& form, const QString& key, RunId like, const Theme& theme, QWidget* parent)
    : QWidget(parent), form_(form), key_(key), name_(form.nameOf(key)), like_(like), theme_(theme) {
    setObjectName(QStringLiteral("row-") + key);
    box_ = new QBoxLayout(QBoxLayout::LeftToRight, this);
    box_->setContentsMargins(0, 0, 0, 0);
    box_->setSpacing(kGrid / 2);
    box_->addWidget(makeText(), 1);
    controls_ = makeControls();
    box_->addWidget(controls_);
    refresh();
    connect(qApp, &QApplication::focusChanged, this, &SettingRow::showUse);
}

// Its fields lose the focus while they are destroyed.
SettingRow::~SettingRow() { disconnect(qApp, nullptr, this, nullptr); }

bool SettingRow::isInUse() const {
    const QWidget* focus = QApplication::focusWidget();
    return underMouse() || (focus != nullptr && isAncestorOf(focus));
}

void SettingRow::showUse() {
    if (std::exchange(shows_use_, isInUse()) == shows_use_) return;
    vary_->update();
}

void SettingRow::enterEvent(QEnterEvent* event) {
    QWidget::enterEvent(event);
    showUse();
}

void SettingRow::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    showUse();
}

QWidget* SettingRow::makeText() {
    auto* text = new QWidget(this);
    auto* column = new QVBoxLayout(text);
    column->setContentsMargins(0, 0, 2 * kGrid, 0);
    column->setSpacing(2);
    auto* first = new QHBoxLayout;
    auto* name = new QLabel(name_, text);
    name->setFont(textFont(TextSize::body, QFont::DemiBold));
    name->setToolTip(QStringLiteral("--") + key_);
    first->addWidget(name);
    changed_ = new Chip(text);
    changed_->setText(tr("changed"));
    changed_->setTone(Tone::warning);
    first->addWidget(changed_);
    first->addStretch(1);
    column->addLayout(first);
    auto* help = new QLabel(form_.field(key_)->help, text);
    help->setWordWrap(true);
    help->setTextFormat(Qt::PlainText);
    setTextColour(help, theme_, TextColour::quiet);
    column->addWidget(help);
    column->addStretch(1);
    return text;
}

QWidget* SettingRow::makeControls() {
    const FormField& field = *form_.field(key_);
    auto* controls = new QWidget(this);
    auto* column = new QVBoxLayout(controls);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    first_ = new QHBoxLayout;
    first_->setSpacing(kGrid);
    field_ = new SettingField(field, name_, controls);
    first_->addWidget(field_, 1);
    unit_ = new QLabel(field.unit, controls);
    setTextColour(unit_, theme_, TextColour::quiet);
    unit_->setVisible(!field.unit.isEmpty());
    first_->addWidget(unit_);
    reset_ = new QPushButton(theme_.icon(QStringLiteral("reset")), QString(), controls);
    reset_->setObjectName(QStringLiteral("reset-") + key_);
    reset_->setAccessibleName(tr("Reset %1").arg(name_));
    reset_->setToolTip(tr("Reset to the preset's value"));
    setKind(reset_, ButtonKind::quiet);
    first_->addWidget(reset_);
    first_->addStretch(0);  // while there is no field
    vary_ = new VaryButton(tr("Vary"), *this, controls);
    vary_->setObjectName(QStringLiteral("vary-") + key_);
    vary_->setAccessibleName(tr("Vary %1").arg(name_));
    vary_->setToolTip(tr("Train with several values: one run per value"));
    vary_->setCheckable(true);
    vary_->setVisible(key_ != QLatin1String("run.seed"));  // there is a field for several seeds
    first_->addWidget(vary_);
    column->addLayout(first_);
    facts_ = new QLabel(controls);
    facts_->setFont(textFont(TextSize::caption));
    facts_->setWordWrap(true);
    facts_->setTextFormat(Qt::PlainText);
    column->addWidget(facts_);
    column->addStretch(1);
    connect(field_, &SettingField::typed, this, &SettingRow::problemChanged);
    connect(field_, &SettingField::typed, this, &SettingRow::showFacts);
    connect(field_, &SettingField::committed, this, [this](const QString& value) {
        const FormField* before = form_.field(key_);
        if (before != nullptr && form_.problemWith(key_, value).isEmpty()) {
            field_->showValue(*before);
            form_.set(key_, value);
        }
        Q_EMIT problemChanged();
    });
    connect(field_, &SettingField::reverted, this, [this] {
        field_->showValue(*form_.field(key_));
        showFacts();
        Q_EMIT problemChanged();
    });
    connect(reset_, &QPushButton::clicked, this, [this] {
        field_->setFocus();  // the button disappears
        form_.reset(key_);
    });
    connect(vary_, &QPushButton::clicked, this, &SettingRow::vary);
    return controls;
}

void SettingRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int control = kControlLetters * fontMetrics().averageCharWidth();
    const bool wide = width() > 2 * control;
    controls_->setMinimumWidth(wide ? control : 0);
    controls_->setMaximumWidth(wide ? control : QWIDGETSIZE_MAX);
    box_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void SettingRow::refresh() {
    const FormField* field = form_.field(key_);
    if (field == nullptr) return;
    if (!field_->pending()) field_->showValue(*field);
    changed_->setVisible(field->changed());
    reset_->setVisible(field->changed() && values_.isEmpty());
    vary_->setEnabled(!values_.isEmpty() || ValueList::canVary(field->text));
    showFacts();
}

void SettingRow::showFacts() {
    const FormField* field = form_.field(key_);
    if (field == nullptr) return;
    const auto value = [&](const QString& text) { return text.isEmpty() ? tr("none") : field->shown(text); };
    QStringList facts;
    if (field->preset_text != field->default_text) facts += tr("preset: %1").arg(value(field->preset_text));
    if (field->base_text != field->preset_text && like_ != 0)
        facts += tr("run %1: %2").arg(like_).arg(value(field->base_text));
    facts += tr("default: %1").arg(value(field->default_text));
    // The list shows what is allowed.
    QStringList all = facts;
    if (!field->allowed.isEmpty() && field->choices.isEmpty()) all += tr("allowed: %1").arg(field->allowed);
    const QString whole = all.join(QStringLiteral(" · "));
    // Not while the row is in use: its height must not change under the mouse.
    facts_->setText(!problem().isEmpty() ? whole : facts.join(QStringLiteral(" · ")));
    facts_->setToolTip(whole);
    field_->focusProxy()->setAccessibleDescription(field->help + QLatin1Char(' ') + whole);
    setTextColour(facts_, theme_, problem().isEmpty() ? TextColour::quiet : TextColour::bad);
}

void SettingRow::vary(bool on) {
    const FormField* field = form_.field(key_);
    if (field == nullptr || (on && !commit())) return vary_->setChecked(false);
    if (!on && list_ != nullptr) list_->clearTyped();
    Q_EMIT varied(key_, on ? QStringList{field->text} : QStringList());
    if (on) focusInput();
}

void SettingRow::setValues(const QStringList& values) {
    const FormField* field = form_.field(key_);
    if (field == nullptr) return;
    if (values.isEmpty() && values_.isEmpty()) return vary_->setChecked(false);
    const bool had_focus = list_ != nullptr && isAncestorOf(QApplication::focusWidget());
    values_ = values;
    const bool on = !values.isEmpty();
    vary_->setChecked(on);
    if (on && list_ == nullptr) {
        list_ = new ValueList(form_, key_, name_, choicesOf(*field), theme_, controls_);
        static_cast<QBoxLayout*>(controls_->layout())->insertWidget(1, list_);
        if (list_->input() != nullptr) first_->insertWidget(0, list_->input(), 1);
        connect(list_, &ValueList::changed, this,
                [this](const QStringList& now) { Q_EMIT varied(key_, now); });
        connect(list_, &ValueList::problemChanged, this, &SettingRow::showFacts);
        connect(list_, &ValueList::problemChanged, this, &SettingRow::problemChanged);
    }
    if (on) {
        list_->setValues(values);
        if (list_->input() != nullptr) setTabOrder(field_->focusProxy(), list_->input());
        list_->followTab(vary_);
    }
    if (list_ != nullptr) list_->setVisible(on);
    if (list_ != nullptr && list_->input() != nullptr) list_->input()->setVisible(on);
    field_->setVisible(!on);
    unit_->setVisible(!on && !field->unit.isEmpty());
    if (!on && had_focus) vary_->setFocus();
    refresh();
}

bool SettingRow::commit() {
    if (!values_.isEmpty()) return list_->commit();
    if (!field_->pending()) return true;
    Q_EMIT field_->committed(field_->typedText());
    return !field_->pending();
}

QString SettingRow::problem() const {
    if (!values_.isEmpty()) return list_->problem();
    return field_->pending() ? form_.problemWith(key_, field_->typedText()) : QString();
}

QWidget* SettingRow::followTab(QWidget* before) {
    QWidget* input = list_ != nullptr ? list_->input() : nullptr;
    for (QWidget* stop :
         {field_->focusProxy(), input, static_cast<QWidget*>(reset_), static_cast<QWidget*>(vary_)})
        if (stop != nullptr) setTabOrder(std::exchange(before, stop), stop);
    return list_ != nullptr ? list_->followTab(vary_) : vary_;
}

void SettingRow::focusInput() {
    if (!values_.isEmpty()) list_->focusInput();
    else field_->setFocus();
}

}  // namespace seedbed::ui
