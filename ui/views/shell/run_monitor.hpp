// SPDX-License-Identifier: GPL-3.0-or-later
// Reports on runs in the main window: progress in the title and the side bar, notices in the bell, a desktop
// notification when a queue is done, and bars for interrupted runs and an unreadable database.
#pragma once

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include <QObject>
#include <QPointer>
#include <QTimer>

#include "ui/models/queue/queue_model.hpp"
#include "ui/views/services.hpp"
#include "ui/views/shell/desktop.hpp"
#include "ui/views/shell/message_bar.hpp"

namespace seedbed::ui {

class MainWindow;

class RunMonitor : public QObject {
    Q_OBJECT

public:
    // `desktop` must outlive this object.
    RunMonitor(MainWindow& window, const Services& services, Desktop& desktop);

private:
    void update();
    void updateTitle();
    void offerResume();
    void showStoreState();
    void notice(const std::vector<RunRecord>& runs);
    void readGoal(RunId run);

    struct Seen {
        RunStatus status = RunStatus::queued;
        bool solved = false;
    };

    MainWindow& window_;
    Services services_;
    Desktop& desktop_;
    QueueWatch watch_;
    std::map<RunId, std::int64_t> goals_;  // planned steps of active runs; 0 if unknown
    std::unordered_map<RunId, Seen> seen_;
    std::set<RunId> offered_;
    QPointer<MessageBar> state_bar_, crash_bar_;
    std::vector<RunId> crash_runs_;  // the runs of crash_bar_
    bool progress_shown_ = false;
};

}  // namespace seedbed::ui
