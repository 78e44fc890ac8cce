// SPDX-License-Identifier: GPL-3.0-or-later
// The actors of a run on other machines, and the jobs that start them.
#pragma once

#include <QWidget>

#include "ui/models/fleet/fleet_status.hpp"
#include "ui/views/services.hpp"
#include "ui/views/style/card.hpp"

class QPushButton;
class QTableWidget;

namespace seedbed::ui {

class Theme;

// A table with one row per group of environments, what to do if groups wait, and the jobs.
class MachinesPanel : public QWidget {
    Q_OBJECT

public:
    explicit MachinesPanel(const Services& services, QWidget* parent = nullptr);
    // `is_live`: whether the run has a process.
    void show(const FleetWatch& watch, bool is_live);

private:
    void showGroups(const FleetStatus& status);

    Services services_;
    QString command_;  // that starts the missing actors
    QLabel *summary_, *problem_, *advice_, *jobs_title_, *jobs_;
    Card* advice_card_;
    QPushButton* copy_;
    QTableWidget* table_;
};

// The summary for the overview, with the next step if groups wait.
class MachinesCard : public Card {
    Q_OBJECT

public:
    explicit MachinesCard(const Services& services, QWidget* parent = nullptr);
    // Hidden if the run is not live.
    void show(const FleetWatch& watch, bool is_live);

Q_SIGNALS:
    void detailsRequested();

private:
    Services services_;
    Chip* chip_;
    QLabel *summary_, *advice_;
};

}  // namespace seedbed::ui
