// SPDX-License-Identifier: Apache-2.0
// The clock seam: tests replace the clocks to simulate passing time, suspend or changes to the wall clock.
#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>

namespace seedbed {

// Three clocks. Thread: any. All values are nanoseconds.
class Clock {
public:
    virtual ~Clock() = default;
    // Monotonic; does not count time while the machine is suspended. For timeouts and rates.
    virtual std::int64_t monotonicNs() const = 0;
    // Monotonic; includes suspended time. bootNs() - monotonicNs() grows by the time spent suspended.
    virtual std::int64_t bootNs() const = 0;
    // Since 1970 UTC; may jump forwards or backwards. For timestamps, not for durations.
    virtual std::int64_t wallNs() const = 0;
    // Returns after `seconds` of monotonicNs(), or when a stop is requested.
    virtual void sleep(double seconds, const std::stop_token& stop) const = 0;
};

class RealClock final : public Clock {
public:
    std::int64_t monotonicNs() const override;
    std::int64_t bootNs() const override;
    std::int64_t wallNs() const override;
    void sleep(double seconds, const std::stop_token& stop) const override;
};

// A clock for tests that moves only when a test advances it.
class ManualClock final : public Clock {
public:
    explicit ManualClock(std::int64_t start_ns = 1'000'000'000,
                         std::int64_t wall_ns = 1'700'000'000'000'000'000)
        : monotonic_(start_ns), boot_(start_ns), wall_(wall_ns) {}

    void advance(std::int64_t ns) {
        monotonic_ += ns;
        boot_ += ns;
        wall_ += ns;
    }
    void sleepMachine(std::int64_t ns) {
        boot_ += ns;
        wall_ += ns;
    }
    void jumpWall(std::int64_t ns) { wall_ += ns; }

    std::int64_t monotonicNs() const override { return monotonic_; }
    std::int64_t bootNs() const override { return boot_; }
    std::int64_t wallNs() const override { return wall_; }
    // Advances the clocks and returns immediately.
    void sleep(double seconds, const std::stop_token&) const override {
        const auto ns = static_cast<std::int64_t>(seconds * 1e9);
        monotonic_ += ns;
        boot_ += ns;
        wall_ += ns;
    }

private:
    mutable std::atomic<std::int64_t> monotonic_, boot_, wall_;
};

}  // namespace seedbed
