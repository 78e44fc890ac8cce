// SPDX-License-Identifier: Apache-2.0
// Queues requests from the control socket until the run has finished its update.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/base/mutex.hpp"
#include "core/base/os/files.hpp"
#include "core/control/control_server.hpp"
#include "core/neighbour/decision.hpp"
#include "core/session/settings.hpp"
#include "core/store/records.hpp"

namespace seedbed {

// Whether a run's status may change from one to another: starting -> running <-> paused -> stopping ->
// finished | failed | interrupted.
bool mayFollow(RunStatus before, RunStatus after);

// Thread: the run's. The control thread adds requests under a mutex.
class RunControl {
public:
    // Receives nothing before open(). A stop request from a client is passed to `stop`. `files` must outlive
    // this object.
    RunControl(std::filesystem::path data_folder, std::stop_source stop, FileSystem& files)
        : data_folder_(std::move(data_folder)), stop_(std::move(stop)), files_(files) {}

    // Opens the socket, and removes sockets of runs whose processes have exited. Clients can follow
    // `publication`. error: no request will be received; everything else works.
    Result<> open(RunId run, const TrainingConfig& config, std::unique_ptr<Publication> publication);

    struct Requests {
        bool checkpoint = false;
        // Live settings as key and text, to be applied to the current configuration.
        std::vector<std::pair<std::string, std::string>> settings;
    };
    // Requests since the last call.
    Requests takeRequests();
    // The configuration that later requests are checked against. Call after it has changed.
    void setConfig(const TrainingConfig& config);
    // The rules for other programs, as the thread that watches them found them. `problem`: why the rules
    // cannot be read; "": they can. Thread: any.
    void setNeighbours(const NeighbourReadings& readings, const NeighbourRules& rules, std::string problem);

    // Why the run must yield, between two updates.
    struct Hold {
        bool pause = false;
        std::string reason{};        // of a pause by a rule; "": a client requested the pause
        std::string low_priority{};  // why training has low priority; "": it has not
        std::string problem{};       // with the rules
    };
    Hold hold() const;
    // Returns when the pause ends or has a reason other than `reason`, on another request or a stop, or after
    // `timeout`.
    void waitWhilePaused(const std::string& reason, const std::stop_token& stop,
                         std::optional<std::chrono::milliseconds> timeout = {});
    // Whether a client, not a signal, requested the stop.
    bool stopRequested() const;

    // Sends the status to watching clients; does nothing without a socket.
    void publishStatus(Json status);
    void sendEvent(Json event);

private:
    Result<Json> handle(const std::string& verb, const Json& request);
    Hold holdNow() const SEEDBED_REQUIRES(mutex_);
    Result<Json> set(const Json& request);

    std::filesystem::path data_folder_;
    std::stop_source stop_;
    FileSystem& files_;

    mutable Mutex mutex_;
    StoppableConditionVariable changed_;
    bool pause_ SEEDBED_GUARDED_BY(mutex_) = false;
    NeighbourState neighbours_ SEEDBED_GUARDED_BY(mutex_);
    std::string rules_problem_ SEEDBED_GUARDED_BY(mutex_);
    bool stop_requested_ SEEDBED_GUARDED_BY(mutex_) = false;
    Requests requests_ SEEDBED_GUARDED_BY(mutex_);
    Json document_ SEEDBED_GUARDED_BY(mutex_);  // the current settings with the changes requested since
    std::unique_ptr<Publication> publication_;
    std::unique_ptr<ControlServer> server_;  // declared last because its thread uses the members above
};

// Sets the niceness of all threads of this process and of those that it has started: 0 (normal) to 19 (lowest
// priority). Without privileges it can only be increased. error: config, failure.
Result<> setNiceness(int nice);

}  // namespace seedbed
