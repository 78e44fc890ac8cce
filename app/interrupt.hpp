// SPDX-License-Identifier: Apache-2.0
// Handles Ctrl-C, SIGTERM and SIGHUP: the first signal requests a clean stop, a second one at least half a
// second later ends the process immediately ('timeout' and terminals deliver one signal twice). A signal that
// is ignored at process start (nohup) stays ignored.
#pragma once

#include <atomic>
#include <memory>
#include <stop_token>
#include <string>

namespace seedbed::app {

// The message of commands that stop without saving anything.
inline std::string stoppingText(bool quiet) {
    return quiet ? "" : "stopping; press Ctrl-C again to stop immediately";
}
// The message of training commands once there is something to save.
inline std::string savingText(bool quiet) {
    return quiet ? "" : "stopping and saving the run; press Ctrl-C again to stop immediately";
}

// At most one exists at a time. The signal handler writes to a pipe; a thread reads it and requests the stop.
class Interrupt {
public:
    // `message`, or after giveTime() `saving_message`, is printed to stderr at the first signal unless it is
    // empty. The process exits with code 130 within two seconds of it unless the command has returned or
    // giveTime() was called.
    explicit Interrupt(std::string message, std::string saving_message = "");
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    // Call once there is something to save, to allow the command more time to stop after the first signal.
    void giveTime() { has_time_.store(true, std::memory_order_relaxed); }
    // Call when there is nothing to save any more.
    void endTime() { has_time_.store(false, std::memory_order_relaxed); }
    std::stop_token token() const { return source_.get_token(); }

private:
    void printMessage() const;
    void endIfStuck();

    std::stop_source source_;
    std::string message_, saving_message_;
    std::atomic<bool> has_time_{false};
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed::app
