// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog for a new population.
#pragma once

#include <QDialog>

#include "ui/models/population/population_list.hpp"
#include "ui/views/services.hpp"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace seedbed::ui {

class NewPopulationDialog : public QDialog {
    Q_OBJECT
public:
    NewPopulationDialog(const Services& services, QWidget* parent);
    PopulationPlan plan() const;

private:
    void addFields(const Services& services, QFormLayout& form);
    void updateButton();

    QComboBox *preset_, *setting_;
    QLineEdit *low_, *high_, *steps_, *name_;
    QCheckBox* log_;
    QSpinBox *members_, *jobs_;
    QPushButton* start_;
};

}  // namespace seedbed::ui
