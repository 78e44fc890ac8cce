// SPDX-License-Identifier: GPL-3.0-or-later
// The header of the run page: name, state, progress, remaining time, and the buttons that control the run.
#pragma once

#include <QWidget>

#include "ui/models/run_link.hpp"
#include "ui/models/run_report.hpp"
#include "ui/views/services.hpp"

class QLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace seedbed::ui {

class Chip;
class RunHeader : public QWidget {
    Q_OBJECT
public:
    RunHeader(const Services& services, QWidget* parent = nullptr);

    // `live`: unset unless the process responds.
    void show(const RunReport* report, const RunRecord* run, const std::optional<LiveStatus>& live);

    // Sends "pause", "resume", "stop" or "checkpoint" if the run's state allows it.
    void control(const QString& verb);
    bool allows(const QString& verb) const;

    // A dialog for the number of steps up to which the finished run is trained.
    void askForSteps();

Q_SIGNALS:
    void watchRequested();
    void exportRequested();
    void compareRequested();
    // A new run with the settings of this one, to be changed first.
    void againRequested();

private:
    struct Fact {
        QLabel *name = nullptr, *value = nullptr;
        QWidget* box = nullptr;
    };
    Fact addFact(QLayout* row, const QString& name);
    static void setName(const Fact& fact, const QString& name);
    void showStatus(const RunReport* report, const RunRecord& run, const std::optional<LiveStatus>& live);
    void showProgress(double goal, const RunRecord& run, const std::optional<LiveStatus>& live);
    void showReturns(const RunRecord& run);
    void showButtons();
    void trainUpTo(const QString& steps);

    Services services_;
    RunId run_ = 0;
    RunStatus status_ = RunStatus::queued;
    bool starts_over_ = false;  // it ended before its first checkpoint
    std::int64_t trained_ = 0;  // steps
    QLabel *name_, *detail_;
    Chip* state_;
    QProgressBar* progress_;
    Fact steps_, speed_, elapsed_, eta_, checkpoint_, last_, best_;
    QPushButton *watch_, *pause_, *stop_, *save_, *longer_, *again_, *export_, *compare_;
};

}  // namespace seedbed::ui
