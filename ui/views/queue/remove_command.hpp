// SPDX-License-Identifier: GPL-3.0-or-later
// Removes runs from the queue; undo restores their positions and paused states.
#pragma once

#include <vector>

#include <QStringList>
#include <QUndoCommand>

#include "ui/models/run_id.hpp"
#include "ui/views/services.hpp"

namespace seedbed::ui {

// Runs seedbed commands one after another; shows failures and continues with the next command. Thread: GUI.
class RemoveFromQueueCommand : public QUndoCommand {
public:
    // `text`: name in the undo menu.
    RemoveFromQueueCommand(const Services& services, const std::vector<RunId>& runs, const QString& text);
    void redo() override;
    void undo() override;

private:
    struct Removed {
        RunId run = 0;
        int place = 0;  // 1-based
        bool paused = false;
    };

    Services services_;
    std::vector<Removed> removed_;  // in queue order
    bool queue_running_ = false;
};

}  // namespace seedbed::ui
