// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/packs/pack_list.hpp"

#include <algorithm>

#include <QDir>
#include <QJsonDocument>
#include <QMap>
#include <QPointer>
#include <QProcess>

#include "ui/models/launcher.hpp"
#include "ui/models/text/core_text.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

QStringList texts(const QJsonValue& array) {
    QStringList list;
    for (const QJsonValue& value : array.toArray()) list += value.toString();
    return list;
}

PackInfo::State stateFrom(const QString& text) {
    return text == QLatin1String("installed")  ? PackInfo::State::installed
           : text == QLatin1String("outdated") ? PackInfo::State::outdated
           : text == QLatin1String("damaged")  ? PackInfo::State::damaged
                                               : PackInfo::State::not_installed;
}

QString stepText(const QJsonObject& line) {
    const QString phase = line[QStringLiteral("phase")].toString();
    if (phase == QLatin1String("downloading"))
        return PackList::tr("Downloading package %1 of %2: %3")
            .arg(line[QStringLiteral("number")].toInt())
            .arg(line[QStringLiteral("count")].toInt())
            .arg(line[QStringLiteral("package")].toString());
    if (phase == QLatin1String("installing")) return PackList::tr("Installing");
    if (phase == QLatin1String("checking")) return PackList::tr("Importing the packages");
    return PackList::tr("Preparing");
}

// The end of the error in a command's reply, without its prefix.
QString lastLine(const QString& messages) {
    const QStringList lines = messages.trimmed().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    QString line = lines.isEmpty() ? QString() : lines.last();
    if (line.startsWith(QLatin1String("seedbed: "))) line.remove(0, 9);
    return line;
}

}  // namespace

QList<PackInfo> packsFromJson(const QJsonArray& json) {
    QList<PackInfo> packs;
    for (const QJsonValue& value : json) {
        const auto text = [&](const char* key) { return value[QLatin1String(key)].toString(); };
        PackInfo pack{.name = text("name"),
                      .title = coreText(text("title")),
                      .sentence = coreText(text("sentence")),
                      .state = stateFrom(text("state")),
                      .problem = text("problem")};
        for (const QJsonValue& each : value[QStringLiteral("licences")].toArray())
            pack.licences.append(
                {each[QStringLiteral("part")].toString(), each[QStringLiteral("licence")].toString()});
        pack.envs = texts(value[QStringLiteral("envs")]);
        for (const QJsonValue& versions : value[QStringLiteral("platforms")].toObject())
            for (const QString& version : texts(versions))
                if (!pack.pythons.contains(version)) pack.pythons += version;
        pack.system_packages = texts(value[QStringLiteral("system_packages")]);
        pack.instructions = coreText(text("instructions"));
        pack.packages = static_cast<int>(value[QStringLiteral("packages")].toArray().size());
        pack.download_bytes = value[QStringLiteral("download_bytes")].toInteger();
        const QJsonValue installed = value[QStringLiteral("installed")];
        pack.installed_bytes = installed.isObject() ? installed[QStringLiteral("bytes")].toInteger()
                                                    : value[QStringLiteral("installed_bytes")].toInteger();
        for (const QJsonValue& run : value[QStringLiteral("runs")].toArray()) pack.runs += run.toInteger();
        packs += std::move(pack);
    }
    return packs;
}

QList<RestrictionInfo> restrictionsFromJson(const QJsonObject& json) {
    QList<RestrictionInfo> list;
    for (const QJsonValue& each : json[QStringLiteral("restrictions")].toArray())
        list += {.id = each[QStringLiteral("id")].toString(),
                 .sentence = coreText(each[QStringLiteral("sentence")].toString()),
                 .reason = each[QStringLiteral("reason")].toString(),
                 .is_active = each[QStringLiteral("active")].toBool()};
    return list;
}

PackList::PackList(Launcher& launcher, QObject* parent) : QObject(parent), launcher_(launcher) {}

// An installation stops when its standard input is closed, and then removes its files, possibly after the
// window has closed. Destroying its QProcess would kill it, so it is not destroyed.
PackList::~PackList() {
    static auto* const ending = new QList<QPointer<QProcess>>;
    for (auto& [name, running] : jobs_) {
        if (running.process == nullptr) continue;
        running.process->disconnect();
        running.process->setParent(nullptr);
        running.process->closeWriteChannel();
        connect(running.process, &QProcess::finished, running.process, &QObject::deleteLater);
        ending->append(running.process);
    }
}

const PackInfo* PackList::find(const QString& name) const {
    const auto found =
        std::find_if(packs_.begin(), packs_.end(), [&](const PackInfo& pack) { return pack.name == name; });
    return found == packs_.end() ? nullptr : &*found;
}

const PackJob* PackList::job(const QString& name) const {
    const auto found = jobs_.find(name);
    return found == jobs_.end() ? nullptr : &found->second.job;
}

bool PackList::mayHaveInstalled() const {
    return QDir(launcher_.dataFolder() + QStringLiteral("/packs")).exists();
}

void PackList::refresh() {
    launcher_.ask({QStringLiteral("pack"), QStringLiteral("list")}, this, [this](const CommandReply& reply) {
        problem_ = reply.error;
        if (reply.ok()) packs_ = packsFromJson(reply.json.array());
        Q_EMIT changed();
    });
}

void PackList::readRestrictions() {
    if (std::exchange(asked_restrictions_, true)) return;
    launcher_.ask({QStringLiteral("doctor"), QStringLiteral("--workers")}, this,
                  [this](const CommandReply& reply) {
                      const QJsonObject report = reply.json.object();
                      restrictions_ = restrictionsFromJson(report);
                      restriction_problem_ = reply.error;
                      Q_EMIT changed();
                  });
}

// --- installing

void PackList::install(const QString& name, bool again, const QString& python) {
    if (jobs_.contains(name)) return;
    Running& running = jobs_[name];
    running.job.step = tr("Preparing");
    auto* process = running.process = new QProcess(this);
    process->setProgram(launcher_.program());
    QStringList arguments{QStringLiteral("pack"),       QStringLiteral("install"), name,
                          QStringLiteral("--progress"), QStringLiteral("--json"),  QStringLiteral("--data"),
                          launcher_.dataFolder()};
    if (again) arguments += QStringLiteral("--force");
    if (!python.isEmpty()) arguments << QStringLiteral("--python") << python;
    process->setArguments(arguments);
    connect(process, &QProcess::readyReadStandardOutput, this,
            [this, name, process] { readOutput(name, *process); });
    connect(process, &QProcess::finished, this, [this, name] { installEnded(name, true); });
    connect(
        process, &QProcess::errorOccurred, this,
        [this, name](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart) installEnded(name, false);
        },
        Qt::QueuedConnection);
    process->start();
    notes_.remove(name);
    Q_EMIT jobChanged(name);
}

void PackList::readOutput(const QString& name, QProcess& process) {
    const auto found = jobs_.find(name);
    if (found == jobs_.end()) return;
    Running& running = found->second;
    while (process.canReadLine()) {
        const QJsonObject line = QJsonDocument::fromJson(process.readLine()).object();
        if (line.contains(QStringLiteral("error"))) running.error = line[QStringLiteral("error")].toString();
        if (!line.contains(QStringLiteral("phase")) || running.job.is_cancelled) continue;
        running.job.step = stepText(line);
        running.job.bytes = line[QStringLiteral("bytes")].toInteger();
        running.job.total_bytes = line[QStringLiteral("phase")] == QLatin1String("downloading")
                                      ? line[QStringLiteral("total_bytes")].toInteger()
                                      : 0;
        Q_EMIT jobChanged(name);
    }
}

void PackList::installEnded(const QString& name, bool started) {
    const auto found = jobs_.find(name);
    if (found == jobs_.end()) return;
    QProcess& process = *found->second.process;
    readOutput(name, process);
    process.disconnect();
    process.deleteLater();
    const bool ok = started && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
    QString error = found->second.error;
    if (!ok && error.isEmpty())
        error = started ? lastLine(QString::fromUtf8(process.readAllStandardError())) : process.errorString();
    const bool is_cancelled = found->second.job.is_cancelled;
    if (ok) {
        finish(name, {});
        Q_EMIT installed(name);
    } else if (is_cancelled) {
        finish(name, {tr("Cancelled. Nothing was installed."), false});
    } else {
        finish(name, {error, true});
    }
}

// --- other jobs

void PackList::run(const QString& name, PackJob::Kind kind, const QStringList& arguments,
                   PackNote (*done)(const CommandReply&)) {
    if (jobs_.contains(name)) return;
    notes_.remove(name);
    Running& running = jobs_[name];
    running.job.kind = kind;
    running.job.step = kind == PackJob::Kind::check
                           ? tr("Comparing files with their hashes, importing packages")
                           : tr("Removing");
    running.ticket =
        launcher_.run(arguments + QStringList{name}, this,
                      [this, name, done](const CommandReply& reply) { finish(name, done(reply)); });
    Q_EMIT jobChanged(name);
}

void PackList::remove(const QString& name) {
    run(name, PackJob::Kind::remove,
        {QStringLiteral("pack"), QStringLiteral("remove"), QStringLiteral("--force")},
        [](const CommandReply& reply) {
            return reply.ok() ? PackNote{tr("Removed."), false} : PackNote{reply.error, true};
        });
}

void PackList::check(const QString& name) {
    run(name, PackJob::Kind::check, {QStringLiteral("pack"), QStringLiteral("check")},
        [](const CommandReply& reply) {
            const QJsonObject result = reply.json.object();
            const QStringList problems = texts(result[QStringLiteral("problems")]);
            if (!problems.isEmpty())
                return PackNote{tr("The pack has problems: %1. Install it again to repair it.")
                                    .arg(problems.join(QStringLiteral("; "))),
                                true};
            if (!reply.ok()) return PackNote{reply.error, true};
            return PackNote{
                tr("No problem found. %1 files match their hashes, and all modules can be imported.")
                    .arg(countText(result[QStringLiteral("files")].toInteger())),
                false};
        });
}

void PackList::cancel(const QString& name) {
    const auto found = jobs_.find(name);
    if (found == jobs_.end() || found->second.job.kind == PackJob::Kind::remove) return;
    if (found->second.process == nullptr) {
        launcher_.cancel(found->second.ticket);
        return finish(name, {tr("Cancelled."), false});
    }
    found->second.job.is_cancelled = true;
    found->second.job.step = tr("Cancelling");
    found->second.job.total_bytes = 0;
    found->second.process->closeWriteChannel();
    Q_EMIT jobChanged(name);
}

void PackList::finish(const QString& name, const PackNote& note) {
    jobs_.erase(name);
    notes_[name] = note;
    Q_EMIT jobChanged(name);
    refresh();
}

}  // namespace seedbed::ui
