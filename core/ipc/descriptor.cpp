// SPDX-License-Identifier: Apache-2.0
// Descriptors and poll().
#include "core/ipc/descriptor.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/base/os/files.hpp"

namespace seedbed {

tl::unexpected<Error> systemFailure(const std::string& what) {
    return tl::unexpected<Error>(systemError(errno, what));
}

void Descriptor::reset() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
}

Result<Descriptor> Descriptor::duplicate() const {
    Descriptor copy(::fcntl(number_, F_DUPFD_CLOEXEC, 3));
    if (!copy) return tl::unexpected<Error>(systemError(errno, "duplicating a descriptor"));
    return copy;
}

namespace {

std::int64_t now() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

}  // namespace

Deadline deadlineIn(std::int64_t milliseconds) { return now() + milliseconds * 1'000'000; }

Result<WaitResult> waitFor(int descriptor, short events, const std::stop_token& stop, Deadline deadline) {
    // A stop request makes the event readable, so one poll() waits for both.
    Descriptor stop_event;
    if (stop.stop_possible()) {
        stop_event = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
        if (!stop_event) return tl::unexpected<Error>(systemError(errno, "creating an event"));
    }
    const std::stop_callback on_stop(stop, [number = stop_event.get()] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = ::write(number, &one, sizeof one);
    });

    pollfd entries[2] = {{descriptor, events, 0}, {stop_event.get(), POLLIN, 0}};  // poll() ignores the
                                                                                   // descriptor -1
    while (true) {
        std::timespec left{};
        if (deadline != kNoDeadline) {
            const std::int64_t ns = std::max<std::int64_t>(deadline - now(), 0);
            left = {ns / 1'000'000'000, ns % 1'000'000'000};
        }
        const int count = ::ppoll(entries, 2, deadline == kNoDeadline ? nullptr : &left, nullptr);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return tl::unexpected<Error>(systemError(errno, "waiting for a descriptor"));
        if (stop.stop_requested()) return WaitResult::stopped;
        if (entries[0].revents != 0) {
            if ((entries[0].revents & POLLNVAL) != 0) return fail("waiting for a closed descriptor");
            return WaitResult::ready;
        }
        if (count == 0) return WaitResult::timed_out;
    }
}

}  // namespace seedbed
