// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/card_result.hpp"

#include "ui/models/catalogue.hpp"
#include "ui/models/packs/env_choice.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/models/text/score_text.hpp"
#include "ui/views/start/gallery_view.hpp"

namespace seedbed::ui {
namespace {

QString trainingTimeText(const Catalogue& catalogue, const PresetInfo& preset,
                         const std::optional<Estimate>& estimate) {
    if (!estimate) return GalleryView::tr("training time: not measured yet");
    if (estimate->middle_minutes > 0 && catalogue.hasGoal(preset))
        return GalleryView::tr("%1 to reach the goal").arg(minutesText(*estimate));
    const QString all_steps =
        secondsText(static_cast<double>(estimate->steps) / ((estimate->low_sps + estimate->high_sps) / 2));
    return (preset.is_measured ? GalleryView::tr("%1 for all steps")
                               : GalleryView::tr("%1 for all steps; no result recorded"))
        .arg(all_steps);
}

QString solvedText(const std::optional<Estimate>& estimate) {
    return estimate && estimate->middle_minutes > 0
               ? GalleryView::tr("Solved in %1 on this PC").arg(secondsText(60 * estimate->middle_minutes))
               : GalleryView::tr("Solved, not timed on this PC yet");
}

}  // namespace

CardResult cardResult(const Catalogue& catalogue, const PresetInfo* preset, const EnvInfo* env) {
    CardResult result;
    QStringList facts;
    if (preset == nullptr) {
        result.text = env != nullptr ? GalleryView::tr("No tried settings yet")
                                     : GalleryView::tr("Not tried yet: default settings");
        if (env == nullptr)
            facts += GalleryView::tr("no preset: default settings, %1 steps")
                         .arg(countText(QString::fromLatin1(kStepsWithoutPreset).toLongLong()));
        if (env != nullptr && env->reference_score)
            facts += GalleryView::tr("reference %1").arg(scoreText(*env->reference_score));
    } else {
        const auto estimate = catalogue.estimate(preset->name);
        const QString goal = GalleryView::tr("goal %1").arg(scoreText(preset->expected_score));
        const QString reference = GalleryView::tr("reference %1").arg(scoreText(preset->reference_score));
        if (preset->best_score) {
            result.text = notSolvedText(*preset->best_score, preset->expected_score);
            result.tone = Tone::warning;
            if (*preset->best_score >= preset->expected_score)
                facts += GalleryView::tr("its runs reach %1 on average, but not every one reaches %2")
                             .arg(scoreText(*preset->best_score), scoreText(preset->expected_score));
        } else if (catalogue.hasGoal(*preset)) {
            result.text = solvedText(estimate);
            result.tone = estimate && estimate->middle_minutes > 0 ? Tone::good : Tone::plain;
            facts += goal;
        } else {
            result.text = preset->is_measured ? GalleryView::tr("No goal: %1").arg(reference)
                                              : GalleryView::tr("Not trained to the end yet");
        }
        facts += reference;
        facts += trainingTimeText(catalogue, *preset, estimate);
    }
    if (env != nullptr && env->random_return)
        facts.insert(facts.size() - (preset != nullptr ? 1 : 0),
                     GalleryView::tr("random %1").arg(scoreText(*env->random_return)));
    if (env != nullptr) facts.prepend(difficultyText(env->difficulty));
    result.facts = facts.join(QStringLiteral(" · "));
    if (preset != nullptr && !preset->source.isEmpty()) result.facts += QLatin1Char('\n') + preset->source;
    return result;
}

QString difficultyText(const QString& difficulty) {
    if (difficulty == QLatin1String("easy")) return GalleryView::tr("easy");
    if (difficulty == QLatin1String("medium")) return GalleryView::tr("medium");
    if (difficulty == QLatin1String("hard")) return GalleryView::tr("hard");
    return difficulty;
}

}  // namespace seedbed::ui
