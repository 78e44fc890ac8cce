// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/league/league_list.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>

#include "core/store/league/league_store.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/run_store.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

constexpr int kInterrupted = 130;  // exit code

GameTally tallyFrom(const QJsonValue& json) {
    return {json[QStringLiteral("wins")].toInteger(), json[QStringLiteral("draws")].toInteger(),
            json[QStringLiteral("losses")].toInteger()};
}

}  // namespace

double GameTally::share() const {
    if (games() == 0) return 0.5;
    return (static_cast<double>(wins) + 0.5 * static_cast<double>(draws)) / static_cast<double>(games());
}

int LeagueDetails::players() const {
    return static_cast<int>(
        std::count_if(ladder.begin(), ladder.end(), [](const LeagueRow& row) { return row.canPlay(); }));
}

std::pair<qint64, qint64> LeagueDetails::totals() const {
    qint64 games = 0, distinct = 0;
    for (const LeagueRow& row : ladder) {
        games += row.games.games();
        distinct += row.distinct;
    }
    return {games / 2, distinct / 2};  // each game has two members
}

std::vector<LeagueVersions> LeagueDetails::versions() const {
    std::map<RunId, std::vector<LeagueVersion>> runs;
    for (const LeagueRow& row : ladder) {
        static const QRegularExpression version_form(QStringLiteral("^([0-9]{1,18}):([0-9]{1,18})$"));
        const QRegularExpressionMatch match = version_form.match(row.player);
        if (match.hasMatch() && row.games.games() > 0)
            runs[match.captured(1).toLongLong()].push_back(
                {match.captured(2).toLongLong(), row.rating, row.low, row.high});
    }
    std::vector<LeagueVersions> found;
    for (auto& [run, versions] : runs) {
        if (versions.size() < 2) continue;
        std::sort(versions.begin(), versions.end(),
                  [](const LeagueVersion& a, const LeagueVersion& b) { return a.step < b.step; });
        found.push_back({run, std::move(versions)});
    }
    return found;
}

QList<LeagueInfo> leaguesFromJson(const QJsonArray& json) {
    QList<LeagueInfo> leagues;
    for (const QJsonValue& each : json)
        leagues += {each[QStringLiteral("name")].toString(), each[QStringLiteral("env")].toString(),
                    each[QStringLiteral("members")].toInt(), each[QStringLiteral("games")].toInteger()};
    return leagues;
}

LeagueDetails leagueFromJson(const QJsonObject& json) {
    LeagueDetails league{.name = json[QStringLiteral("league")].toString(),
                         .env = json[QStringLiteral("env")].toString(),
                         .opening = json[QStringLiteral("opening")].toInt(),
                         .samples = json[QStringLiteral("sample")].toBool(),
                         .is_training = json[QStringLiteral("training")].toBool(),
                         .ladder = {},
                         .matrix = {}};
    for (const QJsonValue& each : json[QStringLiteral("ladder")].toArray())
        league.ladder.push_back({.name = each[QStringLiteral("name")].toString(),
                                 .player = each[QStringLiteral("player")].toString(),
                                 .policy = each[QStringLiteral("params_sha256")].toString(),
                                 .is_active = each[QStringLiteral("active")].toBool(true),
                                 .problem = each[QStringLiteral("problem")].toString(),
                                 .rating = each[QStringLiteral("rating")].toDouble(),
                                 .low = each[QStringLiteral("ci95")][0].toDouble(),
                                 .high = each[QStringLiteral("ci95")][1].toDouble(),
                                 .games = tallyFrom(each[QStringLiteral("games")]),
                                 .distinct = each[QStringLiteral("distinct_games")].toInteger()});
    const QJsonArray rows = json[QStringLiteral("matrix")].toArray();
    const auto count = static_cast<qsizetype>(league.ladder.size());
    for (qsizetype i = 0; i < count; ++i) {
        std::vector<GameTally>& row = league.matrix.emplace_back();
        for (qsizetype j = 0; j < count; ++j) row.push_back(tallyFrom(rows[i][j]));
    }
    return league;
}

LeagueList::LeagueList(Launcher& launcher, RunStore& runs, QObject* parent)
    : QObject(parent), launcher_(launcher), runs_(runs), watch_(runs) {
    connect(&watch_, &DatabaseWatch::due, this, [this] { reload(false); });
    connect(&watch_, &DatabaseWatch::stateChanged, this, [this] {
        if (watch_.isWatched()) refresh();
    });
}

LeagueList::~LeagueList() {
    if (isPlaying()) launcher_.cancel(ticket_);
    if (isFollowing()) launcher_.cancel(follow_ticket_);
}

void LeagueList::choose(const QString& league) {
    if (chosen_ == league) return;
    chosen_ = league;
    shown_ = {};
    setNote({}, false);
    readLadder();
}

// --- reading

// always: reads the ladder even if the list of leagues is unchanged.
void LeagueList::reload(bool always) {
    // One command at a time; a change in the meantime needs another one.
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
        leagues_.clear();
        chosen_.clear();
        shown_ = {};
        Q_EMIT changed();
        return;
    }
    is_reading_ = true;
    launcher_.ask({QStringLiteral("league"), QStringLiteral("list")}, this,
                  [this, always](const CommandReply& reply) { takeList(reply, always); });
}

void LeagueList::takeList(const CommandReply& reply, bool always) {
    is_reading_ = false;
    const bool was_known = std::exchange(is_known_, true);
    const QString before = std::exchange(problem_, reply.error);
    QList<LeagueInfo> leagues = reply.ok() ? leaguesFromJson(reply.json.array()) : leagues_;
    const bool is_same = was_known && before == problem_ && leagues == leagues_;
    leagues_ = std::move(leagues);
    const auto is_chosen = [&](const LeagueInfo& each) { return each.name == chosen_; };
    if (std::none_of(leagues_.begin(), leagues_.end(), is_chosen)) {
        chosen_ = leagues_.isEmpty() ? QString() : leagues_.first().name;
        shown_ = {};
    }
    if (always || !is_same) {
        readLadder();
        Q_EMIT changed();
    }
    if (std::exchange(again_, false)) refresh();
}

void LeagueList::readLadder() {
    if (chosen_.isEmpty()) return;
    launcher_.ask({QStringLiteral("league"), QStringLiteral("show"), chosen_}, this,
                  [this, league = chosen_](const CommandReply& reply) {
                      if (league != chosen_) return;  // another league was chosen
                      problem_ = reply.error;
                      LeagueDetails details =
                          reply.ok() ? leagueFromJson(reply.json.object()) : LeagueDetails();
                      if (reply.ok() && details == shown_) return;
                      if (reply.ok()) shown_ = std::move(details);
                      Q_EMIT changed();
                  });
}

// --- changes

void LeagueList::setNote(const QString& text, bool is_problem) {
    note_ = text;
    note_is_problem_ = is_problem;
    Q_EMIT changed();
}

void LeagueList::change(const QStringList& arguments, const QString& done, const QString& choose) {
    setNote({}, false);
    launcher_.run(arguments, this, [this, done, choose](const CommandReply& reply) {
        const QString messages = plainMessages(reply.messages);
        setNote(reply.ok() ? done : (messages.isEmpty() ? reply.error : messages), !reply.ok());
        has_changed_ = has_changed_ || reply.ok();
        if (reply.ok() && !choose.isEmpty()) {
            chosen_ = choose;
            shown_ = {};
        }
        refresh();
    });
}

void LeagueList::create(const QString& name, const QString& env, int opening, bool samples) {
    QStringList arguments{
        QStringLiteral("league"),    QStringLiteral("create"), name, QStringLiteral("--env"), env,
        QStringLiteral("--opening"), QString::number(opening)};
    if (samples) arguments += QStringLiteral("--sample");
    change(arguments, tr("League “%1” was created. Add at least two members.").arg(name), name);
}

void LeagueList::add(const QString& league, const QStringList& players) {
    if (players.isEmpty()) return;
    change(QStringList{QStringLiteral("league"), QStringLiteral("add"), league} + players,
           tr("%n member(s) added.", nullptr, static_cast<int>(players.size())));
}

void LeagueList::setActive(const QString& league, const LeagueRow& member, bool active) {
    if (!active)
        return change({QStringLiteral("league"), QStringLiteral("remove"), league, member.name},
                      tr("“%1” plays no further matches. Its games still count.").arg(member.name));
    // The copy of a policy is the same player even if its run was continued or removed.
    const QString player =
        member.policy.isEmpty()
            ? member.player
            : launcher_.dataFolder() + QLatin1Char('/') +
                  QString::fromStdString(
                      leaguePolicyFolder(league.toStdString(), member.policy.toStdString()).string());
    change({QStringLiteral("league"), QStringLiteral("add"), league, player, QStringLiteral("--as"),
            member.name},
           tr("“%1” plays again.").arg(member.name));
}

// --- playing

void LeagueList::play(const QString& league, int rounds, int games) {
    if (isPlaying() || shown_.name != league) return;
    const qint64 players = shown_.players();
    job_ = {.league = league, .expected_games = players * (players - 1) / 2 * rounds * games};
    for (const LeagueInfo& each : leagues_)
        if (each.name == league) job_.games_before = each.games;
    ticket_ =
        launcher_.ask({QStringLiteral("league"), QStringLiteral("play"), league, QStringLiteral("--rounds"),
                       QString::number(rounds), QStringLiteral("--games"), QString::number(games)},
                      this, [this](const CommandReply& reply) { played(reply); });
    updateWorking();
    setNote({}, false);
}

void LeagueList::played(const CommandReply& reply) {
    ticket_ = 0;
    updateWorking();
    const int matches = reply.json.object()[QStringLiteral("matches")].toInt();
    const QString messages = plainMessages(reply.messages);
    const QString text = tr("Matches played: %1.").arg(countText(matches));
    if (reply.ok()) setNote(text, false);
    else if (!reply.json.object().contains(QStringLiteral("matches")))
        setNote(messages.isEmpty() ? reply.error : messages, true);
    else setNote(messages.isEmpty() ? text : text + QLatin1Char('\n') + messages, true);
    refresh();
}

void LeagueList::stop() {
    if (!isPlaying()) return;
    launcher_.cancel(std::exchange(ticket_, 0));
    updateWorking();
    setNote(tr("Stopped. The match in progress does not count; finished matches are stored."), false);
    refresh();
}

// --- versions of a run

void LeagueList::follow(const QString& league, RunId run, const QString& title, int every, int games) {
    if (isFollowing()) return;
    follow_league_ = league;
    followed_ = run;
    followed_title_ = title;
    follow_ticket_ = launcher_.ask({QStringLiteral("league"), QStringLiteral("follow"), league,
                                    QString::number(run), QStringLiteral("--every"), QString::number(every),
                                    QStringLiteral("--games"), QString::number(games)},
                                   this, [this](const CommandReply& reply) { hasFollowed(reply); });
    updateWorking();
    setNote({}, false);
}

void LeagueList::hasFollowed(const CommandReply& reply) {
    followed_ = 0;
    follow_ticket_ = 0;
    updateWorking();
    const auto added = reply.json.object()[QStringLiteral("added")].toArray().size();
    const QString messages = plainMessages(reply.messages);
    const QString text = tr("%1 has ended. %n version(s) of it joined.", nullptr, static_cast<int>(added))
                             .arg(followed_title_);
    if (!reply.json.object().contains(QStringLiteral("added")))
        setNote(messages.isEmpty() ? reply.error : messages, true);
    else setNote(messages.isEmpty() ? text : text + QLatin1Char('\n') + messages, !reply.ok());
    refresh();
}

void LeagueList::stopFollowing() {
    if (!isFollowing()) return;
    launcher_.cancel(std::exchange(follow_ticket_, 0));
    followed_ = 0;
    updateWorking();
    setNote(tr("No further versions of %1 join. Finished matches are stored.").arg(followed_title_), false);
    refresh();
}

// --- training

QStringList LeagueTraining::arguments(const QString& league) const {
    QStringList arguments{QStringLiteral("league"),
                          QStringLiteral("train"),
                          league,
                          QStringLiteral("--preset"),
                          preset,
                          QStringLiteral("--steps"),
                          QString::number(steps),
                          QStringLiteral("--generations"),
                          QString::number(generations),
                          QStringLiteral("--games"),
                          QString::number(games)};
    if (!exploiters) arguments += QStringLiteral("--no-exploiters");
    return arguments;
}

void LeagueList::train(const QString& league, const LeagueTraining& training) {
    if (isTraining()) return;
    train_league_ = league;
    trainings_[league] = training;
    is_stopping_ = false;
    train_ticket_ = launcher_.run(training.arguments(league), this,
                                  [this](const CommandReply& reply) { hasTrained(reply); });
    updateWorking();
    setNote({}, false);
}

void LeagueList::hasTrained(const CommandReply& reply) {
    train_ticket_ = 0;
    train_league_.clear();
    updateWorking();
    const QJsonValue trained = reply.json.object()[QStringLiteral("trained")];
    const auto joined = trained.toArray().size();
    const QString messages = plainMessages(reply.messages);
    const QString text =
        joined == 0 ? tr("All of these agents have joined before; more generations train further ones.")
                    : tr("%n trained agent(s) joined.", nullptr, static_cast<int>(joined));
    if (is_stopping_ && reply.exit_code == kInterrupted)
        setNote(tr("Stopped. The same training continues where it stopped."), false);
    else if (!trained.isArray()) setNote(messages.isEmpty() ? reply.error : messages, true);
    else setNote(messages.isEmpty() ? text : text + QLatin1Char('\n') + messages, !reply.ok());
    refresh();
}

void LeagueList::stopTraining() {
    if (!isTraining()) return;
    is_stopping_ = true;
    launcher_.askToStop(train_ticket_);
    setNote(tr("Stopping and saving the run in progress…"), false);
}

qint64 LeagueList::playedGames() const {
    for (const LeagueInfo& each : leagues_)
        if (each.name == job_.league)
            return std::clamp<qint64>(each.games - job_.games_before, 0, job_.expected_games);
    return 0;
}

}  // namespace seedbed::ui
