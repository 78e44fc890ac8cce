// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/score_text.hpp"

#include <cmath>
#include <tuple>
#include <utility>

#include <QCoreApplication>

#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

// The context of the translations.
struct ScoreText {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::ScoreText)
};

// Two decimals are enough for small scores.
double rounded(double score) { return std::abs(score) < 10 ? std::round(score * 100) / 100 : score; }

QString withMinus(QString number) {
    return number.startsWith(QLatin1Char('-')) ? number.replace(0, 1, QStringLiteral("−")) : number;
}

}  // namespace

QString scoreText(double score) { return withMinus(shortNumber(score)); }

QString solvedAtText(std::int64_t step) { return ScoreText::tr("Solved at %1 steps").arg(countText(step)); }

QString solvedAboutText(double step) { return ScoreText::tr("Solved at %1 steps").arg(compactCount(step)); }

QString notSolvedText(double best, double goal) {
    if (best >= goal) return ScoreText::tr("Not solved in every run");
    auto [reached, wanted] = std::pair(shortNumber(rounded(best)), shortNumber(goal));
    if (reached == wanted || rounded(best) >= goal) std::tie(reached, wanted) = rangeTexts(best, goal);
    const QString text = best < 0 || goal <= 0 ? ScoreText::tr("Not solved yet: best %1, goal %2")
                                               : ScoreText::tr("Not solved yet: best %1 of %2");
    return text.arg(withMinus(reached), withMinus(wanted));
}

QString checkpointText(const QString& name, const CheckpointRecord& checkpoint,
                       std::optional<double> best_evaluation) {
    QString text = name;
    if (checkpoint.score) text = ScoreText::tr("%1, return %2").arg(text, shortNumber(*checkpoint.score));
    if (!checkpoint.best) return text;
    const bool differs = checkpoint.score && best_evaluation &&
                         shortNumber(*checkpoint.score) != shortNumber(*best_evaluation);
    return differs ? ScoreText::tr("%1 (best; %2 in an earlier evaluation)")
                         .arg(text, shortNumber(*best_evaluation))
                   : ScoreText::tr("%1 (best)").arg(text);
}

std::optional<double> bestEvaluation(const RunRecord* run) {
    return run != nullptr && run->return_source == "evaluation" ? run->best_return : std::nullopt;
}

}  // namespace seedbed::ui
