// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/card_result.hpp"

#include "ui/models/catalogue.hpp"
#include "ui/models/packs/env_choice.hpp"
#include "ui/models/text/number_text.hpp"
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

QString solvedText(double seconds) {
    const QString time = secondsText(seconds);
    return seconds < 1 ? GalleryView::tr("Solved in %1 on this PC").arg(time)
                       : GalleryView::tr("Solved in about %1 on this PC").arg(time);
}

}  // namespace

CardResult cardResult(const Catalogue& catalogue, const PresetInfo* preset, const EnvInfo* env) {
    CardResult result;
    QStringList facts;
    if (preset == nullptr) {
        result.text = env != nullptr ? GalleryView::tr("no preset yet") : GalleryView::tr("Default settings");
        if (env == nullptr)
            facts += GalleryView::tr("no preset: default settings, %1 steps")
                         .arg(countText(QString::fromLatin1(kStepsWithoutPreset).toLongLong()));
        if (env != nullptr && env->reference_score)
            facts += GalleryView::tr("reference %1").arg(shortNumber(*env->reference_score));
    } else {
        const auto estimate = catalogue.estimate(preset->name);
        const QString goal = GalleryView::tr("goal %1").arg(shortNumber(preset->expected_score));
        const QString reference = GalleryView::tr("reference %1").arg(shortNumber(preset->reference_score));
        if (preset->best_score) {
            result.text = GalleryView::tr("Not solved yet: best %1 of %2")
                              .arg(shortNumber(*preset->best_score), shortNumber(preset->expected_score));
            result.tone = Tone::warning;
        } else if (catalogue.hasGoal(*preset)) {
            const bool is_timed = estimate && estimate->middle_minutes > 0;
            result.text = is_timed ? solvedText(60 * estimate->middle_minutes) : goal;
            result.tone = is_timed ? Tone::good : Tone::plain;
            facts += goal;
        } else {
            result.text = preset->is_measured ? reference : GalleryView::tr("not measured yet");
        }
        facts += reference;
        facts += trainingTimeText(catalogue, *preset, estimate);
    }
    if (env != nullptr && env->random_return)
        facts.insert(facts.size() - (preset != nullptr ? 1 : 0),
                     GalleryView::tr("random %1").arg(shortNumber(*env->random_return)));
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
