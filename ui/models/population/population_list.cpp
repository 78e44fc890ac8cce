// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/population/population_list.hpp"

#include <algorithm>
#include <utility>

#include <QJsonArray>

#include "ui/models/launcher.hpp"
#include "ui/models/run_store.hpp"

namespace seedbed::ui {
namespace {

std::optional<double> scoreFrom(const QJsonValue& json) {
    return json.isDouble() ? std::optional(json.toDouble()) : std::nullopt;
}

MutatedValues valuesFrom(const QJsonValue& settings, const QStringList& keys) {
    MutatedValues values;
    for (const QString& key : keys) values.push_back(settings[key].toDouble());
    return values;
}

PopulationLearner learnerFrom(const QJsonValue& json, const QStringList& keys) {
    return {.member = json[QStringLiteral("member")].toInt(),
            .parent = json[QStringLiteral("parent")].toInt(-1),
            .first_round = json[QStringLiteral("first_round")].toInteger(),
            .last_round = json[QStringLiteral("last_round")].toInteger(),
            .begin_step = json[QStringLiteral("begin_step")].toInteger(),
            .end_step = json[QStringLiteral("end_step")].toInteger(),
            .settings = valuesFrom(json[QStringLiteral("settings")], keys),
            .score = scoreFrom(json[QStringLiteral("score")]),
            .error = json[QStringLiteral("error")].toString()};
}

PopulationMember memberFrom(const QJsonValue& json, const QStringList& keys) {
    return {.member = json[QStringLiteral("member")].toInt(),
            .parent = json[QStringLiteral("parent")].toInt(),
            .run = json[QStringLiteral("run")].toInteger(),
            .state = json[QStringLiteral("state")].toString(),
            .error = json[QStringLiteral("error")].toString(),
            .settings = valuesFrom(json[QStringLiteral("settings")], keys),
            .score = scoreFrom(json[QStringLiteral("score")])};
}

// Until a member has a score in the newest round, shows that of an earlier one.
void addEarlierScores(std::vector<PopulationMember>& members, const QJsonArray& rounds) {
    for (PopulationMember& member : members) {
        if (member.score) continue;
        for (const QJsonValue& each : rounds)
            if (each[QStringLiteral("member")].toInt() == member.member)
                if (const auto score = scoreFrom(each[QStringLiteral("score")])) member.score = score;
    }
}

}  // namespace

QList<PopulationInfo> populationsFromJson(const QJsonArray& json) {
    QList<PopulationInfo> populations;
    for (const QJsonValue& each : json)
        populations += {.id = each[QStringLiteral("id")].toInteger(),
                        .name = each[QStringLiteral("name")].toString(),
                        .env = each[QStringLiteral("env")].toString(),
                        .members = each[QStringLiteral("members")].toInt(),
                        .round = each[QStringLiteral("round")].toInteger(),
                        .rounds = each[QStringLiteral("rounds_total")].toInteger(),
                        .is_complete = each[QStringLiteral("complete")].toBool(),
                        .best = scoreFrom(each[QStringLiteral("best")])};
    return populations;
}

PopulationDetails populationFromJson(const QJsonObject& json) {
    const QJsonObject settings = json[QStringLiteral("settings")].toObject();
    PopulationDetails details;
    details.id = json[QStringLiteral("id")].toInteger();
    details.name = json[QStringLiteral("name")].toString();
    details.env = settings[QStringLiteral("env")].toString();
    details.algo = settings[QStringLiteral("algo")].toString();
    details.preset = settings[QStringLiteral("preset")].toString();
    details.objective = settings[QStringLiteral("objective")].toString();
    details.lower_is_better = settings[QStringLiteral("lower_is_better")].toBool();
    details.steps = settings[QStringLiteral("steps")].toInteger();
    details.is_complete = json[QStringLiteral("complete")].toBool();
    details.is_running = json[QStringLiteral("running")].toBool();
    details.round = json[QStringLiteral("round")].toInteger();
    details.rounds = json[QStringLiteral("rounds_total")].toInteger();
    for (const QJsonValue& each : settings[QStringLiteral("mutations")].toArray())
        details.keys += each[QStringLiteral("key")].toString();
    const QJsonObject best = json[QStringLiteral("best")].toObject();
    if (!best.isEmpty())
        details.best = PopulationBest{
            best[QStringLiteral("member")].toInt(), best[QStringLiteral("run")].toInteger(),
            best[QStringLiteral("score")].toDouble(), scoreFrom(best[QStringLiteral("evaluation")])};
    for (const QJsonValue& each : json[QStringLiteral("members")].toArray())
        details.members.push_back(memberFrom(each, details.keys));
    addEarlierScores(details.members, json[QStringLiteral("rounds")].toArray());
    for (const QJsonValue& each : json[QStringLiteral("lineage")].toArray())
        details.lineage.push_back(learnerFrom(each, details.keys));
    return details;
}

PopulationList::PopulationList(Launcher& launcher, RunStore& runs, QObject* parent)
    : QObject(parent), launcher_(launcher), runs_(runs), watch_(runs) {
    connect(&watch_, &DatabaseWatch::due, this, [this] { reload(false); });
    connect(&watch_, &DatabaseWatch::stateChanged, this, [this] {
        if (watch_.isWatched()) refresh();
    });
}

void PopulationList::choose(qint64 population) {
    if (chosen_ == population) return;
    chosen_ = population;
    shown_ = {};
    setNote({}, false);
    readDetails();
}

// --- reading

// always: reads the members even if the list of populations is unchanged.
void PopulationList::reload(bool always) {
    if (is_reading_) {
        again_ = true;
        return;
    }
    watch_.beginReading();
    const DatabaseWatch::Database database = watch_.database();
    if (database == DatabaseWatch::Database::unknown) return;  // stateChanged() will follow
    if (database == DatabaseWatch::Database::missing && !has_changed_) {
        is_known_ = true;
        problem_ = runs_.state().text;
        populations_.clear();
        chosen_ = 0;
        shown_ = {};
        Q_EMIT changed();
        return;
    }
    is_reading_ = true;
    launcher_.ask({QStringLiteral("population"), QStringLiteral("list")}, this,
                  [this, always](const CommandReply& reply) { takeList(reply, always); });
}

void PopulationList::takeList(const CommandReply& reply, bool always) {
    is_reading_ = false;
    const bool was_known = std::exchange(is_known_, true);
    const QString before = std::exchange(problem_, reply.error);
    QList<PopulationInfo> populations = reply.ok() ? populationsFromJson(reply.json.array()) : populations_;
    const bool is_same = was_known && before == problem_ && populations == populations_;
    if (shows_newest_ && populations.size() > populations_.size()) {
        shows_newest_ = false;
        watch_.setWorking(false);
        chosen_ = populations.last().id;
        shown_ = {};
    }
    populations_ = std::move(populations);
    const auto is_chosen = [&](const PopulationInfo& each) { return each.id == chosen_; };
    if (std::none_of(populations_.begin(), populations_.end(), is_chosen)) {
        chosen_ = populations_.isEmpty() ? 0 : populations_.last().id;
        shown_ = {};
    }
    // Members change more often than the list, unless the population is complete.
    if (always || !is_same || !shown_.is_complete) readDetails();
    if (always || !is_same) Q_EMIT changed();
    if (std::exchange(again_, false)) refresh();
}

void PopulationList::readDetails() {
    if (chosen_ == 0) return;
    launcher_.ask({QStringLiteral("population"), QStringLiteral("show"), QString::number(chosen_)}, this,
                  [this, population = chosen_](const CommandReply& reply) {
                      if (population != chosen_) return;  // another one was chosen
                      problem_ = reply.error;
                      PopulationDetails details =
                          reply.ok() ? populationFromJson(reply.json.object()) : PopulationDetails();
                      if (reply.ok() && details == shown_) return;
                      if (reply.ok()) shown_ = std::move(details);
                      Q_EMIT changed();
                  });
}

// --- commands

void PopulationList::setNote(const QString& text, bool is_problem) {
    note_ = text;
    note_is_problem_ = is_problem;
    Q_EMIT changed();
}

// The command exits when the population is complete. --quiet: it must not fail because its messages are not
// read after the window was closed.
void PopulationList::train(const QStringList& arguments, bool shows_newest) {
    is_starting_ = true;
    shows_newest_ = shows_newest;
    watch_.setWorking(shows_newest);
    setNote({}, false);
    launcher_.run(
        QStringList{QStringLiteral("population")} + arguments + QStringList{QStringLiteral("--quiet")}, this,
        [this](const CommandReply& reply) {
            is_starting_ = shows_newest_ = false;
            watch_.setWorking(false);
            has_changed_ = has_changed_ || reply.ok();
            const QString messages = plainMessages(reply.messages);
            if (reply.ok()) setNote(tr("The population is complete."), false);
            else setNote(messages.isEmpty() ? reply.error : messages, true);
            refresh();
        });
    refresh();
}

void PopulationList::start(const PopulationPlan& plan) {
    QStringList arguments{
        QStringLiteral("start"),     QStringLiteral("--preset"),    plan.preset,
        QStringLiteral("--members"), QString::number(plan.members), QStringLiteral("--jobs"),
        QString::number(plan.jobs),  QStringLiteral("--mutate"),    plan.mutate};
    if (!plan.name.isEmpty()) arguments << QStringLiteral("--name=") + plan.name;
    if (plan.steps) arguments << QStringLiteral("--steps") << QString::number(*plan.steps);
    has_changed_ = true;
    train(arguments, true);
}

void PopulationList::resume(const PopulationDetails& population, int jobs) {
    train({QStringLiteral("resume"), QString::number(population.id), QStringLiteral("--jobs"),
           QString::number(jobs)},
          false);
}

void PopulationList::stop(const PopulationDetails& population) {
    setNote(tr("Stopping: the members that train save a checkpoint."), false);
    launcher_.run({QStringLiteral("population"), QStringLiteral("stop"), QString::number(population.id)},
                  this, [this](const CommandReply& reply) {
                      if (!reply.ok()) setNote(reply.error, true);
                  });
}

}  // namespace seedbed::ui
