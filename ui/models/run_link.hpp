// SPDX-License-Identifier: GPL-3.0-or-later
// The live status of a run, received from its control socket several times per second.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include <QObject>
#include <QString>

#include "core/store/records.hpp"

namespace seedbed::ui {

struct LiveStatus {
    QString state;  // running, paused, stopping, ...
    QString phase;  // training, evaluating, ... (core/control/README.md); "" if not reported
    std::int64_t steps = 0, goal_steps = 0, updates = 0;
    double steps_per_s = 0;
    std::optional<double> mean_return, evaluation;
    double elapsed_s = 0, trained_s = 0;
    std::optional<std::pair<double, double>> eta_s;  // shortest and longest estimate at recent speeds
    std::optional<double> next_checkpoint_s;
    bool saving = true;
    bool answers = true;  // false if the process exists but has sent no data for 2 s; the other
                          // fields keep their last values
};

// Thread: GUI; the connection is used by a separate thread. Follows one run at a time. A run without a
// process has no status.
class RunLink : public QObject {
    Q_OBJECT
public:
    explicit RunLink(std::filesystem::path data_folder, QObject* parent = nullptr);
    ~RunLink() override;

    // Follows this run; 0 follows none.
    void follow(RunId run);
    RunId run() const { return run_; }
    const std::optional<LiveStatus>& status() const { return status_; }

Q_SIGNALS:
    // The status changed or became empty.
    void changed();
    // A message from the run: "a checkpoint could not be saved ...".
    void message(const QString& text);

private:
    struct Follower;

    std::filesystem::path folder_;
    RunId run_ = 0;
    std::optional<LiveStatus> status_;
    std::unique_ptr<Follower> follower_;
};

}  // namespace seedbed::ui
