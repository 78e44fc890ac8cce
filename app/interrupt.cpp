// SPDX-License-Identifier: Apache-2.0
// Signals to stop requests through a pipe: a handler may do little more than write a byte.
#include "app/interrupt.hpp"

#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

#include "core/base/thread.hpp"

namespace seedbed::app {
namespace {

int g_pipe_write = -1;  // of the one Interrupt that exists; handlers can reach nothing else
volatile std::sig_atomic_t g_signals = 0;

void onSignal(int) {
    g_signals = g_signals + 1;
    if (g_signals > 1) _exit(130);
    const char byte = 1;
    if (write(g_pipe_write, &byte, 1) < 0) _exit(130);
}

}  // namespace

struct Interrupt::Impl {
    int read_end = -1;
    NamedThread thread;
};

Interrupt::Interrupt() : impl_(std::make_unique<Impl>()) {
    int ends[2];
    SEEDBED_CHECK(pipe2(ends, O_CLOEXEC) == 0, "no pipe for signals");
    impl_->read_end = ends[0];
    g_pipe_write = ends[1];
    g_signals = 0;
    impl_->thread = NamedThread("signals",
                                [this](std::stop_token) -> Result<> {
                                    char byte = 0;
                                    if (read(impl_->read_end, &byte, 1) == 1 && byte == 1) source_.request_stop();
                                    return {};
                                },
                                {});
    struct sigaction action {};
    action.sa_handler = onSignal;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

Interrupt::~Interrupt() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    close(g_pipe_write);  // ends the thread's read
    impl_->thread.join();
    close(impl_->read_end);
    g_pipe_write = -1;
}

}  // namespace seedbed::app
