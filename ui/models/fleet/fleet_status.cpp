// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/fleet/fleet_status.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include <QJsonArray>

#include "ui/models/launcher.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

// `seedbed fleet show` uses a few hundredths of a second of a core; `ray job status` more than a second.
constexpr std::chrono::seconds kFleetInterval{5};
constexpr int kReadingsPerJobs = 60, kReadingsPerJobsWaiting = 6;

template <class T>
std::optional<T> numberIf(const QJsonValue& value) {
    return value.isDouble() ? std::optional(static_cast<T>(value.toDouble())) : std::nullopt;
}

QStringList textsIn(const QJsonValue& list) {
    QStringList words;
    for (const QJsonValue& word : list.toArray()) words << word.toString();
    return words;
}

// "Slurm job 5"
QString launchName(const FleetLaunch& launch) {
    if (launch.on == QLatin1String("local")) return FleetWatch::tr("The launch on this machine");
    if (launch.on == QLatin1String("ssh")) return FleetWatch::tr("The launch on %1").arg(launch.job);
    if (launch.job.isEmpty()) return FleetWatch::tr("The job of %1").arg(launch.on);
    if (launch.on == QLatin1String("slurm")) return FleetWatch::tr("Slurm job %1").arg(launch.job);
    if (launch.on == QLatin1String("ray")) return FleetWatch::tr("Ray job %1").arg(launch.job);
    if (launch.on == QLatin1String("kubernetes")) return FleetWatch::tr("Kubernetes job %1").arg(launch.job);
    return launch.on + QLatin1Char(' ') + launch.job;
}

bool anyLaunch(const FleetStatus& status, QLatin1String state) {
    return std::any_of(status.launches.begin(), status.launches.end(),
                       [&](const FleetLaunch& launch) { return launch.state == state; });
}

}  // namespace

int FleetStatus::waiting() const {
    return static_cast<int>(std::count_if(groups.begin(), groups.end(),
                                          [](const FleetGroup& group) { return group.is_waiting; }));
}

double FleetStatus::stepsPerSecond() const {
    double sum = 0;
    for (const FleetGroup& group : groups) sum += group.steps_per_s.value_or(0);
    return sum;
}

FleetStatus fleetFromJson(const QJsonObject& json) {
    FleetStatus status;
    for (const QJsonValue& each : json[QStringLiteral("groups")].toArray())
        status.groups.push_back({.group = each[QStringLiteral("group")].toInt(),
                                 .actor = each[QStringLiteral("actor")].toString(),
                                 .is_waiting = each[QStringLiteral("waiting")].toBool(),
                                 .environments = each[QStringLiteral("environments")].toInteger(),
                                 .losses = each[QStringLiteral("losses")].toInteger(),
                                 .steps_per_s = numberIf<double>(each[QStringLiteral("rows_per_s")]),
                                 .answer_age_s = numberIf<qint64>(each[QStringLiteral("answer_age_s")]),
                                 .form = each[QStringLiteral("form")].toString(),
                                 .lag = numberIf<qint64>(each[QStringLiteral("lag")])});
    for (const QJsonValue& each : json[QStringLiteral("launches")].toArray())
        status.launches.push_back({.on = each[QStringLiteral("on")].toString(),
                                   .job = each[QStringLiteral("job")].toString(),
                                   .state = each[QStringLiteral("state")].toString(),
                                   .detail = each[QStringLiteral("detail")].toString(),
                                   .actors = each[QStringLiteral("actors")].toInt(),
                                   .running = numberIf<int>(each[QStringLiteral("running")]),
                                   .options = textsIn(each[QStringLiteral("options")])});
    return status;
}

QString machineOf(const FleetGroup& group) {
    const qsizetype colon = group.actor.lastIndexOf(QLatin1Char(':'));
    return colon > 0 ? group.actor.left(colon) : group.actor;
}

QString groupStateText(const FleetGroup& group) {
    const QString state =
        group.is_waiting ? FleetWatch::tr("waiting for an actor") : FleetWatch::tr("connected");
    if (group.losses == 0) return state;
    return FleetWatch::tr("%1, lost %n time(s)", "state of an actor", static_cast<int>(group.losses))
        .arg(state);
}

QString groupFormText(const FleetGroup& group) {
    if (group.form == QLatin1String("windows")) return FleetWatch::tr("actor");
    return group.form.isEmpty() ? QString() : FleetWatch::tr("learner");
}

QString launchText(const FleetLaunch& launch) {
    const QString name = launchName(launch);
    QString text = launch.state == QLatin1String("pending")   ? FleetWatch::tr("%1 is pending").arg(name)
                   : launch.state == QLatin1String("running") ? FleetWatch::tr("%1 is running").arg(name)
                   : launch.state == QLatin1String("ended")   ? FleetWatch::tr("%1 has ended").arg(name)
                   : launch.state == QLatin1String("failed")
                       ? FleetWatch::tr("%1 has failed").arg(name)
                       : FleetWatch::tr("%1 has an unknown state").arg(name);
    if (launch.running)
        text = FleetWatch::tr("%1, %2 of %3 actors")
                   .arg(text, countText(*launch.running), countText(launch.actors));
    return launch.detail.isEmpty() ? text : text + QStringLiteral(": ") + launch.detail;
}

QString fleetSummary(const FleetStatus& status) {
    const auto groups = static_cast<int>(status.groups.size());
    return FleetWatch::tr("Actors: %1 of %2 connected, %3 steps per second.")
        .arg(countText(groups - status.waiting()), countText(groups),
             countText(std::llround(status.stepsPerSecond())));
}

QStringList addActorsCommand(const FleetStatus& status, RunId run) {
    QStringList words{QStringLiteral("fleet"), QStringLiteral("add"), QString::number(run),
                      QStringLiteral("--actors"), QString::number(std::max(1, status.waiting()))};
    if (!status.launches.empty()) words << status.launches.back().options;
    return words;
}

QString waitingAdvice(const FleetStatus& status, const QString& command) {
    const int waiting = status.waiting();
    if (waiting == 0) return {};
    const QString groups =
        FleetWatch::tr("%n group(s) are waiting for an actor.", nullptr, waiting) + QLatin1Char(' ');
    if (anyLaunch(status, QLatin1String("pending")))
        return groups + FleetWatch::tr("The pending job will start actors.");
    if (anyLaunch(status, QLatin1String("running")))
        return groups + FleetWatch::tr(
                            "If actors that are running do not connect, their log contains the reason. "
                            "This command starts more: %1")
                            .arg(command);
    return groups + FleetWatch::tr("Start actors with this command: %1").arg(command);
}

FleetWatch::FleetWatch(Launcher* launcher, QObject* parent) : QObject(parent), launcher_(launcher) {
    timer_.setSingleShot(true);
    timer_.setInterval(kFleetInterval);
    connect(&timer_, &QTimer::timeout, this, &FleetWatch::read);
}

void FleetWatch::follow(RunId run) {
    if (launcher_ == nullptr || run == run_) return;
    timer_.stop();
    if (ticket_ != 0) launcher_->cancel(std::exchange(ticket_, 0));
    run_ = run;
    if (run == 0) return;
    if (std::exchange(known_, run) != run) {
        status_.reset();
        problem_.clear();
        Q_EMIT changed();
    }
    until_jobs_ = 0;
    read();
}

void FleetWatch::read() {
    const bool with_jobs = until_jobs_ == 0;
    QStringList words{QStringLiteral("fleet"), QStringLiteral("show"), QString::number(run_)};
    if (!with_jobs) words << QStringLiteral("--no-jobs");
    ticket_ =
        launcher_->ask(words, this, [this, with_jobs](const CommandReply& reply) { take(reply, with_jobs); });
}

void FleetWatch::take(const CommandReply& reply, bool has_jobs) {
    ticket_ = 0;
    timer_.start();
    problem_ = reply.error;
    if (reply.ok()) {
        FleetStatus status = fleetFromJson(reply.json.object());
        if (!has_jobs && status_) status.launches = std::move(status_->launches);
        const bool was_waiting = status_ && status_->waiting() > 0;
        status_ = std::move(status);
        const bool is_waiting = status_->waiting() > 0;
        // The jobs explain why groups wait.
        if (has_jobs) until_jobs_ = is_waiting ? kReadingsPerJobsWaiting : kReadingsPerJobs;
        else if (is_waiting && !was_waiting) until_jobs_ = 1;
        --until_jobs_;
    }
    Q_EMIT changed();
}

}  // namespace seedbed::ui
