// SPDX-License-Identifier: Apache-2.0
// Turns signals into stop requests through a pipe, since a handler may only call async-signal-safe functions.
#include "app/interrupt.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "core/base/mutex.hpp"
#include "core/base/thread.hpp"

namespace seedbed::app {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};  // SIGHUP: the terminal was closed

int g_pipe_write = -1;                    // pipe of the only Interrupt; global because a handler has no other
                                          // access to it
std::atomic<std::int64_t> g_first_ns{0};  // time of the first signal; lock-free, as handlers require
constexpr std::int64_t kSameSignalNs = 500'000'000;
// Shorter than the two seconds within which a command must stop: the process still has to free its memory.
constexpr std::chrono::milliseconds kTimeout{1700};

std::int64_t nowNs() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec) | 1;
}

void endNow() {
    constexpr char kText[] = "stopped immediately; unsaved data is lost\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText, sizeof kText - 1);
    _exit(130);
}

void onSignal(int) {
    const int saved_errno = errno;
    const std::int64_t now = nowNs();
    std::int64_t first = 0;
    if (!g_first_ns.compare_exchange_strong(first, now)) {
        if (now - first >= kSameSignalNs) endNow();
        errno = saved_errno;
        return;
    }
    const char byte = 1;
    if (write(g_pipe_write, &byte, 1) < 0) _exit(130);
    errno = saved_errno;
}

}  // namespace

struct Interrupt::Impl {
    int read_end = -1;
    std::vector<std::pair<int, struct sigaction>> before;  // handled signals and their previous actions
    Mutex mutex;
    ConditionVariable returned;
    bool has_returned SEEDBED_GUARDED_BY(mutex) = false;
    NamedThread thread;
};

Interrupt::Interrupt(std::string message, std::string saving_message)
    : message_(std::move(message)),
      saving_message_(std::move(saving_message)),
      impl_(std::make_unique<Impl>()) {
    int ends[2];
    SEEDBED_CHECK(pipe2(ends, O_CLOEXEC) == 0, "cannot create a pipe for signals");
    impl_->read_end = ends[0];
    g_pipe_write = ends[1];
    g_first_ns = 0;
    impl_->thread = NamedThread("signals",
                                [this](std::stop_token) -> Result<> {
                                    char byte = 0;
                                    ssize_t got = 0;
                                    do got = read(impl_->read_end, &byte, 1);
                                    while (got < 0 && errno == EINTR);
                                    if (got != 1) return {};
                                    printMessage();
                                    source_.request_stop();
                                    endIfStuck();
                                    return {};
                                },
                                {});
    struct sigaction action {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    for (const int number : kSignals) {
        struct sigaction before {};
        sigaction(number, nullptr, &before);
        // A signal that the parent ignored stays ignored; nohup does this, and shells do it for background
        // jobs.
        if (before.sa_handler == SIG_IGN) continue;
        sigaction(number, &action, nullptr);
        impl_->before.emplace_back(number, before);
    }
}

void Interrupt::printMessage() const {
    const std::string& message = has_time_.load(std::memory_order_relaxed) ? saving_message_ : message_;
    // Begins a new line, because the terminal has just echoed ^C, often after a progress line.
    if (!message.empty())
        std::fprintf(stderr, isatty(STDERR_FILENO) != 0 ? "\n%s\n" : "%s\n", message.c_str());
}

void Interrupt::endIfStuck() {
    MutexLock lock(impl_->mutex);
    const bool returned = impl_->returned.waitFor(
        lock, kTimeout, [this]() SEEDBED_REQUIRES(impl_->mutex) { return impl_->has_returned; });
    if (!returned && !has_time_.load(std::memory_order_relaxed)) _exit(130);
}

Interrupt::~Interrupt() {
    {
        const MutexLock lock(impl_->mutex);
        impl_->has_returned = true;
    }
    impl_->returned.notifyAll();
    for (const auto& [number, before] : impl_->before) sigaction(number, &before, nullptr);
    close(g_pipe_write);  // makes the thread's read return
    impl_->thread.join();
    close(impl_->read_end);
    g_pipe_write = -1;
}

}  // namespace seedbed::app
