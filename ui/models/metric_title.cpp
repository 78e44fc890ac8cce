// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/metric_title.hpp"

#include <utility>

#include <QCoreApplication>

namespace seedbed::ui {
namespace {

constexpr std::pair<const char*, const char*> kTitles[] = {
    {"episode/return", QT_TRANSLATE_NOOP("Metric", "Return in training")},
    {"eval/return", QT_TRANSLATE_NOOP("Metric", "Return of evaluations")},
    {"episode/length", QT_TRANSLATE_NOOP("Metric", "Episode length")},
    {"loss/policy", QT_TRANSLATE_NOOP("Metric", "Loss of the policy")},
    {"loss/value", QT_TRANSLATE_NOOP("Metric", "Loss of the value")},
    {"grad/norm", QT_TRANSLATE_NOOP("Metric", "Norm of the gradient")},
    {"optimiser/learning_rate", QT_TRANSLATE_NOOP("Metric", "Learning rate")},
    {"policy/clip_fraction", QT_TRANSLATE_NOOP("Metric", "Share of clipped ratios")},
    {"policy/entropy", QT_TRANSLATE_NOOP("Metric", "Entropy")},
    {"policy/entropy_cost", QT_TRANSLATE_NOOP("Metric", "Weight of the entropy")},
    {"policy/kl", QT_TRANSLATE_NOOP("Metric", "KL divergence per update")},
    {"policy/lag", QT_TRANSLATE_NOOP("Metric", "Lag of the policy")},
    {"policy/lag_max", QT_TRANSLATE_NOOP("Metric", "Greatest lag of the policy")},
    {"value/explained_variance", QT_TRANSLATE_NOOP("Metric", "Explained variance of the value")},
    {"speed/env_steps_per_s", QT_TRANSLATE_NOOP("Metric", "Speed between evaluations (steps/s)")},
    {"speed/frames_per_s", QT_TRANSLATE_NOOP("Metric", "Speed between evaluations (frames/s)")},
    {"speed/updates_per_s", QT_TRANSLATE_NOOP("Metric", "Speed between evaluations (updates/s)")},
    {"time/env", QT_TRANSLATE_NOOP("Metric", "Time of the environments (s)")},
    {"time/inference", QT_TRANSLATE_NOOP("Metric", "Time of inference (s)")},
    {"time/gather", QT_TRANSLATE_NOOP("Metric", "Time of gathering data (s)")},
    {"time/targets", QT_TRANSLATE_NOOP("Metric", "Time of targets (s)")},
    {"time/forward", QT_TRANSLATE_NOOP("Metric", "Time of the forward pass (s)")},
    {"time/loss", QT_TRANSLATE_NOOP("Metric", "Time of the loss (s)")},
    {"time/backward", QT_TRANSLATE_NOOP("Metric", "Time of the backward pass (s)")},
    {"time/optimiser", QT_TRANSLATE_NOOP("Metric", "Time of the optimiser (s)")},
    {"time/wait", QT_TRANSLATE_NOOP("Metric", "Time of waiting for others (s)")},
    {"time/idle", QT_TRANSLATE_NOOP("Metric", "Time without work (s)")},
    {"async/masked_rows", QT_TRANSLATE_NOOP("Metric", "Rows too old to learn from")},
    {"async/queue_windows", QT_TRANSLATE_NOOP("Metric", "Rollouts that wait for the learner")}};

}  // namespace

QString metricTitle(const QString& name) {
    for (const auto& [metric, title] : kTitles)
        if (name == QLatin1String(metric)) return QCoreApplication::translate("Metric", title);
    QString text = name;
    text.replace(QLatin1Char('/'), QLatin1Char(' ')).replace(QLatin1Char('_'), QLatin1Char(' '));
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

}  // namespace seedbed::ui
