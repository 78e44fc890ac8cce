// SPDX-License-Identifier: GPL-3.0-or-later
// A player as the window sees it: starts `seedbed play` or `seedbed replay`, receives its frames on a thread,
// and tells it what to do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>

#include "core/base/spaces.hpp"
#include "core/control/player_frame.hpp"
#include "ui/models/run_id.hpp"

class QProcess;

namespace seedbed::ui {

// What is to be watched.
struct PlayerSource {
    QString policy{};     // RUN, RUN:best, RUN:STEP or a folder, as on the command line
    bool follow = false;  // the newest weights of a run that is going
    QString replay{};     // best, median, worst: an evaluation episode kept with the checkpoint
    QString file{};       // a recorded game instead of a policy
    bool sample = false;
    int envs = 1;
    quint64 seed = 1;  // of the games that are played
    double speed = 1;

    // Of seedbed, without --json and what only the window needs.
    QStringList arguments() const;
    bool operator==(const PlayerSource&) const = default;
};

// What does not change while a player plays.
struct PlayerAbout {
    QString env{}, title{}, engine{};
    std::vector<ActionLeaf> actions{};
    double rate = 30;  // decisions per second at speed 1
    int max_envs = 1;
    int agents = 1;          // that play one game
    bool has_policy = true;  // what it thinks is known
    bool is_replay = false;
    qint64 process = 0;
};

// Thread: the window's. Closing ends the process; a process that ends by itself is a state with a text.
class PlayerClient : public QObject {
    Q_OBJECT

public:
    enum class State { closed, starting, playing, ended };

    PlayerClient(QString program, QString data_folder, QObject* parent = nullptr);
    ~PlayerClient() override;

    // Starts a player; one that plays is ended.
    void open(const PlayerSource& source);
    void close();

    State state() const { return state_; }
    const PlayerSource& source() const { return source_; }
    // Why it ended: cause and what to do. "" in other states.
    const QString& problem() const { return problem_; }
    const PlayerAbout& about() const { return about_; }
    // The newest one; null before the first.
    const std::shared_ptr<const PlayerFrame>& frame() const { return frame_; }

    // A request of core/control/README.md; nothing while no player plays. Never waits; what the player
    // refuses becomes a message.
    void ask(const QString& verb, const QJsonObject& fields = {});

Q_SIGNALS:
    void stateChanged();
    // At most some 60 times a second; frames in between are dropped.
    void frameChanged();
    // A sentence of the player for the user: the run it follows has ended, a request was refused.
    void message(const QString& text);

private:
    struct Connection;
    void readOutput();
    void finished();
    void enter(State state, const QString& problem = {});
    // Asks the process to end, and kills it when it does not within a second; never waits.
    void letGo();

    QString program_, data_folder_;
    PlayerSource source_;
    State state_ = State::closed;
    QString problem_;
    PlayerAbout about_;
    std::shared_ptr<const PlayerFrame> frame_;
    QProcess* process_ = nullptr;
    QByteArray output_, errors_;
    QString reason_;  // what the player says in its answer about why it ends
    std::unique_ptr<Connection> connection_;
};

}  // namespace seedbed::ui
