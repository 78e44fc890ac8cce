// SPDX-License-Identifier: GPL-3.0-or-later
// What metrics are called in charts.
#pragma once

#include <QString>

namespace seedbed::ui {

// "policy/entropy" is "Entropy", in the language of the window; a metric that has no title here is called by
// its own name: "Reward bonus".
QString metricTitle(const QString& name);

}  // namespace seedbed::ui
