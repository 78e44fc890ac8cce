// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/run_estimate.hpp"

#include <algorithm>

#include <QJsonObject>
#include <QLocale>

#include "ui/models/catalogue.hpp"
#include "ui/models/config_form.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/packs/env_choice.hpp"

namespace seedbed::ui {
namespace {

constexpr int kCheckDelayMs = 300;  // delay after the last change

}  // namespace

RunEstimate::RunEstimate(Launcher& launcher, QObject* parent) : QObject(parent), launcher_(launcher) {
    timer_.setSingleShot(true);
    timer_.setInterval(kCheckDelayMs);
    connect(&timer_, &QTimer::timeout, this, &RunEstimate::check);
}

void RunEstimate::start(const QStringList& arguments) {
    arguments_ = arguments;
    // Cancels the last dry run, whose result is obsolete.
    launcher_.cancel(check_ticket_);
    problem_.clear();
    state_ = State::estimating;
    timer_.start();
    Q_EMIT changed();
}

void RunEstimate::reset() {
    timer_.stop();
    for (const quint64 ticket : {check_ticket_, speed_ticket_}) launcher_.cancel(ticket);
    problem_.clear();
    memory_bytes_ = 0;
    steps_ = 0;
    steps_per_s_ = 0;
    state_ = State::idle;
}

// The dry run also reports memory and steps.
void RunEstimate::check() {
    launcher_.cancel(check_ticket_);
    launcher_.cancel(speed_ticket_);
    steps_per_s_ = 0;
    check_ticket_ = launcher_.ask(
        QStringList{QStringLiteral("train")} + arguments_ + QStringList{QStringLiteral("--dry-run")}, this,
        [this](const CommandReply& reply) {
            problem_ = reply.error;
            const QJsonObject json = reply.json.object();
            memory_bytes_ =
                json[QStringLiteral("memory_bytes")].toObject()[QStringLiteral("total")].toInteger();
            const QJsonObject run =
                json[QStringLiteral("config")].toObject()[QStringLiteral("run")].toObject();
            steps_ = run[QStringLiteral("steps")].toInteger();
            state_ = reply.ok() ? State::measuring : State::idle;
            Q_EMIT changed();
            if (reply.ok()) measureSpeed();
        });
}

void RunEstimate::measureSpeed() {
    speed_ticket_ = launcher_.ask(QStringList{QStringLiteral("bench"), QStringLiteral("train")} + arguments_ +
                                      QStringList{QStringLiteral("--seconds"), QStringLiteral("0.3")},
                                  this, [this](const CommandReply& reply) {
                                      steps_per_s_ = reply.json.object()[QStringLiteral("sps")].toDouble();
                                      state_ = State::idle;
                                      Q_EMIT changed();
                                  });
}

QString RunEstimate::memoryText() const {
    if (state_ == State::estimating) return tr("Estimating memory and time…");
    if (memory_bytes_ <= 0) return {};
    return tr("About %1 of memory per run").arg(QLocale().formattedDataSize(memory_bytes_, 1));
}

QString RunEstimate::timeText() const {
    if (state_ == State::measuring) return tr("Measuring the speed…");
    if (state_ == State::estimating || memory_bytes_ <= 0) return {};  // estimating, or the dry run failed
    if (!(steps_per_s_ > 0)) return tr("The speed could not be measured.");
    const QLocale locale;
    const QString speed = locale.toString(steps_per_s_, 'f', 0);
    if (steps_ <= 0) return tr("No limit on steps; %1 steps/s (just measured)").arg(speed);
    return tr("About %1 for %2 steps at %3 steps/s (just measured)")
        .arg(secondsOf(1), locale.toString(steps_), speed);
}

QString RunEstimate::totalText(int runs) const {
    return state_ == State::idle && steps_ > 0 && steps_per_s_ > 0 ? tr("about %1").arg(secondsOf(runs))
                                                                   : QString();
}

// At least 1 s, to avoid "about less than 1 s".
QString RunEstimate::secondsOf(int runs) const {
    return secondsText(std::max(1.0, runs * static_cast<double>(steps_) / steps_per_s_));
}

QString noPresetNote(const ConfigForm& form, bool has_presets) {
    const FormField* steps = form.field(QStringLiteral("run.steps"));
    if (steps == nullptr) return {};
    const QString note =
        has_presets
            ? RunEstimate::tr("No preset is chosen: the settings are defaults, not tuned for this task.")
            : RunEstimate::tr(
                  "There is no preset for this environment: its settings are defaults, not tuned for this "
                  "task.");
    // The user's own number, or no limit.
    if (steps->text == QLatin1String("0") ||
        (steps->changed() && steps->text != QLatin1String(kStepsWithoutPreset)))
        return note;
    return note + QLatin1Char(' ') +
           RunEstimate::tr("Training stops after %1 steps unless you change the setting Steps.")
               .arg(QLocale().toString(steps->text.toLongLong()));
}

}  // namespace seedbed::ui
