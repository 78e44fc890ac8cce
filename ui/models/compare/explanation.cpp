// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/compare/explanation.hpp"

#include <algorithm>
#include <set>

#include <QCoreApplication>

#include "ui/models/compare/over_tasks_data.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

// The context of the translations.
struct Explained {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::Explained)
};

struct Definition {
    Statistic statistic;
    QString name, formula, interval, limits;  // interval: "" if the statistic has none
};

QString bootstrapText() {
    return Explained::tr(
        "95 % percentile bootstrap: the mean is computed again for 2,000 random draws of the runs with "
        "replacement. It is widened for few runs (√(n / (n − 1)) times Student's t over 1.96) and limited to "
        "the range of returns, if the environment states one. None for fewer than 3 runs.");
}

QString overTasksIntervalText() {
    return Explained::tr(
        "95 % percentile bootstrap: computed again for 2,000 random draws of the runs with replacement, "
        "within "
        "each task. It is not widened, so it is too narrow for few runs.");
}

std::vector<Definition> definitions() {
    return {
        {Statistic::runs, Explained::tr("Number of runs"),
         Explained::tr(
             "The runs of the group that have a score. If several runs have the same seed, only the "
             "newest counts."),
         QString(),
         Explained::tr(
             "It is the number of trainings, not of episodes: more episodes of the same runs do not show "
             "what other seeds would do. Five or more are needed for a verdict.")},
        {Statistic::score, Explained::tr("Score"),
         Explained::tr(
             "Interquartile mean: the mean of the middle half of the runs' scores (Agarwal et al. 2021). "
             "The mean for fewer than 4 runs."),
         bootstrapText(),
         Explained::tr("It holds for this environment and step. It does not show how fast the runs learned, "
                       "nor whether the group is better than another one; the difference does.")},
        {Statistic::interval, Explained::tr("95 % interval of the score"),
         Explained::tr(
             "If the same number of other seeds were trained repeatedly, about 95 % of such intervals "
             "would contain the score of very many seeds."),
         bootstrapText(),
         Explained::tr(
             "It is not the range of single runs or episodes. Groups whose intervals overlap may still "
             "differ: the p value decides that.")},
        {Statistic::range, Explained::tr("Lowest and highest score"),
         Explained::tr("The lowest and the highest score of a run of the group."), QString(),
         Explained::tr(
             "It grows with the number of runs, so it cannot be compared between groups of different "
             "sizes.")},
        {Statistic::difference, Explained::tr("Difference from the baseline"),
         Explained::tr("The score of the group minus that of the baseline."),
         Explained::tr(
             "The differences that the two-sided permutation test does not reject at 5 %. It excludes 0 if "
             "and only if p ≤ 0.05. None if there are too few runs."),
         Explained::tr(
             "It compares scores at one step. It does not show which setting learned faster, nor that the "
             "difference is the same in other environments or after longer training.")},
        {Statistic::improvement, Explained::tr("Probability of improvement"),
         Explained::tr(
             "The share of all pairs of a run of the group and a run of the baseline in which the group's "
             "run has the higher score; ties count half (Agarwal et al. 2021)."),
         Explained::tr("The shares that belong to the ends of the interval of the difference."),
         Explained::tr("It states how often a run is better, not by how much.")},
        {Statistic::p_value, Explained::tr("p value"),
         Explained::tr(
             "Two-sided permutation test of the difference: the share of all ways to divide these runs into "
             "two groups of these sizes that differ at least as much. Exact up to 20,000 ways, otherwise "
             "of 20,000 random ones."),
         QString(),
         Explained::tr(
             "It is not the probability that the settings are equally good, and a high value does not show "
             "that they are. It is not corrected for the number of groups: about one in twenty groups "
             "without a real difference has p ≤ 0.05.")},
        {Statistic::verdict, Explained::tr("Verdict"),
         Explained::tr(
             "“Better” or “worse” if p ≤ 0.05 in the two-sided permutation test of the difference. “Too few "
             "seeds” if a side has fewer than 5 and the test shows no difference."),
         Explained::tr("That of the difference: what the test does not reject at 5 %."),
         Explained::tr("It holds for this environment, step and kind of episodes. “No difference can be "
                       "shown” does not mean that the settings are equal.")},
        {Statistic::goal, Explained::tr("When the goal was reached"),
         Explained::tr(
             "The median step at which an evaluation first reached the environment's goal; the number of "
             "runs if not all of them did."),
         QString(),
         Explained::tr(
             "It is not more precise than the pause between evaluations, and a run that reached the goal "
             "once may have fallen below it later.")},
        {Statistic::task_runs, Explained::tr("Number of runs over tasks"),
         Explained::tr("All runs of the method, of all tasks."), QString(),
         Explained::tr("The task with the fewest runs limits how precise the other numbers are.")},
        {Statistic::task_iqm, Explained::tr("Interquartile mean over tasks"),
         Explained::tr(
             "The mean of the middle half of the normalised scores of all runs of all tasks (Agarwal et "
             "al. 2021)."),
         overTasksIntervalText(),
         Explained::tr(
             "It leaves out the worst and the best quarter of the runs, so it does not show tasks at "
             "which a method fails or excels: the profile does.")},
        {Statistic::task_median, Explained::tr("Median over tasks"),
         Explained::tr("The median over tasks of the mean normalised score over the task's runs."),
         overTasksIntervalText(),
         Explained::tr("It does not change when almost half of the tasks get worse.")},
        {Statistic::task_mean, Explained::tr("Mean over tasks"),
         Explained::tr("The mean over tasks of the mean normalised score over the task's runs."),
         overTasksIntervalText(), Explained::tr("A single task with extreme scores can decide it.")},
        {Statistic::optimality_gap, Explained::tr("Optimality gap"),
         Explained::tr(
             "By how much runs miss the goal on average: the mean over all runs of max(0, 1 − normalised "
             "score). Lower is better."),
         overTasksIntervalText(),
         Explained::tr(
             "Scores above the goal do not count, so methods that all reach it are not distinguished.")},
        {Statistic::task_improvement, Explained::tr("Probability of improvement over tasks"),
         Explained::tr(
             "The probability that a run scores higher than a run of the first method at the same task, "
             "averaged over tasks; ties count half (Agarwal et al. 2021)."),
         overTasksIntervalText(),
         Explained::tr("It states how often a run is better, not by how much, and it is not a test.")},
        {Statistic::profile, Explained::tr("Performance profile"),
         Explained::tr(
             "For each normalised score the share of runs above it, averaged over tasks (Agarwal et al. "
             "2021, section 4.2)."),
         overTasksIntervalText(),
         Explained::tr(
             "If two profiles cross, neither method is better at every level. It does not show which "
             "tasks the runs above a score belong to.")},
    };
}

Definition definition(Statistic statistic) {
    for (const Definition& one : definitions())
        if (one.statistic == statistic) return one;
    return {};
}

// The runs of a group with their seeds, scores, and what was scored.
QString sourceOf(const CompareData& data, const ComparedGroup& group) {
    if (!group.statistics) return Explained::tr("No run of the group has a finished episode yet.");
    const RunGroup& s = *group.statistics;
    QStringList ids, seeds, scores;
    bool greedy = false, sampled = false, training = false;
    for (std::size_t i = 0; i < s.runs.size(); ++i) {
        const auto run = std::find_if(data.runs.begin(), data.runs.end(),
                                      [&](const ComparedRun& one) { return one.record.id == s.runs[i]; });
        if (run == data.runs.end() || !run->score) continue;
        ids << QString::number(s.runs[i]);
        seeds << QString::number(run->record.seed);
        scores << shortNumber(s.scores[i]);
        (!run->score->evaluated ? training : run->score->greedy ? greedy : sampled) = true;
    }
    QStringList kinds;
    if (greedy) kinds << Explained::tr("the mean return of its latest evaluation, with greedy actions");
    if (sampled) kinds << Explained::tr("the mean return of its latest evaluation, with sampled actions");
    if (training) kinds << Explained::tr("the mean return of its last 100 training episodes");
    QString text =
        Explained::tr("%n run(s): %1; seeds: %2; scores: %3.", nullptr, static_cast<int>(ids.size()))
            .arg(ids.join(QStringLiteral(", ")), seeds.join(QStringLiteral(", ")),
                 scores.join(QStringLiteral("; "))) +
        QLatin1Char(' ') + Explained::tr("The score of a run is %1").arg(kinds.join(QStringLiteral("; ")));
    if (s.first_steps > 0)
        text +=
            QLatin1Char(' ') +
            (s.first_steps == s.last_steps
                 ? Explained::tr("at step %1").arg(countText(s.last_steps))
                 : Explained::tr("at steps %1 to %2").arg(countText(s.first_steps), countText(s.last_steps)));
    text += QLatin1Char('.');
    if (data.aligned)
        text += QLatin1Char(' ') +
                Explained::tr("Later scores are not used: this is the last step that all runs have reached.");
    return text;
}

// When each run of a group reached the goal.
QString goalSourceOf(const CompareData& data, const ComparedGroup& group) {
    QStringList parts;
    for (const ComparedRun& run : data.runs) {
        const bool drawn =
            std::find(group.drawn.begin(), group.drawn.end(), run.record.id) != group.drawn.end();
        if (!drawn || !run.has_goal) continue;
        parts << (run.solved
                      ? Explained::tr("run %1 at step %2").arg(run.record.id).arg(countText(*run.solved))
                      : Explained::tr("run %1 not yet").arg(run.record.id));
    }
    return Explained::tr("The evaluations of each run: %1.").arg(parts.join(QStringLiteral("; ")));
}

bool isAgainstBaseline(Statistic statistic) {
    static const std::set kAgainst{Statistic::difference, Statistic::improvement, Statistic::p_value,
                                   Statistic::verdict};
    return kAgainst.contains(statistic);
}

}  // namespace

QString Explanation::text() const {
    QStringList lines{value.isEmpty() ? title : title + QStringLiteral(": ") + value};
    for (const Part& part : parts) lines << part.title + QStringLiteral(": ") + part.text;
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString nameOf(Statistic statistic) { return definition(statistic).name; }

std::vector<Explanation::Part> definitionOf(Statistic statistic) {
    const Definition one = definition(statistic);
    std::vector<Explanation::Part> parts{{Explained::tr("How"), one.formula}};
    if (!one.interval.isEmpty()) parts.push_back({Explained::tr("Interval"), one.interval});
    parts.push_back({Explained::tr("Limits"), one.limits});
    return parts;
}

Explanation explainOverTasks(Statistic statistic, const OverTasksData& data, std::size_t method,
                             const QString& value) {
    const MethodScores& scores = data.over.methods[method];
    Explanation explanation;
    explanation.title = nameOf(statistic) + QStringLiteral(" · ") + QString::fromStdString(scores.method);
    explanation.value = value;
    explanation.parts.push_back(
        {Explained::tr("From"),
         Explained::tr("%n run(s), at least %1 of each task, with the mean return of each run (%2 episodes).",
                       nullptr, static_cast<int>(scores.runs))
                 .arg(scores.fewest)
                 .arg(data.kind) +
             QLatin1Char(' ') +
             Explained::tr("Normalised: 0 is random play, 1 the goal: %1.").arg(data.rangesText())});
    for (Explanation::Part& part : definitionOf(statistic)) explanation.parts.push_back(std::move(part));
    return explanation;
}

Explanation explain(Statistic statistic, const CompareData& data, const ComparedGroup& group,
                    const QString& value) {
    Explanation explanation;
    explanation.title = nameOf(statistic) + QStringLiteral(" · ") + group.label;
    explanation.value = value;
    explanation.parts.push_back({Explained::tr("From"), statistic == Statistic::goal
                                                            ? goalSourceOf(data, group)
                                                            : sourceOf(data, group)});
    if (isAgainstBaseline(statistic))
        for (const ComparedGroup& other : data.groups)
            if (other.baseline && other.key != group.key)
                explanation.parts.push_back(
                    {Explained::tr("Against %1").arg(other.label), sourceOf(data, other)});
    for (Explanation::Part& part : definitionOf(statistic)) explanation.parts.push_back(std::move(part));
    return explanation;
}

}  // namespace seedbed::ui
