// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a player (`seedbed play` or `seedbed replay`), receives its frames on a thread and sends requests.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QColor>
#include <QElapsedTimer>
#include <QJsonObject>
#include <QObject>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <QTimer>

#include "core/base/spaces.hpp"
#include "core/control/inspection.hpp"
#include "core/control/player_frame.hpp"
#include "ui/models/run_id.hpp"

class QProcess;

namespace seedbed::ui {

// The game to play and its policy.
struct PlayerSource {
    QString policy{};   // RUN, RUN:best, RUN:STEP, a folder or a scripted player, as on the command line
    QString env{};      // environment; empty: the policy's
    QString env_of{};   // player whose environment and settings are used; empty: as `env`
    QString against{};  // the player of the other seats, from the second one; empty: `policy` plays all seats
    bool follow = false;  // follow the newest weights of an active run
    QString replay{};     // best, median or worst: an evaluation episode stored with the checkpoint
    QString file{};       // path of a recorded game, played instead of a policy
    bool sample = false;
    int envs = 1;
    quint64 seed = 1;  // seed of the environments
    double speed = 1;

    // Command-line arguments, without --json and the options that only the window needs.
    QStringList arguments() const;
    bool operator==(const PlayerSource&) const = default;
};

// Properties of a player that do not change.
struct PlayerAbout {
    QString env{}, title{}, engine{};
    std::vector<ActionLeaf> actions{};
    std::vector<ObsLeaf> observations{};
    std::vector<double> rest{};  // the no-op action; empty if the environment lacks one
    // A part of the picture, in world units, that stands for a choice of the only action.
    struct Area {
        int place = 0;  // as in PlayChoice
        QRectF area{};  // y up: top() is the smallest y
    };
    std::vector<Area> areas{};
    std::vector<QColor> seat_colours{};  // of each agent's pieces; may be empty
    double sticky = 0;                   // probability that a step repeats the last action instead
    double rate = 30;                    // decisions per second at speed 1
    int max_envs = 1;
    int agents = 1;          // agents per game
    bool has_policy = true;  // values and probabilities are available
    bool is_replay = false;
    bool has_mask = false;    // choices can be forbidden; their probability is 0
    bool idle_waits = false;  // the game waits for a person's action
    qint64 run = 0;           // 0: none
    qint64 process = 0;
};

// The part of a player's status that is not in its frames.
struct PlayerStatus {
    struct Break {
        int id = 0;
        QString when{};
        bool operator==(const Break&) const = default;
    };
    // Taken by a person, in this window or elsewhere.
    struct Seat {
        int env = 0, agent = 0;
        bool operator==(const Seat&) const = default;
    };
    std::vector<Seat> seats{};
    bool waiting = false;         // for a person's action
    QString stopped_by{};         // the condition that paused the game
    std::vector<Break> breaks{};  // conditions that can pause it
    int branches = 0;
    int envs = 1;  // cells from this one on are branches
    bool operator==(const PlayerStatus&) const = default;
};

// Thread: GUI. close() ends the process; if it exits on its own, the state is State::ended with a problem().
class PlayerClient : public QObject {
    Q_OBJECT

public:
    enum class State { closed, starting, playing, ended };

    PlayerClient(QString program, QString data_folder, QObject* parent = nullptr);
    ~PlayerClient() override;

    // Starts a player and ends the current one.
    void open(const PlayerSource& source);
    void close();

    State state() const { return state_; }
    const PlayerSource& source() const { return source_; }
    // Why the player exited and what to do about it. "" in other states.
    const QString& problem() const { return problem_; }
    const PlayerAbout& about() const { return about_; }
    // The newest frame; null before the first.
    const std::shared_ptr<const PlayerFrame>& frame() const { return frame_; }

    // Requests inspections of the agent in focus, also from players opened later, or ends this request. The
    // player computes them only while they are requested.
    void inspect(bool on);
    // The newest inspection; null before the first.
    const std::shared_ptr<const Inspection>& inspection() const { return inspection_; }

    // On: drops frames so that showing them takes about 1 % of all cores, which others need. Not while a
    // person plays.
    void saveTime(bool on) { saves_time_ = on; }

    // The newest status; that of a new player is empty.
    const PlayerStatus& status() const { return status_; }

    // Sends a request of the control protocol; ignored while no player is running. Does not block. message()
    // reports rejected requests. `accepted` is called with the reply, if this player is still open.
    using Accepted = std::function<void(const QJsonObject& reply)>;
    void ask(const QString& verb, const QJsonObject& fields = {}, Accepted accepted = {});

Q_SIGNALS:
    void stateChanged();
    // The frame or the inspection changed. At most about 60 times per second; frames in between are dropped.
    void frameChanged();
    void statusChanged();
    // A message from the player to the user, for example that the run it follows has ended.
    void message(const QString& text);
    // A film or replay was written.
    void recorded(const QString& file);

private:
    struct Connection;
    void readOutput();
    void finished();
    void setState(State state, const QString& problem = {});
    void setStatus(const PlayerStatus& status);
    void deliverFrame();
    void keepPace();
    void askForPace(std::chrono::milliseconds pause);
    // Disconnects, asks the process to exit, and kills it after a second. Does not block.
    void releaseProcess();

    QString program_, data_folder_;
    PlayerSource source_;
    State state_ = State::closed;
    QString problem_;
    PlayerAbout about_;
    PlayerStatus status_;
    std::shared_ptr<const PlayerFrame> frame_;
    std::shared_ptr<const Inspection> inspection_;
    bool inspect_ = false, saves_time_ = false;
    QElapsedTimer played_;                                 // since the first frame
    QTimer pace_;                                          // while frames are dropped to save time
    std::chrono::milliseconds asked_pace_{0};              // that the player keeps
    std::chrono::steady_clock::time_point frame_started_;  // when the latest frame was delivered
    double cpu_before_frame_ = 0;                          // cpuSecondsOfThread() then
    QProcess* process_ = nullptr;
    QByteArray output_, errors_;
    QString reason_;  // error reported by the player in its JSON output
    std::unique_ptr<Connection> connection_;
};

}  // namespace seedbed::ui
