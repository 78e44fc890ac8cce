// SPDX-License-Identifier: Apache-2.0
// C++ wrapper of libseedbed, header only: RAII for the handles, exceptions for the codes. C++17.
//
//     seedbed::Trainer trainer(options);
//     trainer.train(100000);
//     seedbed::Policy policy = trainer.policy();
//
// Threads as in seedbed.h.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <seedbed.h>

namespace seedbed {

// A function of the C API failed: its code, and its text as what().
class Failure : public std::runtime_error {
public:
    Failure(int code, const std::string& text) : std::runtime_error(text), code_(code) {}
    int code() const { return code_; }

private:
    int code_;
};

// Throws unless `code` is SEEDBED_OK.
inline void check(int code) {
    if (code != SEEDBED_OK) throw Failure(code, seedbed_error());
}

// A policy, which never changes; see seedbed_policy.h.
class Policy {
public:
    explicit Policy(seedbed_policy* handle) : handle_(handle, seedbed_policy_free) {}
    // Loads an exported folder or a checkpoint.
    static Policy load(const std::string& folder) {
        char error[512] = "";
        seedbed_policy* handle = seedbed_policy_load(folder.c_str(), error, sizeof error);
        if (handle == nullptr) throw Failure(SEEDBED_FAILED, error);
        return Policy(handle);
    }
    const seedbed_policy* get() const { return handle_.get(); }

private:
    std::shared_ptr<seedbed_policy> handle_;
};

// The decisions of `rows` agents; keeps its policy.
class Actor {
public:
    Actor(Policy policy, int rows)
        : policy_(std::move(policy)), handle_(seedbed_actor_new(policy_.get(), rows), seedbed_actor_free) {
        if (handle_ == nullptr) throw Failure(SEEDBED_FAILED, "the actor could not be created");
    }
    void act(const void* const* observations, float* actions, const unsigned char* mask = nullptr,
             const float* rewards = nullptr) {
        const int code = seedbed_actor_act(handle_.get(), observations, mask, rewards, actions);
        if (code != SEEDBED_OK) throw Failure(code, seedbed_actor_error(handle_.get()));
    }
    void reset(int row = -1) {
        if (seedbed_actor_reset(handle_.get(), row) != SEEDBED_OK)
            throw Failure(SEEDBED_BAD_ARGUMENT, "there is no such row");
    }
    seedbed_actor* get() { return handle_.get(); }

private:
    Policy policy_;
    std::unique_ptr<seedbed_actor, void (*)(seedbed_actor*)> handle_;
};

class Trainer {
public:
    explicit Trainer(const seedbed_options& options) { check(seedbed_create(&options, &handle_)); }
    Trainer(Trainer&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Trainer& operator=(Trainer&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    // Ends training, after its own thread if start() was called: no callback runs afterwards. Errors of that
    // thread and of the last save are lost, so call close() to see them. Only on the owner's thread, and not
    // in a callback.
    ~Trainer() {
        if (handle_ == nullptr || seedbed_destroy(handle_) != SEEDBED_WRONG_ORDER) return;
        seedbed_stop(handle_);
        seedbed_destroy(handle_);
    }
    // The same, and throws the first of these errors. A refused call, such as one on the wrong thread,
    // changes nothing. No other function may follow a close() that was not refused.
    void close() {
        if (handle_ == nullptr) return;
        int stopped = SEEDBED_OK, ended = seedbed_destroy(handle_);
        std::string reason;
        if (ended == SEEDBED_WRONG_ORDER) {  // its own thread is running
            stopped = seedbed_stop(handle_);
            reason = seedbed_error();
            ended = seedbed_destroy(handle_);
        }
        if (ended == SEEDBED_WRONG_THREAD || ended == SEEDBED_WRONG_ORDER) check(ended);
        handle_ = nullptr;
        if (stopped != SEEDBED_OK) throw Failure(stopped, reason);
        check(ended);
    }

    void train(std::int64_t steps) { check(seedbed_train(handle_, steps)); }
    void pump(double budget_ms) { check(seedbed_pump(handle_, budget_ms)); }
    void begin(const void* const* observations, const unsigned char* mask = nullptr) {
        check(seedbed_begin(handle_, observations, mask));
    }
    void act(float* actions, unsigned char* restart = nullptr) {
        check(seedbed_act(handle_, actions, restart));
    }
    void report(const seedbed_outcome& outcome) { check(seedbed_report(handle_, &outcome)); }
    void start() { check(seedbed_start(handle_)); }
    void stop() { check(seedbed_stop(handle_)); }
    void set(const std::string& key, const std::string& value) {
        check(seedbed_set(handle_, key.c_str(), value.c_str()));
    }
    seedbed_progress progress() const {
        seedbed_progress now{};
        now.struct_size = sizeof now;
        check(seedbed_get_progress(handle_, &now));
        return now;
    }
    double metric(const std::string& name) const {
        double value = 0;
        check(seedbed_get_metric(handle_, name.c_str(), &value));
        return value;
    }
    void save() { check(seedbed_save(handle_, nullptr)); }
    void savePolicy(const std::string& folder) { check(seedbed_save(handle_, folder.c_str())); }
    void exportPolicy(const std::string& target, const std::string& folder) {
        check(seedbed_export(handle_, target.c_str(), folder.c_str()));
    }
    Policy policy() const {
        seedbed_policy* made = seedbed_get_policy(handle_);
        if (made == nullptr) throw Failure(SEEDBED_FAILED, seedbed_error());
        return Policy(made);
    }
    seedbed_trainer* get() { return handle_; }

private:
    seedbed_trainer* handle_ = nullptr;
};

}  // namespace seedbed
