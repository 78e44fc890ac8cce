// SPDX-License-Identifier: GPL-3.0-or-later
// How good training was, in the same words on every page.
#pragma once

#include <cstdint>
#include <optional>

#include <QString>

#include "core/store/records.hpp"

namespace seedbed::ui {

// A score or goal in a sentence, with a true minus sign: "−0.97".
QString scoreText(double score);
// "Solved at 20,214 steps".
QString solvedAtText(std::int64_t step);
// "Solved at 20.2k steps", for narrow columns.
QString solvedAboutText(double step);
// "Not solved yet: best 0.58 of 1"; "Not solved yet: best −0.97, goal 0.8" if a part of the goal has no
// meaning because one of them is negative. The best score never looks like the goal. A mean of several runs
// may reach a goal that one of them misses: "Not solved in every run".
QString notSolvedText(double best, double goal);
// "Step 20,214, return 452.2 (best)". best_evaluation: of the run. It is named if it differs from the score
// of its best checkpoint, whose parameters were evaluated again afterwards.
QString checkpointText(const QString& name, const CheckpointRecord& checkpoint,
                       std::optional<double> best_evaluation);
std::optional<double> bestEvaluation(const RunRecord* run);

}  // namespace seedbed::ui
