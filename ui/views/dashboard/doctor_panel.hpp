// SPDX-License-Identifier: GPL-3.0-or-later
// What the training doctor found, with evidence, likely cause, and the change to try as a new run.
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

    // Rebuilt only when the findings are others.
    void setReport(const RunReport* report);
    int findings() const { return count_; }

Q_SIGNALS:
    void tryWanted(const seedbed::Finding& finding);

private:
    const Theme& theme_;
    QString shown_;
    std::vector<QLabel*> evidence_;  // of each finding
    int count_ = 0;
};

}  // namespace seedbed::ui
