// SPDX-License-Identifier: Apache-2.0
// An owned file descriptor, and waiting for a descriptor, a stop request or a deadline.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace seedbed {

// The error of the preceding system call, from errno. `what` is the attempted operation.
tl::unexpected<Error> systemFailure(const std::string& what);

// An owned file descriptor; the destructor closes it. All descriptors created by this folder's code are
// close-on-exec: a child process inherits only those passed to it explicitly.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { reset(); }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) {
            reset();
            number_ = std::exchange(other.number_, -1);
        }
        return *this;
    }

    int get() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }
    int release() { return std::exchange(number_, -1); }
    void reset();
    // A second descriptor for the same open file.
    Result<Descriptor> duplicate() const;

private:
    int number_ = -1;
};

// A time of CLOCK_MONOTONIC (std::chrono::steady_clock) in nanoseconds. kNoDeadline: wait without limit.
using Deadline = std::int64_t;
constexpr Deadline kNoDeadline = INT64_MAX;
Deadline deadlineIn(std::int64_t milliseconds);

enum class WaitResult { ready, stopped, timed_out };

// Waits until poll() reports one of `events` (POLLIN, POLLOUT; hang-up and error count as ready), a stop is
// requested or the deadline passes. Thread: any. error: failure.
Result<WaitResult> waitFor(int descriptor, short events, const std::stop_token& stop, Deadline deadline);

}  // namespace seedbed
