// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, SIGTERM and SIGHUP: the first one asks for a clean stop, the second one ends the process at once. A
// signal that is ignored when the process starts (nohup) stays ignored.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

namespace seedbed::app {

// What trains says at the first signal, unless it is to be quiet.
inline std::string stopsAfterUpdate(bool quiet) {
    return quiet ? "" : "stopping after this update; again stops at once";
}

// One at a time. The handler only sets a flag's pipe; a thread turns it into a stop request.
class Interrupt {
public:
    // `says`: what is told on stderr at the first signal; empty: nothing.
    explicit Interrupt(std::string says);
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::string says_;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed::app
