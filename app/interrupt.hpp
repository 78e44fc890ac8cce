// SPDX-License-Identifier: Apache-2.0
// Handles Ctrl-C, SIGTERM and SIGHUP: the first signal requests a clean stop, the second one ends the process
// immediately. A signal that is ignored at process start (nohup) stays ignored.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

namespace seedbed::app {

// Message of training commands at the first signal.
inline std::string stopAfterUpdateText(bool quiet) {
    return quiet ? "" : "stopping after this update; press Ctrl-C again to stop now";
}

// At most one exists at a time. The signal handler writes to a pipe; a thread reads it and requests the stop.
class Interrupt {
public:
    // `message` is printed to stderr at the first signal unless it is empty.
    explicit Interrupt(std::string message);
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::string message_;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed::app
