// SPDX-License-Identifier: GPL-3.0-or-later
// The actors of a run that trains with environments on other machines, from `seedbed fleet show`.
#pragma once

#include <optional>
#include <vector>

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include "ui/models/run_id.hpp"

namespace seedbed::ui {

class Launcher;
struct CommandReply;

// A group of environments and the actor that steps them.
struct FleetGroup {
    int group = 0;
    QString actor{};  // "alpha:15986"; "" without an actor
    bool is_waiting = false;
    qint64 environments = 0, losses = 0;
    std::optional<double> steps_per_s{};  // over the last ten seconds
    std::optional<qint64> answer_age_s{};
    QString form{};               // "actions", "windows"; "" without an actor
    std::optional<qint64> lag{};  // of the parameters in updates; null if the learner chooses the actions
};

// The actors that one command has started.
struct FleetLaunch {
    QString on{};     // "slurm"
    QString job{};    // "5"; "" without a name
    QString state{};  // "pending", "running", "ended", "failed", "unknown"
    QString detail{};
    int actors = 0;
    std::optional<int> running{};
    QStringList options{};  // of `seedbed fleet add`, which starts the same
};

struct FleetStatus {
    std::vector<FleetGroup> groups;
    std::vector<FleetLaunch> launches;

    int waiting() const;
    double stepsPerSecond() const;
};

// `json`: from `seedbed fleet show --json`.
FleetStatus fleetFromJson(const QJsonObject& json);

// The name of the machine of an actor.
QString machineOf(const FleetGroup& group);
// "connected", "waiting for an actor, lost 2 times".
QString groupStateText(const FleetGroup& group);
// "actor" or "learner", which chooses the actions; "" without an actor.
QString groupFormText(const FleetGroup& group);
// "Slurm job 5 is pending: Resources".
QString launchText(const FleetLaunch& launch);
// "Actors: 3 of 4 connected, 12,300 steps per second."
QString fleetSummary(const FleetStatus& status);
// The words of the command that starts as many actors as are missing, as the last ones were started.
QStringList addActorsCommand(const FleetStatus& status, RunId run);
// Which groups wait and what a person does about it; "" if none waits. `command`: of addActorsCommand.
QString waitingAdvice(const FleetStatus& status, const QString& command);

// Reads the actors of one run every few seconds, and less often asks Slurm and others about its jobs. Thread:
// GUI.
class FleetWatch : public QObject {
    Q_OBJECT

public:
    // Without a launcher nothing is read.
    explicit FleetWatch(Launcher* launcher, QObject* parent = nullptr);

    // Follows this run, which must have a fleet and be live; 0: none.
    void follow(RunId run);
    bool isFollowing() const { return run_ != 0; }
    // The run that was followed last, and its status; null until it is known.
    RunId run() const { return known_; }
    const FleetStatus* status() const { return status_ ? &*status_ : nullptr; }
    // Why the newest reading failed, or "".
    const QString& problem() const { return problem_; }

Q_SIGNALS:
    void changed();

private:
    void read();
    void take(const CommandReply& reply, bool has_jobs);

    Launcher* launcher_;
    RunId run_ = 0, known_ = 0;
    quint64 ticket_ = 0;
    int until_jobs_ = 0;  // readings without jobs before the next one with them
    std::optional<FleetStatus> status_;
    QString problem_;
    QTimer timer_;
};

}  // namespace seedbed::ui
