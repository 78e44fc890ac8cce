// SPDX-License-Identifier: Apache-2.0
// The roles of the child process.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>

#include <sys/resource.h>
#include <unistd.h>

#include "core/ipc/wake.hpp"
#include "tests/unit/base/supervised.hpp"
#include "tests/unit/ipc/child.hpp"
#include "tests/unit/ipc/layouts.hpp"

namespace seedbed::testing {

namespace {

// Sends every message back, with its descriptors, until the peer closes the connection.
int echo() {
    auto socket = JsonSocket::adopt(Descriptor(3)).value();
    while (true) {
        auto message = socket.receive({}, deadlineIn(kTooLongMs));
        if (!message) return socket.closedByPeer() ? 0 : 1;
        if (!*message) return 2;
        std::vector<int> numbers;
        for (const auto& descriptor : (*message)->descriptors) numbers.push_back(descriptor.get());
        if (!socket.send((*message)->json, numbers)) return 3;
    }
}

// Tries everything that could harm the other side of a segment; exit code 0 if all attempts were rejected and
// a byte could be written.
int attackSegment() {
    auto attached = SharedSegment::attach(Descriptor(3), kTestKind, 0, SharedSegment::Access::read_write);
    if (!attached) return 1;
    if (::ftruncate(3, 0) == 0 || errno != EPERM) return 2;
    if (::ftruncate(3, 1 << 30) == 0 || errno != EPERM) return 3;
    attached->bytes()[0] = std::byte{42};
    return 0;
}

// Allocates more than RLIMIT_FSIZE allows, as on a machine whose shared memory is full; exit code 0 if that
// causes an error, not a signal.
int exceedLimit() {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1 << 20, 1 << 20};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto segment = SharedSegment::create("big", kTestKind, 8 << 20);
    return !segment && segment.error().code == ErrorCode::out_of_memory ? 0 : 1;
}

// Answers each wake-up of the first word on the second, `kRounds` times.
int pingPong() {
    auto segment =
        SharedSegment::attach(Descriptor(3), kTestKind, 0, SharedSegment::Access::read_write).value();
    auto* words = reinterpret_cast<WakeWord*>(segment.bytes().data());
    for (std::uint32_t round = 0; round < kRounds; ++round) {
        while (words[0].sequence() == round)
            if (words[0].wait(round, {}, deadlineIn(kTooLongMs)) == WaitResult::timed_out) return 1;
        words[1].notify();
    }
    return 0;
}

// Copies stdin to stdout, writes one line to stderr, and exits with code 7.
int streams() {
    std::string text((std::istreambuf_iterator<char>(std::cin)), {});
    std::cout << text << std::flush;
    std::fputs("to stderr\n", stderr);
    return 7;
}

// Prints the arguments, environment and descriptors of this process.
int inventory() {
    std::vector<int> open;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        const int number = std::stoi(entry.path().filename().string());
        std::error_code gone;
        // The listing itself opens a descriptor.
        if (std::filesystem::read_symlink(entry.path(), gone).string().find("/proc/") == std::string::npos)
            open.push_back(number);
    }
    sigset_t blocked;
    ::sigprocmask(SIG_SETMASK, nullptr, &blocked);
    struct sigaction pipe_action {};
    ::sigaction(SIGPIPE, nullptr, &pipe_action);
    const char* variable = std::getenv("SEEDBED_TEST_VARIABLE");
    const Json json{{"descriptors_above_2",
                     std::count_if(open.begin(), open.end(), [](int number) { return number > 2; })},
                    {"variable", variable == nullptr ? "" : variable},
                    {"folder", std::filesystem::current_path().string()},
                    {"usr1_blocked", sigismember(&blocked, SIGUSR1) == 1},
                    {"pipe_ignored", pipe_action.sa_handler == SIG_IGN},
                    {"own_group", ::getpgrp() == ::getpid()}};
    std::cout << json.dump() << std::flush;
    return 0;
}

int sleepForever() {
    while (true) ::pause();
}

// Crashes and leaves a detached process behind, whose id it writes.
int crash() {
    return runSupervised([] {
        const rlimit no_core{0, 0};
        ::setrlimit(RLIMIT_CORE, &no_core);
        const pid_t id = ::fork();
        if (id == 0) {
            ::setsid();
            ::close(1);
            return sleepForever();
        }
        std::cout << id << std::flush;
        std::abort();
    });
}

}  // namespace

int runRole(const std::string& role) {
    static const std::map<std::string, int (*)()> roles{{"echo", echo},
                                                        {"attack-segment", attackSegment},
                                                        {"exceed-limit", exceedLimit},
                                                        {"ping-pong", pingPong},
                                                        {"streams", streams},
                                                        {"inventory", inventory},
                                                        {"crash", crash},
                                                        {"sleep", sleepForever}};
    const auto found = roles.find(role);
    return found == roles.end() ? 99 : found->second();
}

ChildOptions childWith(const std::string& role, std::vector<int> descriptors) {
    ChildOptions options;
    options.arguments = {std::filesystem::read_symlink("/proc/self/exe").string(), "--child=" + role};
    options.descriptors = std::move(descriptors);
    return options;
}

}  // namespace seedbed::testing
