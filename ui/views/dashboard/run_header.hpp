// SPDX-License-Identifier: GPL-3.0-or-later
// The head of a run's page: what it is, how far it is, how long it will take, and the buttons that steer it.
#pragma once

#include <QWidget>

#include "ui/models/run_link.hpp"
#include "ui/models/run_report.hpp"
#include "ui/views/services.hpp"

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace seedbed::ui {

class RunHeader : public QWidget {
    Q_OBJECT
public:
    RunHeader(const Services& services, QWidget* parent = nullptr);

    // `live` only while its process can be asked.
    void show(const RunReport* report, const RunRecord* run, const std::optional<LiveStatus>& live);

    // "pause", "resume", "stop", "checkpoint": as far as the run's state allows.
    void control(const QString& verb);
    bool allows(const QString& verb) const;

Q_SIGNALS:
    void watchWanted();
    void exportWanted();
    void compareWanted();

private:
    struct Fact {
        QLabel *name = nullptr, *value = nullptr;
        QWidget* box = nullptr;
    };
    Fact addFact(QHBoxLayout* row, const QString& name);

    Services services_;
    RunId run_ = 0;
    RunStatus status_ = RunStatus::queued;
    QLabel *name_, *state_, *detail_;
    QProgressBar* progress_;
    Fact steps_, speed_, elapsed_, eta_, checkpoint_, last_, best_;
    QPushButton *watch_, *pause_, *stop_, *save_, *export_, *compare_;
};

}  // namespace seedbed::ui
