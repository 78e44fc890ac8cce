// SPDX-License-Identifier: Apache-2.0
// Ownership of one file descriptor, and waiting for it together with a stop token and a deadline.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace seedbed {

// The error of the system call before: errno says why `what` failed.
tl::unexpected<Error> systemFailure(const std::string& what);

// Closes on destruction. Every descriptor of this folder is close-on-exec: a child gets what it is handed,
// nothing else.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { reset(); }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) reset(), number_ = std::exchange(other.number_, -1);
        return *this;
    }

    int get() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }
    int release() { return std::exchange(number_, -1); }
    void reset();
    // A second descriptor of the same open file.
    Result<Descriptor> duplicate() const;

private:
    int number_ = -1;
};

// A moment of CLOCK_MONOTONIC in nanoseconds (std::chrono::steady_clock); kNoDeadline waits for ever.
using Deadline = std::int64_t;
constexpr Deadline kNoDeadline = INT64_MAX;
Deadline deadlineIn(std::int64_t milliseconds);

enum class WaitResult { ready, stopped, timed_out };

// Sleeps until poll() reports one of `events` (POLLIN, POLLOUT; hang-up and error count as ready), stop is
// requested or the deadline passes. Thread: any. error: failure.
Result<WaitResult> waitFor(int descriptor, short events, const std::stop_token& stop, Deadline deadline);

}  // namespace seedbed
