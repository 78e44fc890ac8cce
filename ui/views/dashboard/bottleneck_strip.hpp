// SPDX-License-Identifier: GPL-3.0-or-later
// Shares of a run's time as one bar: environments, inference, learning, waiting.
#pragma once

#include <optional>

#include <QWidget>

#include "ui/models/run_report.hpp"

namespace seedbed::ui {

class Theme;

class BottleneckStrip : public QWidget {
    Q_OBJECT
public:
    explicit BottleneckStrip(const Theme& theme, QWidget* parent = nullptr);

    void setShares(const std::optional<TimeShares>& shares);
    // "env 40 %, inference 25 %, learning 30 %, waiting 5 %"
    QString text() const;

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Theme& theme_;
    std::optional<TimeShares> shares_;
};

}  // namespace seedbed::ui
