// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/packs/train_and_watch.hpp"

#include <algorithm>

#include "ui/models/catalogue.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/run_store.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/watch/watch_link.hpp"

namespace seedbed::ui {

TrainAndWatch::TrainAndWatch(const Services& services, QObject* parent)
    : QObject(parent), services_(services) {
    connect(services_.runs, &RunStore::runsChanged, this, &TrainAndWatch::showWhenStarted);
}

void TrainAndWatch::start(const EnvChoice& choice) {
    if (is_starting_) return;
    is_starting_ = true;
    // Measuring would compete with training; measurements continue at the next start.
    services_.catalogue->stopMeasuring();
    const bool has_preset = services_.catalogue->defaultPreset(choice.env) != nullptr;
    services_.launcher->train(startArguments(choice, has_preset), this, [this](const Queued& queued) {
        if (!queued.error.isEmpty()) services_.navigator->showProblem(queued.error);
        if (queued.runs.isEmpty()) return end();
        run_ = queued.runs.first();
        showWhenStarted();
    });
    Q_EMIT changed();
}

void TrainAndWatch::showWhenStarted() {
    if (!run_) return;
    const RunRecord* run = services_.runs->find(*run_);
    if (run == nullptr) return;
    if (isLive(run->status)) {
        services_.navigator->open(WatchLink{.run = *run_});
        return end();
    }
    const auto& runs = *services_.runs->runs();
    const auto live =
        std::count_if(runs.begin(), runs.end(), [](const RunRecord& other) { return isLive(other.status); });
    const bool is_behind_others = live >= services_.runs->queue().at_a_time;
    if (run->status == RunStatus::queued && !is_behind_others) return;
    services_.navigator->open(DashboardLink{*run_});
    if (run->status == RunStatus::queued)
        services_.navigator->showStatus(
            tr("The run is queued behind other runs. The queue page sets how many train at a time."));
    end();
}

void TrainAndWatch::end() {
    run_.reset();
    is_starting_ = false;
    Q_EMIT changed();
}

}  // namespace seedbed::ui
