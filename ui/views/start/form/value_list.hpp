// SPDX-License-Identifier: GPL-3.0-or-later
// The values of a varied setting as chips: one run is trained per value. Chips with a plus add suggested
// values, a text field adds others; choices are chips to switch on and off.
#pragma once

#include <QStringList>
#include <QWidget>

#include "ui/models/config_form.hpp"

class QLineEdit;
class QPushButton;

namespace seedbed::ui {

class Theme;

// Thread: GUI. `form` and `theme` must outlive the list.
class ValueList : public QWidget {
    Q_OBJECT

public:
    // choices: all values that can be chosen; empty for values that are typed and checked by the form.
    ValueList(const ConfigForm& form, const QString& key, const QString& name, const QStringList& choices,
              const Theme& theme, QWidget* parent);
    // Whether a value can be one of several: the command line does not accept empty texts and texts with
    // spaces or "=" in a grid.
    static bool canVary(const QString& value);
    // The values as on the command line.
    void setValues(const QStringList& values);
    // Adds the typed value; false if it is rejected.
    bool commit();
    // Why the typed value is rejected; "" if nothing is typed or it is valid.
    QString problem() const;
    void clearTyped();
    void focusInput();
    // The field for typed values, for the parent to place; nullptr for choices.
    QWidget* input() const;
    // Makes Tab move from `before` through the chips. Returns the last stop.
    QWidget* followTab(QWidget* before);

Q_SIGNALS:
    void changed(const QStringList& values);
    void problemChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QList<QPushButton*> chips() const;
    void addChip(const QString& value, bool is_on);
    void toggle(const QString& value, bool on);
    // Splits and normalizes the typed text. problem: of the first invalid value.
    QStringList typedValues(QString& problem) const;
    QString separators() const;

    const ConfigForm& form_;
    const Theme& theme_;
    QString key_, name_;
    QStringList choices_, values_;
    QWidget* chips_;
    QLineEdit* input_ = nullptr;
};

}  // namespace seedbed::ui
