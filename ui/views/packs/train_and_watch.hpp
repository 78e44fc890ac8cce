// SPDX-License-Identifier: GPL-3.0-or-later
// Starts training in an environment and shows the agent that learns.
#pragma once

#include <optional>

#include <QObject>

#include "ui/models/packs/env_choice.hpp"
#include "ui/models/run_id.hpp"
#include "ui/views/services.hpp"

namespace seedbed::ui {

// Queues a run, waits until its process starts, and opens the watch page; if other runs are first, or the run
// fails, the page of the run. Thread: the window's.
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
    void showWhenStarted();
    void end();

    Services services_;
    bool is_starting_ = false;
    std::optional<RunId> run_;
};

}  // namespace seedbed::ui
