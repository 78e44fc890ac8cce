// SPDX-License-Identifier: Apache-2.0
// Copies the metrics of a run to TensorBoard event files while it trains.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/os/files.hpp"
#include "core/run/run_clock.hpp"
#include "core/store/run_writer.hpp"
#include "core/tensorboard/event_file.hpp"

namespace seedbed {

// The folder of a run's event files: "run-3-cartpole-ppo". TensorBoard shows it as the run's name.
std::string eventFolderName(std::int64_t run, const std::string& env, const std::string& algo);

// Errors never affect the run: points are dropped, a notice states the reason, and a new file is tried every
// 30 seconds. Points are written at most once per second. Thread: the run's.
class LiveEvents {
public:
    // The references must outlive this object.
    LiveEvents(FileSystem& files, const RunClock& clock) : files_(files), clock_(clock) {}
    ~LiveEvents() { close(); }
    LiveEvents(const LiveEvents&) = delete;
    LiveEvents& operator=(const LiveEvents&) = delete;

    // Begins a file in `folder` for a run that starts or resumes at `step`.
    void open(const Path& folder, std::int64_t step);
    // `time`: wall-clock seconds.
    void add(std::int64_t step, double time, std::span<const MetricValue> values);
    void close();

    // Texts for the user since the last call.
    std::vector<std::string> takeNotices() { return std::exchange(notices_, {}); }

private:
    void findRepeated(std::int64_t step);
    void openFile(std::int64_t step);
    void failed(const std::string& reason);

    FileSystem& files_;
    const RunClock& clock_;
    Path folder_;  // empty: off
    std::int64_t resumed_at_ = 0;
    std::set<std::string, std::less<>> repeated_;  // metrics that were written at that step before
    std::optional<tensorboard::EventFile> file_;
    double flushed_ = 0;
    double retry_ = 0;  // time of the next attempt, while there is no file
    bool failing_ = false;
    std::vector<std::string> notices_;
};

}  // namespace seedbed
