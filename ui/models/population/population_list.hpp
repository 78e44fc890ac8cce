// SPDX-License-Identifier: GPL-3.0-or-later
// The populations of the data folder, and the members and lineage of one of them. Runs `seedbed population`,
// which decides who is the best and what was copied.
#pragma once

#include <optional>
#include <vector>

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>

#include "ui/models/database_watch.hpp"
#include "ui/models/run_id.hpp"

namespace seedbed::ui {

class Launcher;
struct CommandReply;

struct PopulationInfo {
    qint64 id = 0;
    QString name, env;
    int members = 0;
    qint64 round = 0, rounds = 0;
    bool is_complete = false;
    std::optional<double> best;

    bool operator==(const PopulationInfo&) const = default;
};

// Values of the settings that differ between members, in the order of PopulationDetails::keys.
using MutatedValues = std::vector<double>;

struct PopulationMember {
    int member = 0, parent = 0;
    RunId run = 0;
    QString state, error;
    MutatedValues settings;
    std::optional<double> score;  // of the newest round that has ended for this member

    bool operator==(const PopulationMember&) const = default;
};

// A learner and its history: the rounds in which one member continued with it.
struct PopulationLearner {
    int member = 0, parent = -1;  // parent: index of the learner that it is a copy of; -1: none
    qint64 first_round = 0, last_round = 0, begin_step = 0, end_step = 0;
    MutatedValues settings;
    std::optional<double> score;
    QString error;

    bool operator==(const PopulationLearner&) const = default;
};

struct PopulationBest {
    int member = 0;
    RunId run = 0;
    double score = 0;
    std::optional<double> evaluation{};  // by which it was chosen after the last round, if all have one

    bool operator==(const PopulationBest&) const = default;
};

struct PopulationDetails {
    qint64 id = 0;
    QString name, env, algo, preset, objective;
    bool lower_is_better = false, is_complete = false, is_running = false;
    qint64 round = 0, rounds = 0, steps = 0;
    QStringList keys;  // the mutated settings
    std::optional<PopulationBest> best;
    std::vector<PopulationMember> members;
    std::vector<PopulationLearner> lineage;  // parents before their copies

    bool operator==(const PopulationDetails&) const = default;
};

QList<PopulationInfo> populationsFromJson(const QJsonArray& json);
// From `seedbed population show --json`.
PopulationDetails populationFromJson(const QJsonObject& json);

// A new population.
struct PopulationPlan {
    QString preset, name;
    int members = 8, jobs = 1;
    QString mutate;                 // KEY=LOW..HIGH[:log]
    std::optional<qint64> steps{};  // unset: those of the preset
};

// Thread: GUI. No function blocks. Populations continue when this object is destroyed.
class PopulationList : public QObject {
    Q_OBJECT

public:
    PopulationList(Launcher& launcher, RunStore& runs, QObject* parent = nullptr);

    // By id. Empty until refresh() has completed; see isKnown().
    const QList<PopulationInfo>& populations() const { return populations_; }
    bool isKnown() const { return is_known_; }
    // Why populations could not be read; "" if they could.
    const QString& problem() const { return problem_; }
    // The shown population; its id is 0 until it has been read.
    const PopulationDetails& shown() const { return shown_; }
    qint64 chosen() const { return chosen_; }
    void choose(qint64 population);

    void refresh() { reload(true); }
    // While it is watched, changes by other programs are noticed.
    void setWatched(bool watched) { watch_.setWatched(watched); }

    void start(const PopulationPlan& plan);
    void resume(const PopulationDetails& population, int jobs);
    // Stops the members that are training: they save a checkpoint, and resume() continues.
    void stop(const PopulationDetails& population);
    // Whether a command of this window trains or is about to.
    bool isStarting() const { return is_starting_; }
    // The outcome of the latest command, for the user.
    const QString& note() const { return note_; }
    bool noteIsProblem() const { return note_is_problem_; }

Q_SIGNALS:
    void changed();

private:
    void reload(bool always);
    void takeList(const CommandReply& reply, bool always);
    void readDetails();
    void train(const QStringList& arguments, bool shows_newest);
    void setNote(const QString& text, bool is_problem);

    Launcher& launcher_;
    RunStore& runs_;
    DatabaseWatch watch_;
    QList<PopulationInfo> populations_;
    bool is_known_ = false, is_reading_ = false, again_ = false, has_changed_ = false;
    bool is_starting_ = false, shows_newest_ = false;
    qint64 chosen_ = 0;
    QString problem_, note_;
    bool note_is_problem_ = false;
    PopulationDetails shown_;
};

}  // namespace seedbed::ui
