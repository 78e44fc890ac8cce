// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/end_signals.hpp"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

#include "core/base/error.hpp"

namespace seedbed {
namespace {

constexpr int kSignals[] = {SIGTERM, SIGINT, SIGHUP};

int g_write_end = -1;  // pipe of the only EndSignals; global because a handler has no other access to it

// SA_RESETHAND restores the default action for the next signal.
void onSignal(int) {
    const int saved_errno = errno;
    const char byte = 1;
    if (write(g_write_end, &byte, 1) < 0) _exit(130);
    errno = saved_errno;
}

int makePipe() {
    int ends[2];
    SEEDBED_CHECK(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0, "cannot create a pipe for signals");
    g_write_end = ends[1];
    return ends[0];
}

}  // namespace

EndSignals::EndSignals(std::function<void()> on_signal)
    : read_end_(makePipe()), notifier_(read_end_, QSocketNotifier::Read) {
    QObject::connect(&notifier_, &QSocketNotifier::activated, &notifier_,
                     [this, on_signal = std::move(on_signal)] {
                         char bytes[16];
                         while (read(read_end_, bytes, sizeof bytes) > 0) {
                         }
                         on_signal();
                     });
    struct sigaction action {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    for (const int number : kSignals) {
        struct sigaction before {};
        sigaction(number, nullptr, &before);
        if (before.sa_handler != SIG_IGN)
            sigaction(number, &action, nullptr);  // a signal that nohup ignores
                                                  // stays ignored
    }
}

EndSignals::~EndSignals() {
    for (const int number : kSignals) {
        struct sigaction now {};
        sigaction(number, nullptr, &now);
        if (now.sa_handler == onSignal) std::signal(number, SIG_DFL);
    }
    close(g_write_end);
    close(read_end_);
    g_write_end = -1;
}

}  // namespace seedbed
