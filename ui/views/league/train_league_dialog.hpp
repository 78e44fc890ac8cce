// SPDX-License-Identifier: GPL-3.0-or-later
// Asks how agents of a league are trained.
#pragma once

#include <QDialog>

#include "ui/models/league/league_list.hpp"
#include "ui/views/services.hpp"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace seedbed::ui {

class TrainLeagueDialog : public QDialog {
    Q_OBJECT
public:
    // Begins with `latest`, which continues the training, if it names a preset.
    TrainLeagueDialog(const Services& services, const LeagueDetails& league, const LeagueTraining& latest,
                      QWidget* parent);

    // Without the games of a match.
    LeagueTraining training() const;

private:
    void updateTimes();

    const Services services_;
    QComboBox* preset_;
    QSpinBox *steps_, *generations_;
    QCheckBox* exploiters_;
    QLabel* time_;
    QPushButton* accept_;
};

}  // namespace seedbed::ui
