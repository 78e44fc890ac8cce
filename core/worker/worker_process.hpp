// SPDX-License-Identifier: Apache-2.0
// A worker: a process that hosts environments, seen from the trusted side. The protocol is in README.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/env/env.hpp"
#include "core/ipc/child_process.hpp"
#include "core/ipc/descriptor.hpp"
#include "core/ipc/json_socket.hpp"
#include "core/ipc/shared_segment.hpp"
#include "core/worker/worker_folder.hpp"

namespace seedbed {

// The command that starts a worker, and the environments that it hosts.
struct WorkerPlan {
    std::vector<std::string> command;  // the program and its arguments
    std::vector<std::pair<std::string, std::string>> environment;
    // Whether the program takes --scratch FOLDER, --network and --memory. The folder exists as long as the
    // worker, which starts in it and must not write elsewhere. `environment` then contains all variables of
    // the worker.
    bool restricted = false;
    std::string network = "none";  // the value of --network
    std::uint64_t memory = 0;      // bytes, for --memory, of the process with its children; 0: no limit
    std::string id;                // "gym:CartPole-v1"
    Json kwargs = Json::object();
    Json wrap;            // member `wrap` of the message "open"; null: no wrappers
    int time_limit = -1;  // member `time_limit`; -1: the limits of the environment apply
    std::string version;  // differs if the files of the environment have changed
    int count = 1;        // environments
    int processes = 1;    // workers that share the cores of the machine
    bool keep = false;    // whether an idle process is kept for the next batch with the same plan
    bool waits = true;    // whether an exchange waits for retries after failures
    int first = 0;        // index of the first environment in the run or evaluation
    double start_s = 60;  // time limits: for the start, and for each exchange or request
    double step_s = 30;
};

// The environments of a worker, as it describes them.
struct WorkerSpec {
    EnvSpec env;  // without an id; unknown numbers are 0
    bool can_save = false;
    Json versions, restrictions;
};

// Checks a worker's description. error: names the member.
Result<WorkerSpec> workerSpecFromJson(const Json& reply);

// A running worker. Everything that the worker can write is copied before it is checked. Thread: one at a
// time. All errors are final: destroy the object, which kills the process and its children.
class WorkerProcess {
public:
    // Starts the process and waits until its environments exist. error: with the worker's message, traceback
    // and last output.
    static Result<std::unique_ptr<WorkerProcess>> start(const WorkerPlan& plan);
    ~WorkerProcess();
    WorkerProcess(const WorkerProcess&) = delete;
    WorkerProcess& operator=(const WorkerProcess&) = delete;

    const WorkerSpec& spec() const { return spec_; }
    pid_t id() const { return child_->id(); }
    bool isRunning() const;

    // The arrays of the shared memory; see README.md. This process writes its arrays between two exchanges
    // and reads the worker's after await().
    std::uint8_t* commands() { return memory_ + layout_.what; }
    std::uint32_t* seeds() { return reinterpret_cast<std::uint32_t*>(memory_ + layout_.seeds); }
    float* actions() { return reinterpret_cast<float*>(memory_ + layout_.actions); }
    const std::uint8_t* leaf(std::size_t index) const { return memory_ + layout_.leaves[index]; }
    const std::uint8_t* mask() const { return memory_ + layout_.mask; }
    const float* rewards() const { return reinterpret_cast<const float*>(memory_ + layout_.rewards); }
    const std::uint8_t* flags() const { return memory_ + layout_.flags; }

    // Passes the arrays to the worker.
    Result<> post();
    // Whether await() returns without waiting.
    bool answered() const;
    // Waits for the answer. error: the process exited, did not answer in time, or violated the protocol.
    // makes_envs: whether environments may be created in this exchange, which may take start_s longer.
    Result<> await(bool makes_envs);

    // Sends a request and returns the reply. error: as for await(); or kRefused: the worker could not handle
    // the request, but remains usable.
    Result<Json> request(const Json& message);
    static constexpr ErrorCode kRefused = ErrorCode::config;
    // Sets the scene's frame to the current picture of an environment. error: as for request().
    Result<> picture(int env, Scene& scene);
    // Errors of environments that the worker reported since the last call: environment and text.
    std::vector<std::pair<int, std::string>> takeErrors();

private:
    struct Layout {
        std::size_t requested = 0, answered = 0, what = 0, seeds = 0, actions = 0, mask = 0, rewards = 0,
                    flags = 0, bytes = 0;
        std::vector<std::size_t> leaves;
    };

    explicit WorkerProcess(const WorkerPlan& plan) : plan_(plan) {}
    Result<> spawn();
    Result<> open();
    Result<> map();
    Result<WaitResult> waitForChild(int descriptor, Deadline deadline);
    Result<SocketMessage> receive(Deadline deadline);
    Result<SocketMessage> ask(const Json& message, std::span<const int> descriptors);
    void keepEvent(const Json& event);
    Result<> takeEvents();
    void drainOutput();
    tl::unexpected<Error> ended();
    tl::unexpected<Error> broke(const std::string& what);
    tl::unexpected<Error> late(double limit_s);
    std::string withOutput(std::string text);
    std::size_t columns() const {
        return static_cast<std::size_t>(plan_.count) * static_cast<std::size_t>(spec_.env.agents);
    }

    WorkerPlan plan_;
    WorkerSpec spec_;
    Layout layout_;
    std::optional<ChildProcess> child_;
    std::optional<JsonSocket> control_;
    std::optional<SharedSegment> segment_;
    std::uint8_t* memory_ = nullptr;
    Descriptor request_bell_, answer_bell_, output_;
    // The worker's ends of the two pipes, kept open so that the pipes outlive the worker; its exit is
    // detected through the child process.
    Descriptor requests_, answers_;
    WorkerFolder scratch_;
    std::uint64_t requested_ = 0;  // authoritative; the shared copy is only for the worker
    std::string text_;             // the newest output of the worker
    std::vector<std::pair<int, std::string>> errors_;
};

}  // namespace seedbed
