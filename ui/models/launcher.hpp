// SPDX-License-Identifier: GPL-3.0-or-later
// Runs `seedbed` commands: queueing, training, stopping, dry runs, the device report.
#pragma once

#include <functional>
#include <memory>

#include <QJsonDocument>
#include <QObject>
#include <QString>
#include <QStringList>

#include "ui/models/background.hpp"
#include "ui/models/run_id.hpp"

class QProcess;

namespace seedbed::ui {

// The result of a command.
struct CommandReply {
    int exit_code = 0;   // -1 if the program could not be started or was killed by a signal
    QString error;       // message for the user; "" if exit_code is 0
    QString messages;    // output on stderr
    QJsonDocument json;  // output with --json; null if it printed none

    bool ok() const { return exit_code == 0; }
};

// The result of queueing runs.
struct Queued {
    QList<RunId> runs;  // in the order of the seeds
    QStringList seeds;  // one per run; empty for a resumed run
    QString error;      // message for the user; `runs` contains the runs that were queued before the error
};

// Thread: GUI. No function blocks; replies arrive through the event loop. Commands of run() that are running
// when the launcher is destroyed continue; those of ask() are killed, even if the window crashes.
class Launcher : public QObject {
    Q_OBJECT

public:
    // `program`: path of seedbed. `data`: the data folder, passed to every command as --data.
    Launcher(QString program, QString data, QObject* parent = nullptr);
    ~Launcher() override;

    const QString& program() const { return program_; }
    const QString& dataFolder() const { return data_; }

    using Done = std::function<void(const CommandReply&)>;
    // Runs `seedbed ARGUMENTS --json --data DATA`. `done` is not called if `context` has been destroyed; the
    // command still runs to completion. Returns a ticket for cancel().
    quint64 run(const QStringList& arguments, QObject* context, Done done);
    // The same for a command that only reads or measures: its result is useless without the window.
    quint64 ask(const QStringList& arguments, QObject* context, Done done);
    // The same for a long output: it is decoded, and decode(reply) called, on a worker thread; then `done` is
    // called with a reply whose `json` is null. `decode` must not use objects of the GUI thread.
    quint64 askForMuch(const QStringList& arguments, QObject* context, Done decode, Done done);
    // Terminates the command, if it is still running, and the programs it runs; `done` is not called.
    void cancel(quint64 ticket);
    // Asks a command to stop, which may take a while because it saves its work; `done` is still called.
    void askToStop(quint64 ticket);

    // Queues runs and starts the queue. `arguments`: those of `seedbed queue add` (environment, --preset,
    // --seeds, --a.b VALUE).
    void train(const QStringList& arguments, QObject* context, std::function<void(const Queued&)> started);
    // Queues a run that has no process, so that the queue resumes it in a process that is independent of the
    // window.
    void resume(RunId run, QObject* context, std::function<void(const QString& error)> started);
    // Sends "stop", "pause", "resume" or "checkpoint" to a run that has a process.
    void control(const QString& verb, RunId run, QObject* context, Done done);

    // The command as typed in a shell, without --json, quoted where necessary.
    QString shellCommand(const QStringList& arguments) const;

Q_SIGNALS:
    // A command of run() has ended, and the database may have changed.
    void ended();

private:
    enum class AfterTheWindow { continues, is_killed };
    // Gets the reply before its output is decoded.
    using Answer = std::function<void(CommandReply reply, const QByteArray& output)>;
    quint64 start(const QStringList& arguments, Answer answer, AfterTheWindow after);

    QString program_, data_;
    quint64 next_ticket_ = 1;
    std::unique_ptr<Background> decoders_;  // null until askForMuch()
};

// The messages of a command without prefixes and repetitions, one per line.
QString plainMessages(const QString& messages);

// Quotes a word for a POSIX shell if necessary.
QString shellWord(const QString& word);

// Call before start(): the process ends with the window and leaves the cores to training. It gets its own
// session, because Linux compares niceness only within a session (sched(7), "The autogroup feature"): without
// that, it takes as much time as a run.
void runInBackground(QProcess& process, int nice);
// The same for a process that was started with niceness 0, and all its threads.
void lowerPriority(const QProcess& process, int nice);

}  // namespace seedbed::ui
