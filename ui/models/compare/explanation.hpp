// SPDX-License-Identifier: GPL-3.0-or-later
// Explains the numbers of the page Compare in plain words. All texts about formulas are in one table.
#pragma once

#include <vector>

#include <QString>
#include <QStringList>

#include "ui/models/compare_data.hpp"

namespace seedbed::ui {

// The numbers that can be explained.
enum class Statistic : std::uint8_t {
    runs,
    score,
    interval,
    range,
    difference,
    improvement,
    p_value,
    verdict,
    goal,
    // Over tasks.
    task_runs,
    task_iqm,
    task_median,
    task_mean,
    optimality_gap,
    task_improvement,
    profile,
    count
};

struct Explanation {
    struct Part {
        QString title, text;
    };
    QString title;  // "Score of learning_rate=0.01"
    QString value;  // as shown on the page
    std::vector<Part> parts;

    // As copied: title and value, then a line per part.
    QString text() const;
};

// The statistic's name: "Score".
QString nameOf(Statistic statistic);
// How it is computed, its interval if it has one, and its limits.
std::vector<Explanation::Part> definitionOf(Statistic statistic);
struct OverTasksData;
// The statistic of a method over several tasks.
Explanation explainOverTasks(Statistic statistic, const OverTasksData& data, std::size_t method,
                             const QString& value);
// The statistic of a compared group. `value`: its text on the page.
Explanation explain(Statistic statistic, const CompareData& data, const ComparedGroup& group,
                    const QString& value);

}  // namespace seedbed::ui
