// SPDX-License-Identifier: GPL-3.0-or-later
// The control for one value: a check box, a list, or a text field, which also lists special values.
#pragma once

#include <QWidget>

#include "ui/models/config_form.hpp"

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace seedbed::ui {

// Thread: GUI. Does not change the form.
class SettingField : public QWidget {
    Q_OBJECT

public:
    SettingField(const FormField& field, const QString& name, QWidget* parent);
    // Shows the field's value and discards typed text.
    void showValue(const FormField& field);
    // Whether text was typed that is not committed, and that text.
    bool pending() const { return pending_; }
    QString typedText() const;

Q_SIGNALS:
    void typed();                          // after every key
    void committed(const QString& value);  // by Return, by leaving the field, or by choosing
    void reverted();                       // by Escape

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void prepareLine();
    void showText();

    FormField field_;
    QCheckBox* check_ = nullptr;
    QComboBox* box_ = nullptr;
    QLineEdit* line_ = nullptr;  // of `box_` if that is editable
    bool pending_ = false;
};

}  // namespace seedbed::ui
