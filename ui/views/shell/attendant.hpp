// SPDX-License-Identifier: GPL-3.0-or-later
// Attends to the runs on behalf of the whole window: progress in the title, one notification per queue, bars
// for what was interrupted and for a database that cannot be read.
#pragma once

#include <map>
#include <set>
#include <vector>

#include <QObject>
#include <QPointer>
#include <QTimer>

#include "ui/models/queue_model.hpp"
#include "ui/views/services.hpp"
#include "ui/views/shell/desktop.hpp"
#include "ui/views/shell/message_bar.hpp"

namespace seedbed::ui {

class MainWindow;

class Attendant : public QObject {
    Q_OBJECT

public:
    // `desktop` outlives it.
    Attendant(MainWindow& window, const Services& services, Desktop& desktop);

private:
    void look();
    void showTitle();
    void offerInterrupted();
    void showState();
    void askGoal(RunId run);

    MainWindow& window_;
    Services services_;
    Desktop& desktop_;
    QueueWatch watch_;
    std::map<RunId, std::int64_t> goals_;  // steps at which a live run ends; 0 when unknown
    std::set<RunId> offered_;
    QPointer<MessageBar> state_bar_, crash_bar_;
    std::vector<RunId> crash_runs_;  // that crash_bar_ is about
    bool looked_ = false, progress_shown_ = false;
};

}  // namespace seedbed::ui
