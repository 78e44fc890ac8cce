// SPDX-License-Identifier: GPL-3.0-or-later
// The number of runs given by the seeds and the grid of the form.
#pragma once

#include <QString>

namespace seedbed::ui {

// Number of seeds in "1..5" or "1,2,7"; 0 if the text is invalid.
int countSeeds(const QString& text);
// Number of combinations in "algo.gamma=0.9,0.99 run.threads=1,2"; 0 if the text is invalid.
int countGrid(const QString& text);

}  // namespace seedbed::ui
