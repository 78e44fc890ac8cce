// SPDX-License-Identifier: GPL-3.0-or-later
// Starts seedbed for everything that the window does not do itself: queueing and training, stopping, dry
// runs, the machine's report.
#pragma once

#include <functional>

#include <QJsonDocument>
#include <QObject>
#include <QString>
#include <QStringList>

#include "ui/models/run_id.hpp"

namespace seedbed::ui {

// What a command came to.
struct CommandReply {
    int exit_code =
        0;  // design.md's exit codes; -1 when the program could not be started or was ended by a signal
    QString error;       // one sentence for the user; "" when exit_code is 0
    QString messages;    // what it said on stderr
    QJsonDocument json;  // what it printed with --json; null when it printed none

    bool ok() const { return exit_code == 0; }
};

// What came of putting runs into the queue.
struct Queued {
    QList<RunId> runs;  // in order
    QStringList seeds;  // of each; empty for a run that goes on
    QString error;      // one sentence for the user; runs that wait all the same are named
};

// Thread: the window's; nothing blocks, answers come by the event loop. Commands that are under way when it
// is destroyed go on by themselves.
class Launcher : public QObject {
    Q_OBJECT

public:
    // `program` is the file of seedbed, `data` the data folder that every command gets by --data.
    Launcher(QString program, QString data, QObject* parent = nullptr);
    ~Launcher() override;

    const QString& program() const { return program_; }
    const QString& dataFolder() const { return data_; }

    using Done = std::function<void(const CommandReply&)>;
    // Runs `seedbed ARGUMENTS --json --data ...`. `done` is not called when `context` is gone by then (the
    // command still ends by itself). The ticket can be given to cancel().
    quint64 run(const QStringList& arguments, QObject* context, Done done);
    // Ends the command, if it still runs; its `done` is not called.
    void cancel(quint64 ticket);

    // Puts runs into the queue and has the queue worked on. `arguments` are those of `seedbed queue add`:
    // environment, --preset,
    // --seeds, --a.b VALUE.
    void train(const QStringList& arguments, QObject* context, std::function<void(const Queued&)> started);
    // Goes on with a run that has no process any more: as a job of the queue, so that it outlives the window.
    void goOn(RunId run, QObject* context, std::function<void(const QString& error)> started);
    // "stop", "pause", "resume", "checkpoint" of a run whose process lives.
    void control(const QString& verb, RunId run, QObject* context, Done done);

    // The command as one types it in a shell, without --json, quoted where necessary, for "Copy as command".
    QString shellCommand(const QStringList& arguments) const;

private:
    QString program_, data_;
    quint64 next_ticket_ = 1;
};

// A word for a POSIX shell: as it is, or in single quotes.
QString shellWord(const QString& word);

}  // namespace seedbed::ui
