// SPDX-License-Identifier: Apache-2.0
// Turns signals into stop requests through a pipe, since a handler may only call async-signal-safe functions.
#include "app/interrupt.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "core/base/thread.hpp"

namespace seedbed::app {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};  // SIGHUP: the terminal was closed

int g_pipe_write = -1;  // of the only Interrupt; a handler can only access globals
volatile std::sig_atomic_t g_signals = 0;

void onSignal(int) {
    const int saved_errno = errno;
    g_signals = g_signals + 1;
    if (g_signals > 1) _exit(130);
    const char byte = 1;
    if (write(g_pipe_write, &byte, 1) < 0) _exit(130);
    errno = saved_errno;
}

}  // namespace

struct Interrupt::Impl {
    int read_end = -1;
    std::vector<std::pair<int, struct sigaction>> before;  // handled signals and their previous actions
    NamedThread thread;
};

Interrupt::Interrupt(std::string message) : message_(std::move(message)), impl_(std::make_unique<Impl>()) {
    int ends[2];
    SEEDBED_CHECK(pipe2(ends, O_CLOEXEC) == 0, "cannot create a pipe for signals");
    impl_->read_end = ends[0];
    g_pipe_write = ends[1];
    g_signals = 0;
    impl_->thread = NamedThread("signals",
                                [this](std::stop_token) -> Result<> {
                                    char byte = 0;
                                    ssize_t got = 0;
                                    do got = read(impl_->read_end, &byte, 1);
                                    while (got < 0 && errno == EINTR);
                                    if (got != 1) return {};
                                    // The terminal has just echoed ^C, often behind a progress line.
                                    if (!message_.empty())
                                        std::fprintf(stderr, isatty(STDERR_FILENO) != 0 ? "\n%s\n" : "%s\n",
                                                     message_.c_str());
                                    source_.request_stop();
                                    return {};
                                },
                                {});
    struct sigaction action {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    for (const int number : kSignals) {
        struct sigaction before {};
        sigaction(number, nullptr, &before);
        // Ignored by the parent: nohup, or a shell for its background jobs.
        if (before.sa_handler == SIG_IGN) continue;
        sigaction(number, &action, nullptr);
        impl_->before.emplace_back(number, before);
    }
}

Interrupt::~Interrupt() {
    for (const auto& [number, before] : impl_->before) sigaction(number, &before, nullptr);
    close(g_pipe_write);  // ends the thread's read
    impl_->thread.join();
    close(impl_->read_end);
    g_pipe_write = -1;
}

}  // namespace seedbed::app
