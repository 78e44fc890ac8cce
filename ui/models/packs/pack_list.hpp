// SPDX-License-Identifier: GPL-3.0-or-later
// The packs: their state on this computer, and jobs that install, remove and check them with `seedbed pack`.
#pragma once

#include <map>
#include <utility>

#include <QJsonArray>
#include <QJsonObject>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>

#include "ui/models/run_id.hpp"

class QProcess;

namespace seedbed::ui {

class Launcher;
struct CommandReply;

struct PackInfo {
    enum class State { not_installed, installed, outdated, damaged };
    QString name{}, title{}, sentence{};
    State state = State::not_installed;
    QString problem{};                              // why the pack is damaged, or ""
    QList<std::pair<QString, QString>> licences{};  // part, licence
    QStringList envs{};                             // examples
    QStringList pythons{}, system_packages{};       // pythons: versions supported on at least one platform
    QString instructions{};                         // not empty: the user installs the packages
    int packages = 0;
    qint64 download_bytes = 0, installed_bytes = 0;
    QList<RunId> runs{};  // running or queued runs that need the pack

    bool isUsable() const { return state == State::installed || state == State::outdated; }
};

// The output of `seedbed pack list --json`.
QList<PackInfo> packsFromJson(const QJsonArray& json);

// A restriction on worker processes, from `seedbed doctor --workers`.
struct RestrictionInfo {
    QString id{}, sentence{}, reason{};
    bool is_active = false;
};
QList<RestrictionInfo> restrictionsFromJson(const QJsonObject& json);

struct PackJob {
    enum class Kind { install, remove, check };
    Kind kind = Kind::install;
    QString step{};                     // "Downloading package 2 of 7"
    qint64 bytes = 0, total_bytes = 0;  // total_bytes 0: unknown
    bool is_cancelled = false;          // a stop was requested
};

// The result of the last job of a pack.
struct PackNote {
    QString text{};
    bool is_problem = false;
};

// Thread: GUI. No function blocks. Installations that are running when this object is destroyed, or when this
// process exits for any reason, stop and leave no files behind.
class PackList : public QObject {
    Q_OBJECT

public:
    explicit PackList(Launcher& launcher, QObject* parent = nullptr);
    ~PackList() override;

    // Empty until refresh() has completed.
    const QList<PackInfo>& packs() const { return packs_; }
    const PackInfo* find(const QString& name) const;
    // Why the list could not be read; "" if it could.
    const QString& problem() const { return problem_; }
    // The job in progress, or nullptr.
    const PackJob* job(const QString& name) const;
    PackNote note(const QString& name) const { return notes_.value(name); }
    // Empty until readRestrictions() has completed; restrictionProblem() is the reason if it failed.
    const QList<RestrictionInfo>& restrictions() const { return restrictions_; }
    const QString& restrictionProblem() const { return restriction_problem_; }

    // Reads the list again.
    void refresh();
    // Whether the data folder contains any packs. If not, refresh() finds no installed pack.
    bool mayHaveInstalled() const;
    // Starts a worker that reports its restrictions. Only the first call has an effect.
    void readRestrictions();

    // These functions ignore packs with a job in progress. again: reinstalls an installed pack. python: the
    // interpreter to install for, or "" to choose it as the command line does.
    void install(const QString& name, bool again = false, const QString& python = {});
    // Removes the pack even if runs in progress need it; the caller asks the user first.
    void remove(const QString& name);
    void check(const QString& name);
    // Stops a check or an installation; an installation removes its files before it stops.
    void cancel(const QString& name);

Q_SIGNALS:
    // The list or the restrictions changed.
    void changed();
    // The job or note of a pack changed.
    void jobChanged(const QString& name);
    void installed(const QString& name);

private:
    struct Running {
        PackJob job;
        QProcess* process = nullptr;  // process of an installation
        quint64 ticket = 0;           // ticket of other commands
        QByteArray output;
        QString error;
    };

    void readOutput(const QString& name, QProcess& process);
    void installEnded(const QString& name, bool started);
    void run(const QString& name, PackJob::Kind kind, const QStringList& arguments,
             PackNote (*done)(const CommandReply& reply));
    void finish(const QString& name, const PackNote& note);

    Launcher& launcher_;
    QList<PackInfo> packs_;
    QString problem_, restriction_problem_;
    QList<RestrictionInfo> restrictions_;
    bool asked_restrictions_ = false;
    std::map<QString, Running> jobs_;
    QMap<QString, PackNote> notes_;
};

}  // namespace seedbed::ui
