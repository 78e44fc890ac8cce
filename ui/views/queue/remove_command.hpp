// SPDX-License-Identifier: GPL-3.0-or-later
// Taking runs out of the queue, as a step that can be undone: they come back at their places, paused where
// they were.
#pragma once

#include <vector>

#include <QStringList>
#include <QUndoCommand>

#include "ui/models/run_id.hpp"
#include "ui/views/services.hpp"

namespace seedbed::ui {

// Thread: the window's. Commands of seedbed do it one after the other; what fails is complained about, and
// the rest is done.
class RemoveFromQueueCommand : public QUndoCommand {
public:
    // `text` is what Undo calls it.
    RemoveFromQueueCommand(const Services& services, const std::vector<RunId>& runs, const QString& text);
    void redo() override;
    void undo() override;

private:
    struct Removed {
        RunId run = 0;
        int place = 0;  // counted from 1
        bool paused = false;
    };

    Services services_;
    std::vector<Removed> removed_;  // in the order of the queue
    bool queue_goes_ = false;
};

}  // namespace seedbed::ui
