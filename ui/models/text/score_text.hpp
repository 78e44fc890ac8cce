// SPDX-License-Identifier: GPL-3.0-or-later
// How good training was, in the same words on every page.
#pragma once

#include <cstdint>

#include <QString>

namespace seedbed::ui {

// A score or goal in a sentence, with a true minus sign: "−0.97".
QString scoreText(double score);
// "Solved at 20,214 steps".
QString solvedAtText(std::int64_t step);
// "Solved at 20.2k steps", for narrow columns.
QString solvedAboutText(double step);
// "Not solved yet: best 0.58 of 1"; "Not solved yet: best −0.97, goal 0.8" if a part of the goal has no
// meaning because one of them is negative. The best score never looks like the goal.
QString notSolvedText(double best, double goal);

}  // namespace seedbed::ui
