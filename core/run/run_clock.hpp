// SPDX-License-Identifier: Apache-2.0
// The clock of a run: durations that exclude suspend, and monotonic times for rows.
#pragma once

#include <cmath>
#include <optional>

#include "core/base/os/clock.hpp"

namespace seedbed {

// All values are seconds. Thread: the run's.
class RunClock {
public:
    explicit RunClock(const Clock& clock)
        : clock_(clock),
          wall_start_(wall()),
          boot_start_(seconds(clock.bootNs())),
          asleep_(boot() - now()),
          drift_(0) {}

    const Clock& seam() const { return clock_; }
    // For durations; does not advance while the machine is suspended.
    double now() const { return seconds(clock_.monotonicNs()); }
    // For database rows: wall-clock time at the start plus all time since then, including suspend. Never
    // decreases.
    double rowTime() const { return wall_start_ + (boot() - boot_start_); }
    // How long the machine was suspended since the last call, if at least 5 s.
    std::optional<double> slept() {
        const double asleep = boot() - now();
        if (asleep - asleep_ < kMinSleep) return std::nullopt;
        const double slept = asleep - asleep_;
        asleep_ = asleep;
        return slept;
    }
    // The change of the wall clock (in either direction) since the last call, if at least a minute.
    std::optional<double> jumped() {
        const double drift = wall() - rowTime();
        if (std::abs(drift - drift_) < kMinJump) return std::nullopt;
        const double jump = drift - drift_;
        drift_ = drift;
        return jump;
    }

private:
    static constexpr double kMinSleep = 5;
    static constexpr double kMinJump = 60;
    static double seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }
    double wall() const { return seconds(clock_.wallNs()); }
    double boot() const { return seconds(clock_.bootNs()); }

    const Clock& clock_;
    double wall_start_, boot_start_, asleep_, drift_;
};

}  // namespace seedbed
