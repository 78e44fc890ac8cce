// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/compare_text.hpp"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/core_text.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/models/text/score_text.hpp"

namespace seedbed::ui {
namespace {

using Verdict = GroupDifference::Verdict;

// The context of the translations.
struct CompareText {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::CompareText)
};

QString between() { return QStringLiteral(" · "); }

int seedsOf(const ComparedGroup& group) {
    return group.statistics ? static_cast<int>(group.statistics->scores.size()) : 0;
}

const ComparedRun* runOf(const CompareData& data, RunId id) {
    const auto run = std::find_if(data.runs.begin(), data.runs.end(),
                                  [&](const ComparedRun& one) { return one.record.id == id; });
    return run == data.runs.end() ? nullptr : &*run;
}

const ComparedGroup* baselineOf(const CompareData& data) {
    for (const ComparedGroup& group : data.groups)
        if (group.baseline) return &group;
    return nullptr;
}

// The group with the highest score of those that can be compared with the baseline.
const ComparedGroup* bestOf(const CompareData& data) {
    const ComparedGroup* best = nullptr;
    for (const ComparedGroup& group : data.groups) {
        if (!group.statistics || !group.difference || group.difference->verdict == Verdict::other_task)
            continue;
        if (best == nullptr || group.statistics->centre > best->statistics->centre) best = &group;
    }
    return best;
}

QString stepsOf(std::int64_t first, std::int64_t last) {
    const QString low = compactCount(static_cast<double>(first)),
                  high = compactCount(static_cast<double>(last));
    // Lengths of runs differ slightly, because updates are not split.
    return latestStepFor(first) >= last ? CompareText::tr("at %1 steps").arg(high)
                                        : CompareText::tr("at %1 to %2 steps").arg(low, high);
}

// The kind of scores of these groups: "returns of greedy episodes at 60k steps".
QString sourceText(const CompareData& data, const std::vector<const ComparedGroup*>& groups) {
    bool training = false, greedy = false, sampled = false, known = true;
    std::int64_t first = 0, last = 0;
    for (const ComparedGroup* group : groups) {
        for (const RunId id : group->statistics->runs) {
            const ComparedRun* run = runOf(data, id);
            if (run == nullptr || !run->score) continue;
            training = training || !run->score->evaluated;
            greedy = greedy || (run->score->evaluated && run->score->greedy);
            sampled = sampled || (run->score->evaluated && !run->score->greedy);
        }
        known = known && group->statistics->first_steps > 0;
        first = first == 0 ? group->statistics->first_steps : std::min(first, group->statistics->first_steps);
        last = std::max(last, group->statistics->last_steps);
    }
    QString text = training && (greedy || sampled)
                       ? CompareText::tr("returns of evaluations and of training episodes")
                   : training ? CompareText::tr("returns of training episodes")
                   : sampled  ? CompareText::tr("returns of sampled episodes")
                              : CompareText::tr("returns of greedy episodes");
    if (known) text += QLatin1Char(' ') + stepsOf(first, last);
    return text;
}

QString againstText(const ComparedGroup& a, const ComparedGroup& b) {
    return CompareText::tr("%n seed(s) against %1", nullptr, seedsOf(a)).arg(seedsOf(b));
}

QString pText(double p) {
    const QString text = pValueText(p);
    return text.startsWith(QLatin1Char('<')) ? QStringLiteral("p ") + text : QStringLiteral("p = ") + text;
}

ComparisonVerdict aloneVerdict(const CompareData& data, const ComparedGroup& group) {
    ComparisonVerdict verdict;
    verdict.kind = ComparisonVerdict::Kind::single;
    verdict.group = group.key;
    verdict.names << group.label;
    verdict.sentence = CompareText::tr("Only one setting is compared");
    QStringList details{runsText(data, group)};
    if (group.statistics) {
        const RunGroup& s = *group.statistics;
        details << (std::isnan(s.ci_low)
                        ? CompareText::tr("return %1").arg(shortNumber(s.centre))
                        : CompareText::tr("return %1 (95 %: %2 to %3)")
                              .arg(shortNumber(s.centre), shortNumber(s.ci_low), shortNumber(s.ci_high)));
        details << sourceText(data, {&group});
    }
    if (seedsOf(group) < static_cast<int>(kMinSeeds)) {
        details << CompareText::tr("at least %1 seeds are needed to judge a setting").arg(kMinSeeds);
        verdict.seeds.push_back({group.key, seedsToAdd(group, group)});
    }
    verdict.details = details.join(between());
    return verdict;
}

// The seeds that both groups need.
std::vector<SeedRequest> missingSeeds(const ComparedGroup& group, const ComparedGroup& baseline) {
    std::vector<SeedRequest> seeds;
    const int wanted = group.difference->more_seeds ? seedsToAdd(group, baseline) : 0;
    for (const ComparedGroup* one : {&group, &baseline})
        if (const int count = std::max(wanted, static_cast<int>(kMinSeeds) - seedsOf(*one)); count > 0)
            seeds.push_back({one->key, count});
    return seeds;
}

ComparisonVerdict pairVerdict(const CompareData& data, const ComparedGroup& group,
                              const ComparedGroup& baseline) {
    const GroupDifference& d = *group.difference;
    ComparisonVerdict verdict;
    QStringList details;
    verdict.group = group.key;
    verdict.names << group.label << baseline.label;
    const bool worse = d.verdict == Verdict::worse;
    if (worse) std::swap(verdict.names[0], verdict.names[1]);
    const ComparedGroup &first = worse ? baseline : group, &second = worse ? group : baseline;
    switch (d.verdict) {
        case Verdict::better:
        case Verdict::worse: {
            verdict.kind = ComparisonVerdict::Kind::different;
            verdict.sentence = CompareText::tr("%1 is better than %2");
            const double low = worse ? -d.ci_high : d.ci_low, high = worse ? -d.ci_low : d.ci_high;
            details << CompareText::tr("by %1 (95 %: %2 to %3)")
                           .arg(shortNumber(std::abs(d.difference)), shortNumber(low), shortNumber(high));
            break;
        }
        case Verdict::undecided:
            verdict.kind = ComparisonVerdict::Kind::undecided;
            verdict.sentence = CompareText::tr("No difference between %1 and %2 can be shown");
            details << CompareText::tr("%1 (95 %: %2 to %3)")
                           .arg(signedNumber(d.difference), shortNumber(d.ci_low), shortNumber(d.ci_high));
            break;
        default:
            verdict.kind = ComparisonVerdict::Kind::too_few;
            verdict.sentence = CompareText::tr("Too few seeds to distinguish %1 from %2");
            details << CompareText::tr("%1 so far").arg(signedNumber(d.difference));
            break;
    }
    details << againstText(first, second);
    if (verdict.kind == ComparisonVerdict::Kind::too_few)
        details << CompareText::tr("at least %1 of each are needed").arg(kMinSeeds);
    else details << pText(d.p_value);
    if (verdict.kind == ComparisonVerdict::Kind::undecided)
        details << coreText(d.parts, QStringLiteral("; "));
    details << sourceText(data, {&group, &baseline});
    const auto tests = std::count_if(data.groups.begin(), data.groups.end(), [](const ComparedGroup& one) {
        return one.difference && one.difference->verdict != Verdict::other_task;
    });
    if (tests > 1)
        details << CompareText::tr(
                       "the best of %1 settings against the baseline, not corrected for their "
                       "number")
                       .arg(tests);
    if (verdict.kind != ComparisonVerdict::Kind::different) verdict.seeds = missingSeeds(group, baseline);
    verdict.details = details.join(between());
    return verdict;
}

}  // namespace

QString pValueText(double p) {
    if (p < 0.001) return QStringLiteral("<%1%2").arg(QChar(QChar::Nbsp)).arg(shortNumber(0.001));
    // Two digits: more are not precise.
    const double unit = std::pow(10, std::floor(std::log10(p)) - 1);
    return shortNumber(std::round(p / unit) * unit);
}

QString scoreText(const ComparedGroup& group) {
    return shortNumber(group.statistics ? group.statistics->centre : std::nan(""));
}

QString scoreHelp(const ComparedGroup& group) {
    if (!group.statistics) return CompareText::tr("no finished episode yet");
    return group.statistics->scores.size() >= 4 ? CompareText::tr("interquartile mean over runs")
                                                : CompareText::tr("mean over runs");
}

QString differenceText(const ComparedGroup& group) {
    if (group.baseline) return CompareText::tr("baseline");
    if (!group.difference || group.difference->verdict == Verdict::other_task) return {};
    return signedNumber(group.difference->difference);
}

QString goalText(const CompareData& data, const ComparedGroup& group) {
    std::size_t runs = 0;
    std::vector<double> steps;
    for (const RunId id : group.drawn) {
        const ComparedRun* run = runOf(data, id);
        if (run == nullptr || !run->has_goal) continue;
        ++runs;
        if (run->solved) steps.push_back(static_cast<double>(*run->solved));
    }
    if (runs == 0) return {};
    if (steps.empty()) return CompareText::tr("Not solved yet");
    if (steps.size() < runs) return CompareText::tr("Solved by %1 of %2").arg(steps.size()).arg(runs);
    std::sort(steps.begin(), steps.end());
    return solvedAboutText((steps[(runs - 1) / 2] + steps[runs / 2]) / 2);
}

QString runsText(const CompareData& data, const ComparedGroup& group) {
    if (group.drawn.empty()) return {};
    const ComparedRun* first = runOf(data, group.drawn.front());
    if (first == nullptr) return {};
    const QString what = group.drawn.size() == 1
                             ? runTitle(first->record)
                             : CompareText::tr("%n seed(s)", nullptr, static_cast<int>(group.drawn.size()));
    if (group.drawn.size() == 1 && first->record.name.empty()) return what;
    return envTitle(first->record.env) + between() + what;
}

ComparisonVerdict verdictOf(const CompareData& data) {
    if (data.groups.size() == 1) return aloneVerdict(data, data.groups.front());
    const ComparedGroup *baseline = baselineOf(data), *best = bestOf(data);
    if (best != nullptr && baseline != nullptr) return pairVerdict(data, *best, *baseline);
    ComparisonVerdict verdict;
    const bool others = std::any_of(data.groups.begin(), data.groups.end(), [](const ComparedGroup& one) {
        return one.difference && one.difference->verdict == Verdict::other_task;
    });
    if (others) {
        verdict.kind = ComparisonVerdict::Kind::other_tasks;
        verdict.sentence = CompareText::tr("These settings are not compared");
        verdict.details = CompareText::tr(
            "returns of different environments, or of greedy and sampled episodes, have no common scale");
    } else {
        verdict.sentence = CompareText::tr("There is nothing to judge yet");
        verdict.details = CompareText::tr("fewer than two settings have finished episodes");
    }
    return verdict;
}

}  // namespace seedbed::ui
