// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/charts/metric_title.hpp"

#include <utility>

#include <QCoreApplication>

namespace seedbed::ui {
namespace {

constexpr std::pair<const char*, const char*> kTitles[] = {
    {"episode/return", QT_TRANSLATE_NOOP("Metric", "Training return")},
    {"eval/return", QT_TRANSLATE_NOOP("Metric", "Evaluation return")},
    {"episode/length", QT_TRANSLATE_NOOP("Metric", "Episode length (steps)")},
    {"loss/policy", QT_TRANSLATE_NOOP("Metric", "Policy loss")},
    {"loss/value", QT_TRANSLATE_NOOP("Metric", "Value loss")},
    {"loss/novelty", QT_TRANSLATE_NOOP("Metric", "Novelty of the observations")},
    {"loss/novelty_value", QT_TRANSLATE_NOOP("Metric", "Value loss of the intrinsic reward")},
    {"grad/norm", QT_TRANSLATE_NOOP("Metric", "Gradient norm")},
    {"optimiser/learning_rate", QT_TRANSLATE_NOOP("Metric", "Learning rate")},
    {"policy/clip_fraction", QT_TRANSLATE_NOOP("Metric", "Clip fraction")},
    {"policy/entropy", QT_TRANSLATE_NOOP("Metric", "Entropy (nats)")},
    {"policy/entropy_cost", QT_TRANSLATE_NOOP("Metric", "Entropy coefficient")},
    {"policy/kl", QT_TRANSLATE_NOOP("Metric", "KL divergence per update (nats)")},
    {"policy/lag", QT_TRANSLATE_NOOP("Metric", "Policy lag (updates)")},
    {"policy/lag_max", QT_TRANSLATE_NOOP("Metric", "Maximum policy lag (updates)")},
    {"policy/kl_cost", QT_TRANSLATE_NOOP("Metric", "Weight of the KL divergence")},
    {"policy/kl_of_scale", QT_TRANSLATE_NOOP("Metric", "KL divergence of the standard deviations (nats)")},
    {"policy/scale_kl_cost", QT_TRANSLATE_NOOP("Metric", "Weight of the standard deviations' KL divergence")},
    {"policy/temperature", QT_TRANSLATE_NOOP("Metric", "Temperature of the advantages")},
    {"policy/epsilon", QT_TRANSLATE_NOOP("Metric", "Probability of a random action")},
    {"replay/rows", QT_TRANSLATE_NOOP("Metric", "Decisions in the replay")},
    {"replay/effective_share", QT_TRANSLATE_NOOP("Metric", "Effective share of the replay")},
    {"value/q", QT_TRANSLATE_NOOP("Metric", "Q value of the chosen actions")},
    {"value/td_error", QT_TRANSLATE_NOOP("Metric", "Temporal-difference error")},
    {"value/scale", QT_TRANSLATE_NOOP("Metric", "Scale of the value targets")},
    {"value/explained_variance", QT_TRANSLATE_NOOP("Metric", "Explained variance")},
    {"speed/env_steps_per_s", QT_TRANSLATE_NOOP("Metric", "Speed without evaluations (steps/s)")},
    {"speed/frames_per_s", QT_TRANSLATE_NOOP("Metric", "Speed without evaluations (frames/s)")},
    {"speed/updates_per_s", QT_TRANSLATE_NOOP("Metric", "Speed without evaluations (updates/s)")},
    {"time/env", QT_TRANSLATE_NOOP("Metric", "Environment time (s)")},
    {"time/inference", QT_TRANSLATE_NOOP("Metric", "Inference time (s)")},
    {"time/gather", QT_TRANSLATE_NOOP("Metric", "Data gathering time (s)")},
    {"time/targets", QT_TRANSLATE_NOOP("Metric", "Target computation time (s)")},
    {"time/forward", QT_TRANSLATE_NOOP("Metric", "Forward pass time (s)")},
    {"time/loss", QT_TRANSLATE_NOOP("Metric", "Loss time (s)")},
    {"time/backward", QT_TRANSLATE_NOOP("Metric", "Backward pass time (s)")},
    {"time/optimiser", QT_TRANSLATE_NOOP("Metric", "Optimiser time (s)")},
    {"time/wait", QT_TRANSLATE_NOOP("Metric", "Time waiting for other threads (s)")},
    {"time/idle", QT_TRANSLATE_NOOP("Metric", "Idle time (s)")},
    {"async/echo", QT_TRANSLATE_NOOP("Metric", "Passes over each rollout")},
    {"async/echo_ratio", QT_TRANSLATE_NOOP("Metric", "Ratio of acting time to learning time")},
    {"async/masked_rows", QT_TRANSLATE_NOOP("Metric", "Rows masked as too old")},
    {"async/queue_windows", QT_TRANSLATE_NOOP("Metric", "Rollouts waiting for the learner")}};

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
