// SPDX-License-Identifier: Apache-2.0
// A TCP relay that delays, holds back or cuts connections: the network between an actor and a learner.
#pragma once

#include <atomic>
#include <thread>

#include "core/ipc/descriptor.hpp"

namespace seedbed::test {

class Relay {
public:
    // Listens at a free port of this machine and forwards to `port`.
    explicit Relay(int port);
    ~Relay();
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;

    int port() const { return port_; }
    // Bytes arrive this much later.
    void delay(int ms) { delay_ms_ = ms; }
    // While true, no byte passes, and connections stay open: lost packets, or a partition.
    void stall(bool on) { stalled_ = on; }
    // Ends all connections; with `refuse`, also new ones until it is called with false.
    void cut(bool refuse);

private:
    void run();
    struct Pair;

    int to_, port_ = 0;
    Descriptor listener_;
    std::atomic<int> delay_ms_{0};
    std::atomic<bool> stalled_{false}, cut_{false}, refused_{false}, ended_{false};
    std::thread thread_;
};

}  // namespace seedbed::test
