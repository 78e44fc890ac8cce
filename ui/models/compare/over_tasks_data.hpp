// SPDX-License-Identifier: GPL-3.0-or-later
// Methods compared over several tasks, as `seedbed aggregate` computes them.
#pragma once

#include <optional>
#include <vector>

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include "core/analysis/over_tasks.hpp"
#include "ui/models/charts/chart_pipeline.hpp"
#include "ui/models/compare_data.hpp"

namespace seedbed::ui {

struct OverTasksData {
    struct Range {
        double random = 0, goal = 0;  // scores that are normalised to 0 and 1
    };
    OverTasks over;
    std::vector<Range> ranges;  // one per task
    QString kind;               // of the episodes, translated

    // "cartpole 22 to 475; catch −0.6 to 0.95"
    QString rangesText() const;
};

// The document of `seedbed aggregate --json`; nullopt if it is not one.
std::optional<OverTasksData> overTasksOf(const QJsonObject& document);
// The profiles as curves for a chart.
std::vector<PreparedSeries> profileCurves(const OverTasks& over);
// One sentence per method after the first, which is the baseline: better, worse or not distinguishable, from
// the interval of the probability of improvement. Empty with fewer than three runs of a task.
QStringList overTasksVerdicts(const OverTasks& over);
// One row per method, without a header.
std::vector<QStringList> overTasksRows(const OverTasks& over);

// Number of tasks (environments with their settings) of the compared runs.
std::size_t countTasks(const CompareData& data);
// Arguments of --by that make methods of the compared runs, the most suitable first.
QStringList methodChoices(const CompareData& data);

}  // namespace seedbed::ui
