// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sweep/parallel_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <QCoreApplication>

#include "core/analysis/config_difference.hpp"
#include "core/analysis/run_settings.hpp"
#include "ui/models/compare_data.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

struct ParallelText {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::ParallelText)
};

constexpr double kDecade = 10;
const QString kNoValue = QStringLiteral("–");

QString shownValue(const Json& value) {
    return value.is_null()     ? kNoValue
           : value.is_number() ? shortNumber(value.get<double>())
                               : QString::fromStdString(seedbed::settingText(value));
}

// Adds an axis with `values`, one per line.
void addAxis(ParallelData& data, ParallelAxis axis, const std::vector<Json>& values) {
    const bool numbers = std::all_of(values.begin(), values.end(),
                                     [](const Json& value) { return value.is_null() || value.is_number(); });
    axis.scale = numbers ? ParallelAxis::Scale::linear : ParallelAxis::Scale::categories;
    axis.low = std::numeric_limits<double>::infinity();
    axis.high = -axis.low;
    for (const Json& value : values) {
        if (value.is_null()) continue;
        if (!numbers) {
            if (const QString text = shownValue(value); !axis.categories.contains(text))
                axis.categories << text;
            continue;
        }
        axis.low = std::min(axis.low, value.get<double>());
        axis.high = std::max(axis.high, value.get<double>());
    }
    if (!numbers) {
        axis.low = 0;
        axis.high = static_cast<double>(axis.categories.size() - 1);
    }
    // Scores of runs are compared by their differences, so their axis is always linear.
    if (numbers && !axis.field.isEmpty() && axis.low > 0 && axis.high >= kDecade * axis.low)
        axis.scale = ParallelAxis::Scale::logarithmic;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Json& value = values[i];
        const QString text = shownValue(value);
        data.lines[i].texts << text;
        data.lines[i].places.push_back(
            value.is_null() ? std::numeric_limits<double>::quiet_NaN()
                            : axis.placeOf(numbers ? value.get<double>()
                                                   : static_cast<double>(axis.categories.indexOf(text))));
    }
    data.axes.push_back(std::move(axis));
}

}  // namespace

double ParallelAxis::placeOf(double value) const {
    if (high <= low) return 0.5;
    return scale == Scale::logarithmic ? std::log(value / low) / std::log(high / low)
                                       : (value - low) / (high - low);
}

QString ParallelAxis::textAt(double place) const {
    if (scale == Scale::categories)
        return categories.value(static_cast<qsizetype>(std::lround(low + place * (high - low))));
    return shortNumber(scale == Scale::logarithmic ? low * std::pow(high / low, place)
                                                   : low + place * (high - low));
}

ParallelData parallelData(const CompareData& compared) {
    ParallelData data;
    std::vector<Json> configs, scores;
    for (const ComparedRun& run : compared.runs) {
        data.lines.push_back({run.record.id, runTitle(run.record), {}, {}});
        configs.push_back(withoutSeed(run.group_config));
        scores.push_back(run.score && std::isfinite(run.score->score) ? Json(run.score->score) : Json());
    }
    for (const ConfigDifference& difference : configDifferences(configs)) {
        std::set<std::string> values;
        for (const Json& value : difference.values)
            if (!value.is_null()) values.insert(value.dump());
        // A setting with one value belongs to one of the compared algorithms or environments.
        if (values.size() < 2) continue;
        if (data.axes.size() == kMaxParallelAxes) {
            ++data.more_settings;
            continue;
        }
        ParallelAxis axis;
        axis.field = QString::fromStdString(difference.field);
        const QString last = axis.field.section(QLatin1Char('.'), -1);
        axis.title = last == QLatin1String("id") ? axis.field.section(QLatin1Char('.'), 0, 0) : last;
        addAxis(data, std::move(axis), difference.values);
    }
    if (data.axes.empty()) return data;
    ParallelAxis score;
    score.title = ParallelText::tr("Score");
    addAxis(data, std::move(score), scores);
    return data;
}

}  // namespace seedbed::ui
