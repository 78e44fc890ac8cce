// SPDX-License-Identifier: Apache-2.0
// Measures how long this thread worked or waited, excluding the time in which other threads used its CPU, so
// that the result does not depend on other load.
#pragma once

#include <chrono>
#include <cstdio>

namespace seedbed::testing {

class HeldTime {
public:
    HeldTime() { restart(); }
    void restart() {
        start_ = std::chrono::steady_clock::now();
        queued_ns_ = queuedNs();
    }
    double ms() const {
        const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start_;
        return wall.count() - static_cast<double>(queuedNs() - queued_ns_) * 1e-6;
    }

private:
    // How long the calling thread was runnable without getting a CPU; 0 if the kernel does not measure it.
    static long long queuedNs() {
        long long ran = 0, queued = 0;
        if (std::FILE* file = std::fopen("/proc/thread-self/schedstat", "r")) {
            if (std::fscanf(file, "%lld %lld", &ran, &queued) != 2) queued = 0;
            std::fclose(file);
        }
        return queued;
    }

    std::chrono::steady_clock::time_point start_;
    long long queued_ns_ = 0;
};

}  // namespace seedbed::testing
