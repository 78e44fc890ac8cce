// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/fleet/relay.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <list>
#include <string>

#include <gtest/gtest.h>

namespace seedbed::test {
namespace {

using Clock = std::chrono::steady_clock;

sockaddr_in addressOf(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

struct Late {
    Clock::time_point at;
    std::string bytes;
};

// Reads the available bytes; false at the end of the stream.
bool readInto(int from, std::deque<Late>& queue, int delay_ms) {
    char buffer[65536];
    const ssize_t size = recv(from, buffer, sizeof buffer, MSG_DONTWAIT);
    if (size > 0)
        queue.push_back({Clock::now() + std::chrono::milliseconds(delay_ms),
                         std::string(buffer, static_cast<std::size_t>(size))});
    return size > 0 || (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
}

bool writeFrom(std::deque<Late>& queue, int to) {
    while (!queue.empty() && queue.front().at <= Clock::now()) {
        std::string& bytes = queue.front().bytes;
        const ssize_t size = send(to, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (size < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
        bytes.erase(0, static_cast<std::size_t>(size));
        if (!bytes.empty()) return true;
        queue.pop_front();
    }
    return true;
}

}  // namespace

struct Relay::Pair {
    Descriptor near, far;
    std::deque<Late> to_far, to_near;
};

Relay::Relay(int port) : to_(port), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = addressOf(0);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(listener_.get(), 64), 0);
    EXPECT_EQ(getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
}

Relay::~Relay() {
    ended_ = true;
    thread_.join();
}

void Relay::cut(bool refuse) {
    refused_ = refuse;
    cut_ = true;
    while (cut_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void Relay::run() {
    std::list<Pair> pairs;
    while (!ended_) {
        if (cut_.exchange(false)) pairs.clear();
        std::vector<pollfd> polled{{listener_.get(), POLLIN, 0}};
        for (const Pair& pair : pairs)
            for (const int descriptor : {pair.near.get(), pair.far.get()})
                polled.push_back({descriptor, static_cast<short>(stalled_ ? 0 : POLLIN), 0});
        poll(polled.data(), polled.size(), 2);
        if ((polled[0].revents & POLLIN) != 0) {
            Pair pair{Descriptor(accept(listener_.get(), nullptr, nullptr)),
                      Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
                      {},
                      {}};
            const sockaddr_in address = addressOf(to_);
            if (!refused_ &&
                connect(pair.far.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
                pairs.push_back(std::move(pair));
        }
        if (stalled_) continue;
        pairs.remove_if([&](Pair& pair) {
            return !readInto(pair.near.get(), pair.to_far, delay_ms_) ||
                   !readInto(pair.far.get(), pair.to_near, delay_ms_) ||
                   !writeFrom(pair.to_far, pair.far.get()) || !writeFrom(pair.to_near, pair.near.get());
        });
    }
}

}  // namespace seedbed::test
