// SPDX-License-Identifier: GPL-3.0-or-later
// The findings of the training doctor with evidence, likely cause, and a change to try as a new run.
#pragma once

#include <functional>

#include <vector>

#include <QScrollArea>

#include "ui/models/run_report.hpp"

class QLabel;

namespace seedbed::ui {

class Theme;

class DoctorPanel : public QScrollArea {
    Q_OBJECT
public:
    DoctorPanel(const Theme& theme, QWidget* parent = nullptr);

    // Rebuilds the panel only if the findings changed.
    void setReport(const RunReport* report);
    int findings() const { return count_; }

Q_SIGNALS:
    void tryRequested(const seedbed::Finding& finding);

private:
    // Adds its evidence to `evidence_`.
    QWidget* makeFinding(const Finding& finding, const Json& config, QWidget* parent);

    const Theme& theme_;
    QString shown_;
    std::vector<QLabel*> evidence_;  // one per finding
    int count_ = 0;
};

}  // namespace seedbed::ui
