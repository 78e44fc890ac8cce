// SPDX-License-Identifier: GPL-3.0-or-later
// The stored data of one run (except its curves), time shares, and findings of the training doctor; kept up
// to date.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "core/analysis/doctor/findings.hpp"
#include "core/analysis/run_settings.hpp"
#include "ui/models/run_store.hpp"

namespace seedbed::ui {

class Launcher;

// Shares of the threads' time over the latest updates, from the metrics time/*. The sum is 1.
struct TimeShares {
    double env = 0, inference = 0, learning = 0, waiting = 0;
    std::int64_t updates = 0;  // number of updates measured
};

struct RunReport {
    RunDetails details;
    std::vector<std::string> metrics;         // names, sorted
    std::optional<std::int64_t> resume_step;  // see resumeStep()
    std::optional<TimeShares> shares;
    std::vector<Finding> findings;
    bool examined = false;  // whether findings and shares are set
};

// Does not compute findings and shares. Thread: any.
Result<RunReport> loadReport(StoreReader& reader, const std::filesystem::path& data_folder, RunId run);
// Reads the latest values of time/*; nullopt without them. Thread: any.
Result<std::optional<TimeShares>> loadShares(StoreReader& reader, RunId run);
// The findings in the output of `seedbed doctor RUN --json`; none if the format is unexpected.
std::vector<Finding> findingsFrom(const QByteArray& json);

// The change a finding proposes: "algo.learning_rate: 0.001 → 0.0005", one line per setting.
QString proposedChangeText(const Json& config, const Finding& finding);
// All settings of a run as on the command line, with `change` applied, without environment and seed.
// `machine`: whether to keep machine-specific settings.
std::vector<std::pair<QString, QString>> settingsOf(const Json& config, const Json& change,
                                                    KeepMachine machine = KeepMachine::no);

// Thread: GUI.
class RunReporter : public QObject {
    Q_OBJECT
public:
    // Both must outlive this object. If `launcher` is null, there are no findings.
    RunReporter(RunStore& store, Launcher* launcher, QObject* parent = nullptr);

    void follow(RunId run);
    RunId run() const { return run_; }
    // Null until loaded.
    const std::shared_ptr<const RunReport>& report() const { return report_; }
    QString error() const { return error_; }
    void setLive(bool live);

Q_SIGNALS:
    void changed();

private:
    void reload();
    // The duration of the reading decides about the next one.
    void pauseReading(std::chrono::steady_clock::duration reading);
    void examineLater();
    void examined(std::optional<TimeShares> shares, std::vector<Finding> findings, std::int64_t steps);

    RunStore& store_;
    Launcher* launcher_;
    RunId run_ = 0;
    std::shared_ptr<const RunReport> report_;
    QString error_;
    bool live_ = true, loading_ = false, stale_ = false;
    bool paused_ = false;
    int pause_number_ = 0, examination_number_ = 0;  // of the newest pauses; earlier ones have no effect
    bool examining_ = false, examination_paused_ = false;
    std::int64_t examined_steps_ = -1;
    std::chrono::steady_clock::time_point examination_started_;
};

}  // namespace seedbed::ui
