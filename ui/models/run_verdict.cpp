// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_verdict.hpp"

#include <algorithm>

#include <QCoreApplication>

#include "ui/models/text/number_text.hpp"
#include "ui/models/text/score_text.hpp"

namespace seedbed::ui {
namespace {

constexpr std::size_t kMostComparedRuns = 200;
constexpr int kLeastOtherRuns = 2;  // fewer are not compared

struct VerdictText {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::RunVerdict)
};

}  // namespace

std::optional<std::int64_t> solvedAt(const std::vector<EvaluationRecord>& evaluations, double goal) {
    std::optional<std::int64_t> first;
    for (const EvaluationRecord& evaluation : evaluations)
        if (evaluation.mean >= goal) first = std::min(first.value_or(evaluation.step), evaluation.step);
    return first;
}

Result<OtherRuns> compareSolved(StoreReader& reader, const RunRecord& run, std::int64_t solved, double goal) {
    OtherRuns others;
    SEEDBED_ASSIGN(const std::vector<RunRecord> runs, reader.runs());
    std::size_t read = 0;
    for (auto other = runs.rbegin(); other != runs.rend() && read < kMostComparedRuns; ++other) {
        if (other->env != run.env || other->id == run.id || other->in_trash ||
            other->status != RunStatus::finished)
            continue;
        ++read;
        SEEDBED_ASSIGN(const std::vector<EvaluationRecord> evaluations, reader.evaluations(other->id));
        if (evaluations.empty()) continue;  // nothing to compare
        ++others.runs;
        others.later += solvedAt(evaluations, goal).value_or(INT64_MAX) > solved;
    }
    return others;
}

RunVerdict runVerdict(const RunRecord& run, const std::vector<EvaluationRecord>& evaluations,
                      std::optional<double> goal, const std::optional<OtherRuns>& others,
                      std::optional<double> random) {
    using Kind = RunVerdict::Kind;
    // Why a run failed or was interrupted: cause and what to do.
    if (run.status == RunStatus::failed)
        return {.kind = Kind::failed, .text = QString::fromStdString(run.status_text)};
    if (run.status == RunStatus::interrupted && run.status_text != kStoppedOnRequest)
        return {.kind = Kind::interrupted, .text = QString::fromStdString(run.status_text)};
    if (!goal || evaluations.empty()) return {};
    if (const auto step = solvedAt(evaluations, *goal)) {
        QString text = solvedAtText(*step);
        if (others && others->runs >= kLeastOtherRuns)
            text = VerdictText::tr("%1, sooner than %2 of %3 other finished runs of this environment")
                       .arg(text)
                       .arg(others->later)
                       .arg(others->runs);
        return {.kind = Kind::solved, .text = text + QLatin1Char('.'), .step = step};
    }
    if (run.status != RunStatus::finished) return {};
    const double best =
        std::max_element(evaluations.begin(), evaluations.end(), [](const auto& a, const auto& b) {
            return a.mean < b.mean;
        })->mean;
    if (random && best <= *random)
        return {.kind = Kind::missed,
                .text = VerdictText::tr("%1, and random actions reach %2. Something prevents learning.")
                            .arg(notSolvedText(best, *goal), scoreText(*random)),
                .like_random = true};
    return {.kind = Kind::missed, .text = notSolvedText(best, *goal) + QLatin1Char('.')};
}

}  // namespace seedbed::ui
