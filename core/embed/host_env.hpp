// SPDX-License-Identifier: Apache-2.0
// The environments of a host program, as environments of a session: host:NAME.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/env/env.hpp"

namespace seedbed {

// The host's functions, as in seedbed.h. Each returns 0, or another number on failure.
struct HostCallbacks {
    std::function<int(int column, std::uint64_t seed)> reset;
    std::function<int(const float* actions, const unsigned char* active, float* rewards,
                      unsigned char* terminated, unsigned char* truncated)>
        step;
    std::function<int(void* const* observations, unsigned char* mask)> observe;
    std::size_t state_bytes = 0;
    std::function<int(int column, void* state)> save_state;
    std::function<int(int column, const void* state)> load_state;
};

// The report of a host about all columns after a step; arrays as in seedbed.h.
struct HostOutcome {
    const void* const* observations = nullptr;
    const unsigned char* mask = nullptr;  // null: everything is allowed
    const float* rewards = nullptr;
    const unsigned char* terminated = nullptr;  // null: none
    const unsigned char* truncated = nullptr;
    bool keeps_last = false;  // terminated columns begin their next episode only after a command
};

// The environments of one trainer. The session's batch is created once. Thread: the one that steps the
// session.
class HostEnv {
public:
    // `callbacks` without functions: the host reports what happened.
    HostEnv(EnvSpec spec, int columns, HostCallbacks callbacks);

    const EnvSpec& spec() const { return spec_; }
    int columns() const { return columns_; }
    const HostCallbacks& callbacks() const { return callbacks_; }
    bool hasCallbacks() const { return callbacks_.step != nullptr; }

    // Whether the host has caused an error since the last call of takeFailure().
    bool hasFailed() const { return has_failed_; }
    bool takeFailure() { return std::exchange(has_failed_, false); }
    // Marks and returns an error of the host.
    tl::unexpected<Error> failure(std::string message);

    // The following functions are for a host without callbacks.
    //
    // The observations with which the next reset begins. error: an observation that is not allowed.
    Result<> offer(const void* const* observations, const unsigned char* mask);
    // Whether the session waits for a report; its actions and commands.
    bool isAsking() const { return asked_ != nullptr && !is_reported_; }
    const float* actions() const { return asked_->actions; }
    EnvCommand command(int column) const { return asked_->commands[column]; }
    // error, which changes nothing: the outcome is not allowed.
    Result<> report(const HostOutcome& outcome);

private:
    friend class ReportedBatch;
    Result<> checkOutcome(const HostOutcome& outcome) const;
    Result<> checkObservations(const void* const* observations, const unsigned char* mask) const;
    void keep(const void* const* observations, const unsigned char* mask);

    EnvSpec spec_;
    int columns_;
    HostCallbacks callbacks_;
    bool has_failed_ = false;

    // Of a host without callbacks: what it offered or reported, for the next exchange.
    std::vector<std::vector<std::uint8_t>> observations_;
    std::vector<std::uint8_t> mask_, flags_;
    std::vector<float> rewards_;
    const Exchange* asked_ = nullptr;  // the exchange that waits for a report
    bool is_offered_ = false, is_reported_ = false;
};

// Makes host:NAME known while the result exists. error: config, if another trainer of this process has an
// environment with this name. Thread: any.
Result<std::shared_ptr<void>> registerHostEnv(const std::string& name, std::shared_ptr<HostEnv> env);

}  // namespace seedbed
