// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/compare_data.hpp"
#include "ui/models/run_verdict.hpp"
#include "ui/models/text/csv_field.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <QCoreApplication>
#include <QCryptographicHash>

#include "core/analysis/config_difference.hpp"
#include "core/analysis/group_names.hpp"
#include "core/analysis/load_run.hpp"
#include "core/analysis/report/text_table.hpp"
#include "core/analysis/setting_history.hpp"
#include "core/env/return_range.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

constexpr int kMinRuns = static_cast<int>(kMinSeeds), kMaxSeeds = 20;

void flattenFields(const Json& json, const std::string& prefix,
                   std::vector<std::pair<std::string, const Json*>>& out) {
    if (!json.is_object()) {
        out.emplace_back(prefix, &json);
        return;
    }
    for (const auto& [key, value] : json.items())
        flattenFields(value, prefix.empty() ? key : prefix + "." + key, out);
}

QString valueText(const Json& value) {
    if (value.is_null()) return QStringLiteral("–");
    return QString::fromStdString(value.is_string() ? value.get<std::string>() : value.dump());
}

const Json* fieldOf(const Json& config, const QString& field) {
    const Json* at = &config;
    for (const QString& part : field.split(QLatin1Char('.'))) {
        if (!at->is_object()) return nullptr;
        const auto found = at->find(part.toStdString());
        if (found == at->end()) return nullptr;
        at = &*found;
    }
    return at;
}

// Text for files, in the same format in every locale.
QString exactSteps(const std::vector<std::int64_t>& steps) {
    QStringList texts;
    for (const std::int64_t step : steps) texts << QString::number(step);
    return texts.join(QStringLiteral("; "));
}

}  // namespace

Result<ComparedRuns> readCompared(StoreReader& reader, const std::vector<RunId>& runs, ScoreAt at,
                                  const std::map<std::string, double>& goals) {
    ComparedRuns read;
    std::vector<RunId> there;
    for (const RunId id : runs) {
        auto details = reader.details(id);
        if (!details) {
            // A run that was deleted in the meantime is skipped; other errors are reported.
            if (details.error().code == ErrorCode::config) continue;
            return tl::unexpected<Error>(std::move(details).error());
        }
        ComparedRun run;
        run.record = details->run;
        run.config = configOverTime(details->config, details->changes);
        run.group_config = groupConfig(*details, at);
        run.begun_with = originalConfig(details->config, details->changes);
        run.preset = details->auto_settings.value("preset", "");
        run.segments = details->segments;
        const auto goal = goals.find(run.record.env);
        run.has_goal = goal != goals.end() && !details->evaluations.empty();
        if (run.has_goal) run.solved = solvedAt(details->evaluations, goal->second);
        SEEDBED_ASSIGN(run.metrics, reader.metricNames(id));
        read.runs.push_back(std::move(run));
        there.push_back(id);
    }
    SEEDBED_ASSIGN(LoadedScores scores, loadScores(reader, there, at));
    for (std::size_t i = 0; i < read.runs.size(); ++i) {
        ComparedRun& run = read.runs[i];
        run.score = std::move(scores.scores[i]);
        if (run.score) run.score->range = returnRange(run.begun_with.value("env", Json()));
    }
    read.common_steps = std::move(scores.common_steps);
    read.aligned = scores.aligned;
    return read;
}

CompareData compareRead(ComparedRuns read, const QString& baseline) {
    CompareData data;
    data.runs = std::move(read.runs);
    data.common_steps = std::move(read.common_steps);
    data.aligned = read.aligned;
    std::set<std::string> metrics;
    for (const ComparedRun& run : data.runs) {
        metrics.insert(run.metrics.begin(), run.metrics.end());
        const Json config = withoutSeed(run.group_config);
        auto group = std::find_if(data.groups.begin(), data.groups.end(),
                                  [&](const ComparedGroup& known) { return known.config == config; });
        if (group == data.groups.end()) {
            ComparedGroup made;
            made.key = QString::fromLatin1(
                QCryptographicHash::hash(QByteArray::fromStdString(config.dump()), QCryptographicHash::Sha256)
                    .toHex()
                    .left(16));
            made.config = config;
            made.whole_config = run.begun_with;
            made.preset = run.preset;
            made.name = run.record.name;
            data.groups.push_back(std::move(made));
            group = std::prev(data.groups.end());
        }
        group->runs.push_back(run.record.id);
        group->drawn.push_back(run.record.id);
    }
    for (const std::string& metric : metrics) data.metrics << QString::fromStdString(metric);
    std::vector<Json> configs;
    for (const ComparedGroup& group : data.groups) configs.push_back(group.config);
    const std::vector<std::string> names = groupNames(configs, FieldNames::last_part);
    for (std::size_t g = 0; g < data.groups.size(); ++g)
        data.groups[g].label = QString::fromStdString(names[g]);

    std::vector<RunScore> scores;
    RunId baseline_run = 0;
    for (const ComparedGroup& group : data.groups)
        for (const RunId id : group.runs) {
            const auto run = std::find_if(data.runs.begin(), data.runs.end(),
                                          [&](const ComparedRun& one) { return one.record.id == id; });
            if (!run->score || !std::isfinite(run->score->score)) {
                ++data.unscored;
                continue;
            }
            data.some_training = data.some_training || !run->score->evaluated;
            if (group.key == baseline && baseline_run == 0) baseline_run = id;
            scores.push_back(*run->score);
        }
    std::vector<Json> scored_configs;
    std::vector<double> values;
    for (const RunScore& score : scores) {
        scored_configs.push_back(withoutSeed(score.config));
        values.push_back(score.score);
    }
    data.importance = settingImportance(scored_configs, values);
    const Comparison comparison = compareRuns(scores, baseline_run);
    for (std::size_t g = 0; g < comparison.groups.size(); ++g)
        for (ComparedGroup& group : data.groups) {
            if (std::find(group.runs.begin(), group.runs.end(), comparison.groups[g].runs.front()) ==
                group.runs.end())
                continue;
            group.statistics = comparison.groups[g];
            for (const RunId id : group.statistics->repeated) std::erase(group.drawn, id);
            group.baseline = g == comparison.baseline;
            if (!group.baseline) group.difference = comparison.differences[g];
        }
    return data;
}

QString stepsText(const std::vector<std::int64_t>& steps) {
    QStringList texts;
    for (const std::int64_t step : steps) texts << countText(step);
    return texts.join(QStringLiteral("; "));
}

DifferenceTable differenceTable(const std::vector<ComparedGroup>& groups, bool all) {
    DifferenceTable table;
    std::vector<Json> configs;
    for (const ComparedGroup& group : groups) configs.push_back(group.config);
    if (!all) {
        for (const ConfigDifference& difference : configDifferences(configs)) {
            QStringList values;
            for (const Json& value : difference.values) values << valueText(value);
            table.fields << QString::fromStdString(difference.field);
            table.values.push_back(values);
        }
        return table;
    }
    for (const Json& config : configs) {
        std::vector<std::pair<std::string, const Json*>> fields;
        flattenFields(config, "", fields);
        for (const auto& [name, value] : fields) {
            const QString text = QString::fromStdString(name);
            if (table.fields.contains(text)) continue;
            QStringList values;
            for (const Json& other : configs) {
                const Json* found = fieldOf(other, text);
                values << (found == nullptr ? QStringLiteral("–") : valueText(*found));
            }
            table.fields << text;
            table.values.push_back(values);
        }
    }
    return table;
}

QStringList configFields(const std::vector<ComparedRun>& runs) {
    QStringList names;
    std::set<std::string> seen;
    for (const ComparedRun& run : runs) {
        std::vector<std::pair<std::string, const Json*>> fields;
        flattenFields(run.config, "", fields);
        for (const auto& [name, value] : fields)
            if (seen.insert(name).second) names << QString::fromStdString(name);
    }
    return names;
}

QString configText(const Json& config, const QString& name) {
    const Json* value = fieldOf(config, name);
    return value == nullptr ? QString() : valueText(*value);
}

std::optional<double> configNumber(const Json& config, const QString& name) {
    const Json* value = fieldOf(config, name);
    if (value == nullptr || !(value->is_number() || value->is_boolean())) return std::nullopt;
    return value->is_boolean() ? static_cast<double>(value->get<bool>()) : value->get<double>();
}

int seedsToAdd(const ComparedGroup& group, const ComparedGroup& baseline) {
    const auto runs = [](const ComparedGroup& one) {
        return one.statistics ? static_cast<int>(one.statistics->scores.size()) : 0;
    };
    if (runs(group) < kMinRuns) return kMinRuns - runs(group);
    if (group.difference && group.difference->verdict == GroupDifference::Verdict::too_few &&
        runs(baseline) < kMinRuns)
        return kMinRuns - runs(baseline);
    if (group.difference && group.difference->more_seeds)
        return std::min(kMaxSeeds, *group.difference->more_seeds);
    return 0;
}

QStringList nextSeeds(const CompareData& data, const ComparedGroup& group, int count) {
    std::set<std::uint64_t> used;
    for (const ComparedRun& run : data.runs)
        if (std::find(group.runs.begin(), group.runs.end(), run.record.id) != group.runs.end())
            used.insert(run.record.seed);
    QStringList seeds;
    for (std::uint64_t seed = 1; seeds.size() < count; ++seed)
        if (!used.contains(seed)) seeds << QString::number(seed);
    return seeds;
}

QString compareCsv(const CompareData& data) {
    QString out = QStringLiteral(
        "group,runs,n,score,ci95_low,ci95_high,min,max,baseline,difference,difference_low,difference_high,"
        "probability_of_improvement,"
        "verdict,first_step,last_step,p_value\n");
    for (const ComparedGroup& group : data.groups) {
        QStringList ids;
        for (const RunId id : group.runs) ids << QString::number(id);
        out += csvField(group.label) + QLatin1Char(',') + ids.join(QLatin1Char(' ')) + QLatin1Char(',');
        if (group.statistics) {
            const RunGroup& s = *group.statistics;
            out += QString::number(s.scores.size());
            for (const double value : {s.centre, s.ci_low, s.ci_high, s.min, s.max})
                out += QLatin1Char(',') + exactNumber(value);
        } else {
            out += QStringLiteral("0,,,,,");
        }
        out += group.baseline ? QStringLiteral(",1") : QStringLiteral(",0");
        if (group.difference) {
            const GroupDifference& d = *group.difference;
            for (const double value : {d.difference, d.ci_low, d.ci_high, d.improvement})
                out += QLatin1Char(',') + exactNumber(value);
            out += QLatin1Char(',') + csvField(QString::fromStdString(d.text));
        } else {
            out += QStringLiteral(",,,,,");
        }
        // The range of steps at which the scores were taken.
        const RunGroup steps = group.statistics.value_or(RunGroup());
        for (const std::int64_t step : {steps.first_steps, steps.last_steps})
            out += QLatin1Char(',') + (step > 0 ? QString::number(step) : QString());
        out += QLatin1Char(',') + (group.difference ? exactNumber(group.difference->p_value) : QString());
        out += QLatin1Char('\n');
    }
    return out;
}

QString compareMarkdown(const CompareData& data) {
    QString out = QStringLiteral(
        "| Group | n | Score | 95 % interval | Difference | P(better) | p value | Verdict |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (const ComparedGroup& group : data.groups) {
        QString text = group.label;
        text.replace(QLatin1Char('|'), QLatin1String("\\|"));
        out += QStringLiteral("| %1 | ").arg(text);
        if (!group.statistics) {
            out += QStringLiteral("0 | | | | | | no score yet |\n");
            continue;
        }
        const RunGroup& s = *group.statistics;
        const QString interval =
            std::isnan(s.ci_low)
                ? QStringLiteral("–")
                : QStringLiteral("[%1, %2]").arg(readableNumber(s.ci_low), readableNumber(s.ci_high));
        out += QStringLiteral("%1 | %2 | %3 | ")
                   .arg(QString::number(s.scores.size()), readableNumber(s.centre), interval);
        if (group.difference)
            out += QStringLiteral("%1 | %2 | %3 | %4 |\n")
                       .arg(readableNumber(group.difference->difference),
                            readableNumber(group.difference->improvement),
                            readableNumber(group.difference->p_value),
                            QString::fromStdString(group.difference->text));
        else out += QStringLiteral("| | | baseline |\n");
    }
    if (data.aligned)
        out += QStringLiteral("\nScores at step %1, the last step that all runs have reached.\n")
                   .arg(exactSteps(data.common_steps));
    else if (!data.common_steps.empty())
        out += QStringLiteral(
            "\nScores at the last step of each run; the runs have trained for different numbers of steps.\n");
    return out;
}

QString compareLatex(const CompareData& data) {
    std::vector<std::string> labels;
    for (const ComparedGroup& group : data.groups) labels.push_back(group.label.toStdString());
    labels = distinctNames(labels);
    const auto text = [](double value) {
        return std::isnan(value) ? std::string() : readableNumber(value).toStdString();
    };
    std::vector<std::vector<std::string>> rows{
        {"Group", "n", "Score", "95 % interval", "Difference", "P(better)", "p"}};
    for (std::size_t g = 0; g < data.groups.size(); ++g) {
        const RunGroup s = data.groups[g].statistics.value_or(RunGroup());
        std::vector<std::string> row{labels[g], std::to_string(s.scores.size())};
        if (!data.groups[g].statistics) row.resize(4);
        else
            row.insert(row.end(), {text(s.centre), std::isnan(s.ci_low) ? std::string()
                                                                        : "[" + text(s.ci_low) + ", " +
                                                                              text(s.ci_high) + "]"});
        if (const auto& difference = data.groups[g].difference)
            row.insert(row.end(), {text(difference->difference), text(difference->improvement),
                                   text(difference->p_value)});
        row.resize(7);
        rows.push_back(std::move(row));
    }
    return QString::fromStdString(tableText(rows, TableFormat::latex));
}

}  // namespace seedbed::ui
