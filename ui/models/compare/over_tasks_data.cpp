// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/compare/over_tasks_data.hpp"

#include <algorithm>

#include <QCoreApplication>
#include <QJsonArray>

#include "core/analysis/config_difference.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

struct OverTasksText {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::OverTasksText)
};

Estimate estimateOf(const QJsonValue& json) {
    const QJsonArray interval = json[QLatin1String("ci95")].toArray();
    return {json[QLatin1String("value")].toDouble(), interval.at(0).toDouble(), interval.at(1).toDouble()};
}

QString kindText(const QString& kind) {
    if (kind == QLatin1String("greedy")) return OverTasksText::tr("greedy");
    return kind == QLatin1String("sampled") ? OverTasksText::tr("sampled") : OverTasksText::tr("training");
}

QString withInterval(const Estimate& estimate) {
    return shortNumber(estimate.value) + QLatin1Char(' ') + intervalText(estimate.low, estimate.high);
}

}  // namespace

QString OverTasksData::rangesText() const {
    QStringList texts;
    for (std::size_t t = 0; t < ranges.size(); ++t)
        texts << OverTasksText::tr("%1 %2 to %3")
                     .arg(QString::fromStdString(over.tasks[t]), shortNumber(ranges[t].random),
                          shortNumber(ranges[t].goal));
    return texts.join(QStringLiteral("; "));
}

std::optional<OverTasksData> overTasksOf(const QJsonObject& document) {
    OverTasksData data;
    data.kind = kindText(document[QLatin1String("score_kind")].toString());
    for (const QJsonValue& threshold : document[QLatin1String("thresholds")].toArray())
        data.over.thresholds.push_back(threshold.toDouble());
    for (const QJsonValue& task : document[QLatin1String("tasks")].toArray()) {
        data.over.tasks.push_back(task[QLatin1String("task")].toString().toStdString());
        data.ranges.push_back(
            {task[QLatin1String("random")].toDouble(), task[QLatin1String("goal")].toDouble()});
    }
    for (const QJsonValue& json : document[QLatin1String("methods")].toArray()) {
        MethodScores method;
        method.method = json[QLatin1String("method")].toString().toStdString();
        method.runs = static_cast<std::size_t>(json[QLatin1String("runs")].toInteger());
        method.fewest = static_cast<std::size_t>(json[QLatin1String("fewest_of_a_task")].toInteger());
        method.iqm = estimateOf(json[QLatin1String("iqm")]);
        method.median = estimateOf(json[QLatin1String("median")]);
        method.mean = estimateOf(json[QLatin1String("mean")]);
        method.optimality_gap = estimateOf(json[QLatin1String("optimality_gap")]);
        method.improvement = estimateOf(json[QLatin1String("probability_of_improvement")]);
        const QJsonArray shares = json[QLatin1String("profile")].toArray(),
                         bands = json[QLatin1String("profile_ci95")].toArray();
        if (shares.size() != static_cast<qsizetype>(data.over.thresholds.size()) ||
            bands.size() != shares.size())
            return std::nullopt;
        for (qsizetype i = 0; i < shares.size(); ++i)
            method.profile.push_back(
                {shares.at(i).toDouble(), bands.at(i)[0].toDouble(), bands.at(i)[1].toDouble()});
        data.over.methods.push_back(std::move(method));
    }
    return data.over.methods.empty() ? std::nullopt : std::optional(std::move(data));
}

std::vector<PreparedSeries> profileCurves(const OverTasks& over) {
    std::vector<PreparedSeries> curves;
    for (std::size_t m = 0; m < over.methods.size(); ++m) {
        const MethodScores& method = over.methods[m];
        const auto curve = [&](double Estimate::*part) {
            Curve made{over.thresholds, {}};
            for (const Estimate& share : method.profile) made.y.push_back(share.*part);
            return std::make_shared<const CurveIndex>(std::move(made));
        };
        const QString name = QString::fromStdString(method.method);
        PreparedSeries& series = curves.emplace_back();
        series.spec = {.key = name, .label = name, .metric = "share_of_runs", .style = static_cast<int>(m)};
        series.raw = series.line = curve(&Estimate::value);
        series.low = series.band_low = curve(&Estimate::low);
        series.high = series.band_high = curve(&Estimate::high);
        series.n.assign(over.thresholds.size(), static_cast<int>(method.runs));
        series.run_count = method.runs;
    }
    return curves;
}

QStringList overTasksVerdicts(const OverTasks& over) {
    constexpr double kEven = 0.5;
    QStringList verdicts;
    for (const MethodScores& method : over.methods)
        if (method.fewest < kMinIntervalSeeds) return {};
    const QString baseline = QString::fromStdString(over.methods.front().method);
    for (std::size_t m = 1; m < over.methods.size(); ++m) {
        const Estimate& better = over.methods[m].improvement;
        const QString name = QString::fromStdString(over.methods[m].method);
        const QString share = OverTasksText::tr("a run of it is better with probability %1 %2")
                                  .arg(shortNumber(better.value), intervalText(better.low, better.high));
        verdicts << (better.low > kEven ? OverTasksText::tr("%1 is better than %2 over these tasks: %3.")
                     : better.high < kEven
                         ? OverTasksText::tr("%1 is worse than %2 over these tasks: %3.")
                         : OverTasksText::tr(
                               "No difference between %1 and %2 is shown over these tasks: %3."))
                        .arg(name, baseline, share);
    }
    return verdicts;
}

std::vector<QStringList> overTasksRows(const OverTasks& over) {
    std::vector<QStringList> rows;
    for (std::size_t m = 0; m < over.methods.size(); ++m) {
        const MethodScores& method = over.methods[m];
        rows.push_back({QString::fromStdString(method.method), QString::number(method.runs),
                        withInterval(method.iqm), withInterval(method.median), withInterval(method.mean),
                        withInterval(method.optimality_gap),
                        m == 0 ? OverTasksText::tr("baseline") : withInterval(method.improvement)});
    }
    return rows;
}

std::size_t countTasks(const CompareData& data) {
    std::vector<const Json*> tasks;
    for (const ComparedGroup& group : data.groups)
        if (std::none_of(tasks.begin(), tasks.end(),
                         [&](const Json* known) { return sameTask(*known, group.config); }))
            tasks.push_back(&group.config);
    return tasks.size();
}

QStringList methodChoices(const CompareData& data) {
    // The settings that differ between groups of one task.
    QStringList fields;
    for (std::size_t g = 0; g < data.groups.size(); ++g) {
        std::vector<Json> task;
        for (std::size_t other = g; other < data.groups.size(); ++other)
            if (sameTask(data.groups[g].config, data.groups[other].config))
                task.push_back(data.groups[other].config);
        for (const ConfigDifference& difference : configDifferences(task))
            if (const QString field = QString::fromStdString(difference.field); !fields.contains(field))
                fields << field;
    }
    const QString algo = QStringLiteral("algo.id");
    QStringList choices;
    if (!fields.contains(algo) && !fields.isEmpty()) {
        choices << fields.join(QLatin1Char(','));
        if (fields.size() > 1) choices << fields;
        choices << algo;
    } else {
        fields.removeAll(algo);
        choices << algo << fields;
    }
    return choices;
}

}  // namespace seedbed::ui
