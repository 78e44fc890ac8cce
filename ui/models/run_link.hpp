// SPDX-License-Identifier: GPL-3.0-or-later
// What a run says about itself while it goes: its status from the control socket, several times a second.
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
    QString phase;  // training, evaluating, ... (core/control/README.md); "" when the run does not say
    std::int64_t steps = 0, goal_steps = 0, updates = 0;
    double steps_per_s = 0;
    std::optional<double> mean_return, evaluation;
    double elapsed_s = 0, trained_s = 0;
    std::optional<std::pair<double, double>> eta_s;  // shortest and longest at recent speeds
    std::optional<double> next_checkpoint_s;
    bool saving = true;
    bool answers = true;  // false: the process lives and has said nothing for some seconds; the rest is what
                          // it said last
};

// Thread: GUI. A thread of its own holds the connection; one run at a time. A run that does not go, or dies,
// is no status.
class RunLink : public QObject {
    Q_OBJECT
public:
    explicit RunLink(std::filesystem::path data_folder, QObject* parent = nullptr);
    ~RunLink() override;

    // 0: none.
    void follow(RunId run);
    RunId run() const { return run_; }
    const std::optional<LiveStatus>& status() const { return status_; }

Q_SIGNALS:
    // A new status, or none any more.
    void changed();
    // The run has something to say: "a checkpoint could not be saved ...".
    void message(const QString& text);

private:
    struct Follower;

    std::filesystem::path folder_;
    RunId run_ = 0;
    std::optional<LiveStatus> status_;
    std::unique_ptr<Follower> follower_;
};

}  // namespace seedbed::ui
