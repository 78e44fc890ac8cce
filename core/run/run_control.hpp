// SPDX-License-Identifier: Apache-2.0
// What others ask of a run: requests from the control socket wait here until the run's next update boundary.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/files.hpp"
#include "core/control/control_server.hpp"
#include "core/session/settings.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// The states of a run's process, and what may follow what: starting -> running <-> paused -> stopping ->
// finished | failed | interrupted.
bool mayFollow(RunStatus before, RunStatus after);

// Thread: the run's, but for the handler's part, which is the control thread's; both meet behind a mutex.
class RunControl {
public:
    // `stop` is what a stop request asks; it outlives this object, as `files` does.
    RunControl(std::filesystem::path data_folder, RunId run, std::stop_source stop, FileSystem& files)
        : data_folder_(std::move(data_folder)), run_(run), stop_(std::move(stop)), files_(files) {}

    // Opens the socket; removes those of runs whose processes are gone. `publication`, which outlives this
    // object, is what clients follow. error: the run then goes on without being steerable.
    Result<> open(const TrainingConfig& config, Publication* publication = nullptr);

    // What was asked since the last call.
    struct Asked {
        bool checkpoint = false;
        // Live settings by key, as text. Only what was asked for, and never a whole configuration: the run
        // lays them over the one that is in force when it obeys.
        std::vector<std::pair<std::string, std::string>> settings;
    };
    Asked take();
    // The configuration that requests are checked against; told whenever it has changed.
    void inForce(const TrainingConfig& config);
    bool pauseAsked() const;
    // Returns when the pause is over, when something was asked meanwhile, at a stop request,
    // or, if given, after `longest`.
    void waitWhilePaused(const std::stop_token& stop, std::optional<std::chrono::milliseconds> longest = {});
    // A client asked for the stop (not a signal).
    bool stopAsked() const;

    void publish(Json status);
    void tell(Json event);

private:
    Result<Json> handle(const std::string& verb, const Json& request);
    Result<Json> set(const Json& request);

    std::filesystem::path data_folder_;
    RunId run_;
    std::stop_source stop_;
    FileSystem& files_;

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    bool pause_ = false, stop_asked_ = false;
    Asked asked_;
    Json document_;                          // the settings in force, with what was asked since
    std::unique_ptr<ControlServer> server_;  // last: its thread uses all of the above
};

// Priority of all threads of this process: 0 (normal) to 19 (last). Without privilege it can only rise.
// error: config, failure.
Result<> setNiceness(int nice);

}  // namespace seedbed
