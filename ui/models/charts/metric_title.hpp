// SPDX-License-Identifier: GPL-3.0-or-later
// Titles of metrics in charts.
#pragma once

#include <QString>

namespace seedbed::ui {

// The translated title: "Entropy" for "policy/entropy". Metrics without a title get one from their id:
// "Reward bonus".
QString metricTitle(const QString& name);

}  // namespace seedbed::ui
