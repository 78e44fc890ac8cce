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

QString errorOf(const CommandReply& reply, const QProcess& process) {
    if (reply.json.isObject() && reply.json.object().contains(QStringLiteral("error")))
        return reply.json.object()[QStringLiteral("error")].toString();
    const QStringList lines = reply.messages.trimmed().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    if (!lines.isEmpty()) return lines.last().section(QStringLiteral("seedbed: "), -1);
    return process.exitStatus() == QProcess::CrashExit
               ? Launcher::tr("%1 exited unexpectedly. Nothing was changed; try again.")
                     .arg(process.program())
               : Launcher::tr("%1 exited with code %2").arg(process.program()).arg(process.exitCode());
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
    return start(arguments, context, std::move(done), AfterTheWindow::continues);
}

quint64 Launcher::ask(const QStringList& arguments, QObject* context, Done done) {
    return start(arguments, context, std::move(done), AfterTheWindow::is_killed);
}

quint64 Launcher::start(const QStringList& arguments, QObject* context, Done done, AfterTheWindow after) {
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
    const QPointer<QObject> alive(context);
    const auto answer = [process, alive, done = std::move(done)](bool started) {
        process->disconnect();
        process->deleteLater();
        CommandReply reply;
        reply.exit_code = started && process->exitStatus() == QProcess::NormalExit ? process->exitCode() : -1;
        reply.messages = QString::fromUtf8(process->readAllStandardError());
        reply.json = firstDocument(process->readAllStandardOutput());
        if (!started)
            reply.error = tr("%1 could not be started: %2. Is Seedbed installed completely?")
                              .arg(process->program(), process->errorString());
        else if (!reply.ok()) reply.error = errorOf(reply, *process);
        if (alive && done) done(reply);
    };
    connect(process, &QProcess::finished, this, [answer] { answer(true); });
    connect(
        process, &QProcess::errorOccurred, this,
        [answer](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart) answer(false);
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

void runInBackground(QProcess& process, int nice) {
    process.setChildProcessModifier([nice, text = QByteArray::number(nice)] {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::setsid();
        ::setpriority(PRIO_PROCESS, 0, nice);
        // Of the whole session; kernels without the feature lack the file.
        const int file = ::open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
        if (file < 0) return;
        [[maybe_unused]] const auto written =
            ::write(file, text.constData(), static_cast<std::size_t>(text.size()));
        ::close(file);
    });
}

}  // namespace seedbed::ui
