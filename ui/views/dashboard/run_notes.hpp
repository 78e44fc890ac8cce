// SPDX-License-Identifier: GPL-3.0-or-later
// The overview of a run: its outcome, the shares of its time, and the findings of the training doctor.
#pragma once

#include "ui/models/run_report.hpp"
#include "ui/models/run_verdict.hpp"
#include "ui/views/style/card.hpp"

class QPushButton;

namespace seedbed::ui {

class BottleneckStrip;
class Theme;

// The verdict in a sentence with the next steps; hidden without one.
class RunVerdictStrip : public Card {
    Q_OBJECT

public:
    RunVerdictStrip(const Theme& theme, QWidget* parent = nullptr);
    void setVerdict(const RunVerdict& verdict);
    const RunVerdict& verdict() const { return verdict_; }

Q_SIGNALS:
    void momentRequested(qint64 step);
    void longerRequested();
    void diagnosisRequested();

private:
    const Theme& theme_;
    RunVerdict verdict_;
    QLabel* text_;
    QPushButton *moment_, *longer_, *diagnose_;
};

class TimeCard : public Card {
    Q_OBJECT

public:
    TimeCard(const Theme& theme, QWidget* parent = nullptr);
    void setShares(const std::optional<TimeShares>& shares);

private:
    BottleneckStrip* strip_;
    QLabel* text_;
};

// "healthy", or the most important finding.
class DoctorCard : public Card {
    Q_OBJECT

public:
    DoctorCard(const Theme& theme, QWidget* parent = nullptr);
    void setReport(const RunReport* report);

Q_SIGNALS:
    void detailsRequested();

private:
    Chip* chip_;
    QLabel *healthy_, *text_;
    QPushButton* details_;
};

}  // namespace seedbed::ui
