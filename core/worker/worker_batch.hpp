// SPDX-License-Identifier: Apache-2.0
// A batch of environments in a worker process.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/env/env.hpp"
#include "core/worker/idle_workers.hpp"
#include "core/worker/worker_process.hpp"

namespace seedbed {

// Copies and checks what the worker writes. An environment that fails, or returns values outside its spaces,
// is flagged as failed and reset; a worker that exits, hangs or violates the protocol is restarted. Attempts
// are limited, with increasing pauses; with WorkerPlan::waits an exchange waits for them, unless a stop is
// requested through Exchange::stop.
class WorkerBatch final : public EnvBatch {
public:
    // `spec` is the environment as the caller expects it. error: the worker does not start, or describes a
    // different environment.
    static Result<std::unique_ptr<WorkerBatch>> create(const WorkerPlan& plan, EnvSpec spec);

    ~WorkerBatch() override;

    int count() const override { return plan_.count; }
    const EnvSpec& spec() const override { return spec_; }
    Result<> begin(const Exchange& exchange) override;
    bool ready() override { return worker_ == nullptr || !posted_ || worker_->answered(); }
    Result<> await() override;
    std::vector<std::string> takeNotices() override { return std::exchange(notices_, {}); }
    bool isSupervised() const override { return true; }

    void draw(int env, Scene& scene) const override;
    // Whether the worker can save states. An environment whose state cannot be saved or restored at the
    // moment is flagged as failed when it continues.
    bool canArchive() const override { return can_save_; }
    void archive(int env, Archive& archive) override;
    Json state(int env) const override;
    Result<> setState(int env, const Json& state) override;

    // The process that hosts the environments; 0 while no process runs.
    pid_t process() const { return worker_ != nullptr ? worker_->id() : 0; }

private:
    // The failures of a worker or an environment, and the time of the next attempt.
    struct Retry {
        int failures = 0;        // number of consecutive failures
        std::int64_t at_ns = 0;  // time of the next attempt, monotonic clock
        void failed();
        bool isOver() const;  // the limit on failures is reached
    };

    // A start of a worker on a separate thread, which may outlive the batch.
    struct Start;

    WorkerBatch(const WorkerPlan& plan, EnvSpec spec);
    Result<> revive();
    Result<> adopt(std::unique_ptr<WorkerProcess> worker);
    void noticeChangedFiles(const std::vector<EnvFile>& now);
    Result<> pause(std::int64_t until_ns) const;
    void startInBackground();
    Result<bool> adoptStarted();
    void lose(const Error& error);
    void failAll();
    Result<std::string> saveState(int env) const;
    Result<> loadState(int env, const std::string& state);
    void fail(std::size_t env, const std::string& reason);
    void copyObservations();
    std::size_t agents() const { return static_cast<std::size_t>(spec_.agents); }

    WorkerPlan plan_;
    IdleWorkerUse use_;
    EnvSpec spec_;
    std::unique_ptr<WorkerProcess> worker_;
    std::shared_ptr<Start> start_;  // set while a worker is starting
    Exchange exchange_;
    bool posted_ = false;
    bool makes_envs_ = false;  // whether this exchange resets environments that have failed
    Retry worker_retry_;
    std::int64_t started_ns_ = 0, answered_ns_ = 0;
    std::uint64_t exchanges_ = 0;  // number of exchanges that this process has answered
    bool has_changed_ = false;     // the spaces are no longer the same
    bool can_save_ = false;
    mutable bool has_no_picture_ = false;
    mutable std::optional<Error> broken_;     // set if the worker failed outside an exchange
    std::vector<Retry> retries_;              // [count]
    std::vector<std::uint32_t> good_steps_;   // [count] since the last failure
    std::vector<std::uint8_t> needs_seed_;    // [count]
    std::vector<std::uint32_t> seeds_;        // [count] of the next reset, unless needs_seed_ is set
    std::vector<std::uint8_t> not_restored_;  // [count] flagged as failed in the next exchange
    std::vector<EnvCommand> sent_;            // [count] commands of this exchange, as passed to the worker
    std::vector<std::uint8_t> flags_;         // [columns] copy of the worker's flags
    std::vector<std::string> notices_;
    std::string reason_;  // reason of the latest failure
};

}  // namespace seedbed
