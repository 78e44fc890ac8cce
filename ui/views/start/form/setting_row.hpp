// SPDX-License-Identifier: GPL-3.0-or-later
// A setting in the form for a new run: name, description and value, or the values that are tried.
#pragma once

#include <QStringList>
#include <QWidget>

#include "ui/models/run_id.hpp"

class QBoxLayout;
class QLabel;
class QPushButton;

namespace seedbed::ui {

class Chip;
class ConfigForm;
class SettingField;
class Theme;
class ValueList;

// Thread: GUI. `form` and `theme` must outlive the row.
class SettingRow : public QWidget {
    Q_OBJECT

public:
    // like: the run that the form copies; 0 for none.
    SettingRow(ConfigForm& form, const QString& key, RunId like, const Theme& theme, QWidget* parent);
    ~SettingRow() override;
    // Shows the setting's value in the form, unless text was typed that is not committed.
    void refresh();
    // The values that are tried, which replace the field; empty for one value.
    void setValues(const QStringList& values);
    // Commits typed text; false if it is rejected.
    bool commit();
    // Why typed text is rejected; "" if it is valid.
    QString problem() const;
    void focusInput();
    // Whether the pointer is on the row, or the keyboard in it.
    bool isInUse() const;
    // Makes Tab move from `before` through this row. Returns the row's last stop.
    QWidget* followTab(QWidget* before);

Q_SIGNALS:
    void varied(const QString& key, const QStringList& values);
    void problemChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void showUse();
    QWidget* makeText();
    QWidget* makeControls();
    void showFacts();
    void vary(bool on);

    ConfigForm& form_;
    QString key_, name_;
    RunId like_;
    const Theme& theme_;
    QStringList values_;
    QBoxLayout *box_, *first_;
    QWidget* controls_;
    SettingField* field_;
    ValueList* list_ = nullptr;
    Chip* changed_;
    QLabel *unit_, *facts_;
    QPushButton *vary_, *reset_;
    bool shows_use_ = false;
};

}  // namespace seedbed::ui
