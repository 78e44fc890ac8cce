// SPDX-License-Identifier: GPL-3.0-or-later
// How a page leads to another one; the main window implements it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <QString>

#include "ui/models/run_id.hpp"

namespace seedbed::ui {

// A new run before it exists, for "try this as a new run".
struct NewRunRequest {
    QString env;
    QString preset;  // "" is the environment's own, "none" plain defaults
    std::vector<std::pair<QString, QString>>
        settings;  // dotted keys with texts, as on the command line; marked as changed
    // The run that it is to be like, and its settings: what the form begins with instead of the preset's
    // values.
    RunId like = 0;
    std::vector<std::pair<QString, QString>> base{};
};

class Navigator {
public:
    virtual ~Navigator() = default;
    virtual void showStart() = 0;
    virtual void showRun(RunId run) = 0;
    // The newest policy of the run, or the checkpoint of that step.
    virtual void watch(RunId run, std::optional<std::int64_t> checkpoint_step = std::nullopt) = 0;
    virtual void compare(const std::vector<RunId>& runs) = 0;
    // The same choice: without a step the page's own proposal.
    virtual void showExport(RunId run, std::optional<std::int64_t> checkpoint_step = std::nullopt) = 0;
    // Opens the form with these settings; nothing is started.
    virtual void startFrom(const NewRunRequest& request) = 0;
    // A line in the status bar that goes away by itself; for what was done.
    virtual void say(const QString& text) = 0;
    // A bar with the text, until it is closed: cause, what was saved, what to do. For what went wrong.
    virtual void complain(const QString& text) = 0;
};

}  // namespace seedbed::ui
