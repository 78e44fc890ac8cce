// SPDX-License-Identifier: GPL-3.0-or-later
// The leagues of the data folder, the ladder of one of them, and matches that are played for the window. Runs
// `seedbed league`, since ratings are fitted in that program.
#pragma once

#include <utility>
#include <vector>

#include <QJsonDocument>
#include <QMap>
#include <QObject>
#include <QString>
#include <QStringList>

#include "ui/models/database_watch.hpp"
#include "ui/models/run_id.hpp"

namespace seedbed::ui {

class Launcher;
class RunStore;
struct CommandReply;

struct LeagueInfo {
    QString name, env;
    int members = 0;
    qint64 games = 0;

    bool operator==(const LeagueInfo&) const = default;
};

struct GameTally {
    qint64 wins = 0, draws = 0, losses = 0;

    qint64 games() const { return wins + draws + losses; }
    // Wins and half of the draws, as a part of all games; 0.5 without games.
    double share() const;
    bool operator==(const GameTally&) const = default;
};

struct LeagueRow {
    QString name, player;  // player: the name under which it was added, for example 2:best
    QString policy;        // hash of its parameters; "" for a scripted player
    bool is_active = true;
    QString problem;  // why it cannot play; "" if it can
    double rating = 0, low = 0, high = 0;
    GameTally games;
    qint64 distinct = 0;  // games without repetitions, which alone narrow the interval

    bool canPlay() const { return is_active && problem.isEmpty(); }
    bool operator==(const LeagueRow&) const = default;
};

// A version of a run that joined as RUN:STEP and has games.
struct LeagueVersion {
    qint64 step = 0;
    double rating = 0, low = 0, high = 0;
};
struct LeagueVersions {
    RunId run = 0;
    std::vector<LeagueVersion> versions;  // by step, at least two
};

// A league with its members, the highest rating first.
struct LeagueDetails {
    QString name, env;
    int opening = 0;
    bool samples = false;      // policies sample their actions
    bool is_training = false;  // a process trains agents of it
    std::vector<LeagueRow> ladder;
    // matrix[i][j]: games of ladder[i] against ladder[j], counted for ladder[i]. As large as the ladder.
    std::vector<std::vector<GameTally>> matrix;

    // Members that play in the next round.
    int players() const;
    // All games, and those without repetitions.
    std::pair<qint64, qint64> totals() const;
    // By run.
    std::vector<LeagueVersions> versions() const;
    bool operator==(const LeagueDetails&) const = default;
};

QList<LeagueInfo> leaguesFromJson(const QJsonArray& json);
// From `seedbed league show --json`.
LeagueDetails leagueFromJson(const QJsonObject& json);

// Matches that are being played for the window.
struct LeagueJob {
    QString league;
    qint64 expected_games = 0, games_before = 0;
};

// What `seedbed league train` is to do.
struct LeagueTraining {
    QString preset;
    qint64 steps = 0;  // of each agent
    int generations = 1;
    bool exploiters = true;
    int games = 1;  // of a match

    QStringList arguments(const QString& league) const;
};

// Thread: GUI. No function blocks. Matches that are being played when this object is destroyed, or the window
// crashes, are stopped: finished ones are stored.
class LeagueList : public QObject {
    Q_OBJECT

public:
    LeagueList(Launcher& launcher, RunStore& runs, QObject* parent = nullptr);
    ~LeagueList() override;

    // By name. Empty until refresh() has completed; see isKnown().
    const QList<LeagueInfo>& leagues() const { return leagues_; }
    bool isKnown() const { return is_known_; }
    // Why leagues could not be read; "" if they could.
    const QString& problem() const { return problem_; }
    // The shown league; its name is empty until it has been read.
    const LeagueDetails& shown() const { return shown_; }
    const QString& chosen() const { return chosen_; }
    // "" for none.
    void choose(const QString& league);

    // Reads everything again.
    void refresh() { reload(true); }
    // While it is watched, changes by other programs are noticed.
    void setWatched(bool watched) { watch_.setWatched(watched); }

    void create(const QString& name, const QString& env, int opening, bool samples);
    void add(const QString& league, const QStringList& players);
    // Inactive members play no further matches.
    void setActive(const QString& league, const LeagueRow& member, bool active);

    // Ignored while matches are being played.
    void play(const QString& league, int rounds, int games);
    void stop();
    // Adds every `every`-th checkpoint of the run, also while it trains, and plays their matches. Ignored
    // while a run is followed.
    // title: the name of the run in messages.
    void follow(const QString& league, RunId run, const QString& title, int every, int games);
    void stopFollowing();
    // The run that is followed for `league`; 0: none.
    RunId followed(const QString& league) const { return league == follow_league_ ? followed_ : 0; }
    bool isFollowing() const { return follow_ticket_ != 0; }
    // Trains agents of the league in the background, also after the window was closed. Ignored while agents
    // of a league are trained for the window.
    void train(const QString& league, const LeagueTraining& training);
    // The run in progress is saved; the same training continues it.
    void stopTraining();
    bool isTraining() const { return train_ticket_ != 0; }
    bool isStopping() const { return isTraining() && is_stopping_; }
    // The latest training of a league in this window; without a preset if there was none.
    LeagueTraining latestTraining(const QString& league) const { return trainings_.value(league); }
    // The league whose agents are trained; "" for none.
    const QString& trained() const { return train_league_; }
    bool isPlaying() const { return ticket_ != 0; }
    const LeagueJob& job() const { return job_; }
    // Games of the job that are stored.
    qint64 playedGames() const;
    // The outcome of the latest command, for the user.
    const QString& note() const { return note_; }
    bool noteIsProblem() const { return note_is_problem_; }

Q_SIGNALS:
    void changed();

private:
    void reload(bool always);
    void takeList(const CommandReply& reply, bool always);
    void readLadder();
    void setNote(const QString& text, bool is_problem);
    // Runs a command that changes a league; `done` is the note if it succeeds.
    void change(const QStringList& arguments, const QString& done, const QString& choose = {});
    void played(const CommandReply& reply);
    void hasFollowed(const CommandReply& reply);
    void hasTrained(const CommandReply& reply);
    void updateWorking() { watch_.setWorking(isPlaying() || isFollowing() || isTraining()); }

    Launcher& launcher_;
    RunStore& runs_;
    QList<LeagueInfo> leagues_;
    bool is_known_ = false, is_reading_ = false, again_ = false;
    bool has_changed_ = false;  // a command changed leagues, so there is a database
    QString problem_, chosen_, note_;
    bool note_is_problem_ = false;
    LeagueDetails shown_;
    LeagueJob job_;
    quint64 ticket_ = 0;  // of the command that plays; 0: none
    QString follow_league_;
    RunId followed_ = 0;
    QString followed_title_;
    quint64 follow_ticket_ = 0;
    QString train_league_;
    QMap<QString, LeagueTraining> trainings_;
    quint64 train_ticket_ = 0;
    bool is_stopping_ = false;
    DatabaseWatch watch_;
};

}  // namespace seedbed::ui
