// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/queue/remove_command.hpp"

#include <algorithm>

#include "core/store/run_lock.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/run_store.hpp"
#include "ui/views/navigator.hpp"

namespace seedbed::ui {
namespace {

// Runs the commands one after another.
void runAll(const Services& services, QList<QStringList> commands) {
    if (commands.isEmpty()) return services.runs->refresh();
    const QStringList first = commands.takeFirst();
    services.launcher->run(first, services.runs,
                           [services, commands = std::move(commands)](const CommandReply& reply) {
                               if (!reply.ok()) services.navigator->showProblem(reply.error);
                               runAll(services, commands);
                           });
}

}  // namespace

RemoveFromQueueCommand::RemoveFromQueueCommand(const Services& services, const std::vector<RunId>& runs,
                                               const QString& text)
    : QUndoCommand(text), services_(services) {
    const QueueState& queue = services.runs->queue();
    int place = 0;
    for (const QueueEntry& entry : queue.entries) {
        ++place;
        if (std::find(runs.begin(), runs.end(), entry.run) != runs.end())
            removed_.push_back({entry.run, place, entry.paused});
    }
    queue_running_ = !queue.paused && RunLock::isHeld(services.runs->folder(), kQueueLock);
}

void RemoveFromQueueCommand::redo() {
    QStringList words{QStringLiteral("queue"), QStringLiteral("remove")};
    for (const Removed& each : removed_) words += QString::number(each.run);
    if (!removed_.empty()) runAll(services_, {words});
}

void RemoveFromQueueCommand::undo() {
    QList<QStringList> commands;
    for (const Removed& each : removed_) {
        const QString run = QString::number(each.run);
        commands += {QStringLiteral("queue"), QStringLiteral("add"), QStringLiteral("--run"), run};
        commands += {QStringLiteral("queue"), QStringLiteral("move"), run, QString::number(each.place)};
        if (each.paused) commands += {QStringLiteral("queue"), QStringLiteral("pause"), run};
    }
    // The queue process exits when the queue becomes empty; start it again if it was running.
    if (queue_running_ && !services_.runs->queue().paused)
        commands += {QStringLiteral("queue"), QStringLiteral("start")};
    runAll(services_, commands);
}

}  // namespace seedbed::ui
