// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/launcher.hpp"

#include <QJsonArray>
#include <QJsonObject>
#include <QPointer>
#include <QProcess>
#include <QRegularExpression>
#include <QTimer>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace seedbed::ui {
namespace {

constexpr int kCancelMs = 5000;
constexpr const char* kIsKilled = "killed with the launcher";

// A command prints one JSON document per line; the first describes the result.
QJsonDocument firstDocument(const QByteArray& output) {
    return QJsonDocument::fromJson(output.left(output.indexOf('\n')));
}

// The message if a command printed none.
QString errorOf(const QProcess& process) {
    return process.exitStatus() == QProcess::CrashExit
               ? Launcher::tr("%1 exited unexpectedly. Nothing was changed; try again.")
                     .arg(process.program())
               : Launcher::tr("%1 exited with code %2").arg(process.program()).arg(process.exitCode());
}

// Thread: any.
void decode(CommandReply& reply, const QByteArray& output) {
    reply.json = firstDocument(output);
    if (reply.ok()) return;
    const QStringList lines = reply.messages.trimmed().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    if (reply.json.isObject() && reply.json.object().contains(QStringLiteral("error")))
        reply.error = reply.json.object()[QStringLiteral("error")].toString();
    else if (!lines.isEmpty()) reply.error = lines.last().section(QStringLiteral("seedbed: "), -1);
}

// Calls `done` with the decoded reply.
auto whole(QObject* context, Launcher::Done done) {
    return [alive = QPointer<QObject>(context), done = std::move(done)](CommandReply reply,
                                                                        const QByteArray& output) {
        if (!alive || !done) return;
        decode(reply, output);
        done(reply);
    };
}

}  // namespace

Launcher::Launcher(QString program, QString data, QObject* parent)
    : QObject(parent), program_(std::move(program)), data_(std::move(data)) {}

Launcher::~Launcher() {
    // Destroying a QProcess would kill its process. Commands that are still running get no parent and delete
    // themselves when they finish.
    static auto* const let_go = new QList<QPointer<QProcess>>;
    for (QProcess* process : findChildren<QProcess*>()) {
        process->disconnect();
        process->setParent(nullptr);
        if (process->state() == QProcess::NotRunning) {
            delete process;
            continue;
        }
        if (process->property(kIsKilled).toBool()) process->kill();
        connect(process, &QProcess::finished, process, &QObject::deleteLater);
        let_go->append(process);
    }
}

quint64 Launcher::run(const QStringList& arguments, QObject* context, Done done) {
    return start(arguments, whole(context, std::move(done)), AfterTheWindow::continues);
}

quint64 Launcher::ask(const QStringList& arguments, QObject* context, Done done) {
    return start(arguments, whole(context, std::move(done)), AfterTheWindow::is_killed);
}

quint64 Launcher::askForMuch(const QStringList& arguments, QObject* context, Done decode_reply, Done done) {
    if (!decoders_) decoders_ = std::make_unique<Background>(QStringLiteral("ui-decode"));
    return start(
        arguments,
        [this, alive = QPointer<QObject>(context), decode_reply = std::move(decode_reply),
         done = std::move(done)](const CommandReply& reply, const QByteArray& output) {
            if (!alive) return;
            decoders_->run(
                alive, QString(),
                [reply, output, decode_reply](const std::stop_token&) {
                    CommandReply decoded = reply;
                    decode(decoded, output);
                    decode_reply(decoded);
                    decoded.json = {};  // freeing it takes long, too
                    return decoded;
                },
                done);
        },
        AfterTheWindow::is_killed);
}

quint64 Launcher::start(const QStringList& arguments, Answer answer, AfterTheWindow after) {
    const quint64 ticket = next_ticket_++;
    auto* process = new QProcess(this);
    process->setProperty("ticket", ticket);
    process->setProgram(program_);
    process->setArguments(arguments + QStringList{QStringLiteral("--json"), QStringLiteral("--data"), data_});
    process->setStandardInputFile(QProcess::nullDevice());
    if (after == AfterTheWindow::is_killed) {
        process->setProperty(kIsKilled, true);
        process->setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
    }
    const auto finish = [this, process, after, answer = std::move(answer)](bool started) {
        process->disconnect();
        process->deleteLater();
        CommandReply reply;
        reply.exit_code = started && process->exitStatus() == QProcess::NormalExit ? process->exitCode() : -1;
        reply.messages = QString::fromUtf8(process->readAllStandardError());
        if (!started)
            reply.error = tr("%1 could not be started: %2. Is Seedbed installed completely?")
                              .arg(process->program(), process->errorString());
        else if (!reply.ok()) reply.error = errorOf(*process);
        if (after == AfterTheWindow::continues) Q_EMIT ended();
        answer(std::move(reply), process->readAllStandardOutput());
    };
    connect(process, &QProcess::finished, this, [finish] { finish(true); });
    connect(
        process, &QProcess::errorOccurred, this,
        [finish](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart) finish(false);
        },
        Qt::QueuedConnection);
    process->start(QIODevice::ReadOnly);
    return ticket;
}

void Launcher::cancel(quint64 ticket) {
    for (QProcess* process : findChildren<QProcess*>()) {
        if (process->property("ticket").toULongLong() != ticket) continue;
        process->disconnect();
        connect(process, &QProcess::finished, process, &QObject::deleteLater);
        process->terminate();  // so that the command can stop its child processes
        QTimer::singleShot(kCancelMs, process, &QProcess::kill);
    }
}

void Launcher::askToStop(quint64 ticket) {
    for (QProcess* process : findChildren<QProcess*>())
        if (process->property("ticket").toULongLong() == ticket) process->terminate();
}

void Launcher::train(const QStringList& arguments, QObject* context,
                     std::function<void(const Queued&)> started) {
    // A single command queues and starts the runs, so that they start even if the window is closed.
    run(QStringList{QStringLiteral("queue"), QStringLiteral("add"), QStringLiteral("--start")} + arguments,
        context, [started = std::move(started)](const CommandReply& added) {
            Queued queued;
            for (const QJsonValue& id : added.json.object()[QStringLiteral("ids")].toArray())
                queued.runs.append(id.toInteger());
            for (const QJsonValue& seed : added.json.object()[QStringLiteral("seeds")].toArray())
                queued.seeds.append(QString::number(seed.toInteger()));
            queued.error =
                added.ok() || queued.runs.isEmpty()
                    ? added.error
                    : tr("The runs were queued, but the queue could not be started: %1").arg(added.error);
            started(queued);
        });
}

void Launcher::resume(RunId run_id, QObject* context, std::function<void(const QString&)> started) {
    train({QStringLiteral("--run"), QString::number(run_id)}, context,
          [started = std::move(started)](const Queued& queued) { started(queued.error); });
}

void Launcher::control(const QString& verb, RunId run_id, QObject* context, Done done) {
    run({verb, QString::number(run_id)}, context, std::move(done));
}

QString plainMessages(const QString& messages) {
    QStringList lines;
    for (QString line : messages.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        if (line.startsWith(QLatin1String("seedbed: "))) line.remove(0, 9);
        if (!line.isEmpty()) line[0] = line[0].toUpper();
        if (!lines.contains(line)) lines += line;
    }
    return lines.join(QLatin1Char('\n'));
}

QString shellWord(const QString& word) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (plain.match(word).hasMatch()) return word;
    QString quoted = word;
    return QLatin1Char('\'') + quoted.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

QString Launcher::shellCommand(const QStringList& arguments) const {
    QStringList words{QStringLiteral("seedbed")};
    for (const QString& argument : arguments) words += shellWord(argument);
    return words.join(QLatin1Char(' '));
}

namespace {

// Of the whole session; kernels without the feature lack the file. Async-signal-safe.
void setSessionNiceness(const char* path, const QByteArray& nice) {
    const int file = ::open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    [[maybe_unused]] const auto written =
        ::write(file, nice.constData(), static_cast<std::size_t>(nice.size()));
    ::close(file);
}

}  // namespace

void runInBackground(QProcess& process, int nice) {
    process.setChildProcessModifier([nice, text = QByteArray::number(nice)] {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::setsid();
        if (nice == 0) return;
        ::setpriority(PRIO_PROCESS, 0, nice);
        setSessionNiceness("/proc/self/autogroup", text);
    });
}

void lowerPriority(const QProcess& process, int nice) {
    const qint64 id = process.processId();
    if (id == 0) return;
    ::setpriority(PRIO_PGRP, static_cast<id_t>(id), nice);  // the process leads its session and group
    setSessionNiceness(QByteArray("/proc/" + QByteArray::number(id) + "/autogroup").constData(),
                       QByteArray::number(nice));
}

}  // namespace seedbed::ui
