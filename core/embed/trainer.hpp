// SPDX-License-Identifier: Apache-2.0
// The trainer behind the C API: a session in pieces, its own thread, and numbers for other threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/mutex.hpp"
#include "core/base/os/time_budget.hpp"
#include "core/base/thread.hpp"
#include "core/embed/host_env.hpp"
#include "core/embed/training.hpp"
#include "core/policy/bundle.hpp"

namespace seedbed {

struct TrainerRequest {
    std::shared_ptr<HostEnv> host;  // null: a built-in environment
    std::string env;                // name of the host's environment, or id of a built-in one
    std::string config;             // JSON document of settings, or ""
    Settings settings;
    std::optional<std::filesystem::path> data_folder;  // nullopt: in memory
    std::string name, init_from;
    std::int64_t resume = 0;
    std::uint64_t memory_bytes = 0;  // 0: the free memory
    int threads = 1;
};

struct TrainerProgress {
    std::int64_t run = 0, steps = 0, updates = 0, episodes = 0;
    double mean_return = 0;  // NaN before the first episode
    bool is_learning = false, goal_reached = false;
};

// Thread: the one that created it, except where stated otherwise. While the own thread trains, calls of the
// owner are errors, except for stop() and those for any thread.
class Trainer {
public:
    static Result<std::unique_ptr<Trainer>> create(TrainerRequest request);
    ~Trainer();

    // Whether the calling thread created the trainer; whether a call is in progress; whether start() was
    // called.
    bool isOwner() const { return std::this_thread::get_id() == owner_; }
    bool isWorking() const { return is_working_; }
    bool hasThread() const { return has_thread_; }
    const HostEnv* host() const { return request_.host.get(); }
    // Whether an error was caused by the host's environment, since the last call.
    bool takeHostFailure() { return request_.host != nullptr && request_.host->takeFailure(); }

    Result<> train(std::int64_t steps);
    Result<> pump(const TimeBudget& budget);
    // Completes an update that has begun.
    Result<> completeUpdate();
    Result<> begin(const void* const* observations, const unsigned char* mask);
    Result<> act(float* actions, unsigned char* restart);
    Result<> report(const HostOutcome& outcome);
    Result<> start();
    Result<> stop();
    Result<> save();
    // The policy of the session; complete after the first update or begin(). Thread: any.
    Result<PolicyBundle> policy() const;
    // Ends training; only the destructor may follow.
    Result<> end();

    // Thread: any. error: config.
    Result<> set(const std::string& key, const std::string& value);
    TrainerProgress progress() const;
    std::optional<double> metric(const std::string& name) const;
    // All metrics of the latest update as a JSON object; null if not finite. Thread: any.
    std::string metricsText() const;

private:
    explicit Trainer(TrainerRequest request) : request_(std::move(request)) {}
    Result<> prepare();
    Result<> createTraining();
    Result<> requireTraining() const;
    Result<bool> finishPiece(Result<std::optional<IterationStats>> pumped);
    Result<bool> piece(const TimeBudget& budget);
    Result<bool> learnPiece(const TimeBudget& budget);
    Result<> collectFailed(Error error);
    Result<> applySettings();
    bool goalReached() const;
    void publish(const IterationStats* stats);
    void publishGoal();

    TrainerRequest request_;
    const std::thread::id owner_ = std::this_thread::get_id();
    std::atomic<bool> is_working_{false}, has_thread_{false};
    std::shared_ptr<void> registration_;  // of the host's environment
    TrainingConfig config_;
    std::unique_ptr<Training> training_;
    std::optional<Error> failed_;  // ends all training
    std::deque<double> returns_;   // of the newest episodes
    std::int64_t episodes_ = 0;
    NamedThread thread_;
    Result<> thread_result_;

    friend class WorkingScope;
    mutable Mutex mutex_;
    Settings changes_ SEEDBED_GUARDED_BY(mutex_);  // not applied yet
    Json document_ SEEDBED_GUARDED_BY(mutex_);     // settings with these changes
    TrainerProgress progress_ SEEDBED_GUARDED_BY(mutex_);
    std::vector<std::pair<std::string, double>> metrics_ SEEDBED_GUARDED_BY(mutex_);
    std::optional<NamedNetwork> network_ SEEDBED_GUARDED_BY(mutex_);  // of the policy
};

// Marks the trainer as working, so that callbacks cannot call it.
class WorkingScope {
public:
    explicit WorkingScope(Trainer& trainer) : trainer_(trainer) { trainer_.is_working_ = true; }
    ~WorkingScope() { trainer_.is_working_ = false; }
    WorkingScope(const WorkingScope&) = delete;
    WorkingScope& operator=(const WorkingScope&) = delete;

private:
    Trainer& trainer_;
};

}  // namespace seedbed
