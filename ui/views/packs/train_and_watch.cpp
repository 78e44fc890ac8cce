// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/packs/train_and_watch.hpp"

#include "ui/models/catalogue.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/run_store.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/watch/watch_link.hpp"

namespace seedbed::ui {

TrainAndWatch::TrainAndWatch(const Services& services, QObject* parent)
    : QObject(parent), services_(services) {
    connect(services_.runs, &RunStore::runsChanged, this, &TrainAndWatch::readRun);
    connect(services_.runs, &RunStore::queueChanged, this, &TrainAndWatch::readRun);
    connect(services_.runs, &RunStore::stateChanged, this, &TrainAndWatch::readRun);
}

void TrainAndWatch::start(const EnvChoice& choice) {
    if (is_starting_) return;
    is_starting_ = true;
    // Measuring would compete with training.
    services_.catalogue->stopMeasuring();
    const bool has_preset = services_.catalogue->defaultPreset(choice.env) != nullptr;
    services_.launcher->train(startArguments(choice, has_preset), this, [this](const Queued& queued) {
        if (!queued.error.isEmpty()) services_.navigator->showProblem(queued.error);
        if (!queued.error.isEmpty() || queued.runs.isEmpty()) return end();
        run_ = queued.runs.first();
        readRun();
    });
    Q_EMIT changed();
}

// Queries the database: the list of runs may be older than the command's reply.
void TrainAndWatch::readRun() {
    if (!run_) return;
    services_.runs->read(
        this, QStringLiteral("train-and-watch"),
        [run = *run_](StoreReader& reader) -> Result<Start> {
            SEEDBED_ASSIGN(const std::vector<RunRecord> runs, reader.runs());
            SEEDBED_ASSIGN(const QueueState queue, reader.queue());
            Start start{.run = run, .at_a_time = queue.at_a_time, .is_paused = queue.paused};
            for (const RunRecord& each : runs) {
                start.live += isLive(each.status);
                if (each.id == run && !each.in_trash) start.status = each.status;
            }
            for (const QueueEntry& entry : queue.entries)
                start.is_paused = start.is_paused || (entry.run == run && entry.paused);
            return start;
        },
        [this](const Result<Start>& start) {
            if (start && run_ == start->run) show(*start);
            if (!start) end();
        });
}

void TrainAndWatch::show(const Start& start) {
    if (!start.status) return end();                         // the run was deleted
    if (services_.runs->find(start.run) == nullptr) return;  // the next list will contain it
    if (isLive(*start.status)) {
        services_.navigator->open(WatchLink{.run = start.run});
        return end();
    }
    const bool is_queued = *start.status == RunStatus::queued;
    if (is_queued && !start.is_paused && start.live < start.at_a_time) return;
    services_.navigator->open(DashboardLink{start.run});
    if (is_queued)
        services_.navigator->showStatus(
            start.is_paused
                ? tr("The run is queued but paused. Resume it on the queue page.")
                : tr("The run is queued behind other runs. Set how many train at a time on the queue page."));
    end();
}

void TrainAndWatch::end() {
    run_.reset();
    is_starting_ = false;
    Q_EMIT changed();
}

}  // namespace seedbed::ui
