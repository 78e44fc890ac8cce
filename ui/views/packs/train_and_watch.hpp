// SPDX-License-Identifier: GPL-3.0-or-later
// Starts training in an environment and shows the agent while it learns.
#pragma once

#include <optional>

#include <QObject>

#include "core/store/records.hpp"
#include "ui/models/packs/env_choice.hpp"
#include "ui/views/services.hpp"

namespace seedbed::ui {

// Queues a run, waits until its process starts, and opens the watch page. If other runs are ahead of it, the
// queue is paused, or the run fails, opens the page of the run instead. Stops waiting if the run is deleted.
// Thread: GUI.
class TrainAndWatch : public QObject {
    Q_OBJECT

public:
    explicit TrainAndWatch(const Services& services, QObject* parent = nullptr);
    // Ignored while another start is in progress.
    void start(const EnvChoice& choice);
    bool isStarting() const { return is_starting_; }

Q_SIGNALS:
    void changed();

private:
    // The state that decides which page to open.
    struct Start {
        RunId run = 0;
        std::optional<RunStatus> status{};  // unset if it was deleted
        int live = 0, at_a_time = 1;
        bool is_paused = false;  // whether the queue, or this run in the queue, is paused
    };

    void readRun();
    void show(const Start& start);
    void end();

    Services services_;
    bool is_starting_ = false;
    std::optional<RunId> run_;
};

}  // namespace seedbed::ui
