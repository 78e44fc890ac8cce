// SPDX-License-Identifier: Apache-2.0
// Protocol: the program first writes one line, "ok VERSION" or "error REASON". For each request (i32 rows,
// then the floats of all inputs, one input after another) it writes i32 0 and the floats of all outputs, or
// i32 n > 0 and an error message of n bytes.
#include "core/export/executors/float_pipe.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "core/base/os/files.hpp"

namespace seedbed {

namespace {

constexpr std::int64_t kTimeoutMs = 60'000;  // limit per exchange; the first one with onnxruntime is slow
constexpr std::size_t kMaxLine = 4096;

// Turns writing to an exited program into an error instead of a signal.
class WithoutPipeSignal {
public:
    WithoutPipeSignal() {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        sigset_t pending;
        sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~WithoutPipeSignal() {
        const timespec now{};
        if (!was_pending_)
            while (sigtimedwait(&pipe_, nullptr, &now) > 0) {
            }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    WithoutPipeSignal(const WithoutPipeSignal&) = delete;
    WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

private:
    sigset_t pipe_{}, before_{};
    bool was_pending_ = false;
};

}  // namespace

Result<FloatPipe> FloatPipe::start(const std::vector<std::string>& arguments,
                                   const std::string& working_folder, const std::stop_token& stop) {
    ChildOptions options;
    options.arguments = arguments;
    options.input = options.output = ChildOptions::Stream::pipe;
    options.error = ChildOptions::Stream::null;
    options.working_folder = working_folder;
    options.environment = {{"PYTHONDONTWRITEBYTECODE", "1"}};
    SEEDBED_ASSIGN(ChildProcess child, ChildProcess::start(options));
    // Non-blocking, because the program may stop reading.
    if (::fcntl(child.input().get(), F_SETFL, O_NONBLOCK) != 0)
        return tl::unexpected<Error>(
            systemError(errno, "preparing the pipe to the program that runs the policy"));
    FloatPipe pipe(std::move(child), stop);
    std::string line;
    for (char letter = 0; line.size() < kMaxLine;) {
        SEEDBED_TRY(pipe.readAll(&letter, 1));
        if (letter == '\n') break;
        line += letter;
    }
    if (!line.starts_with("ok "))
        return fail(line.starts_with("error ") ? line.substr(6)
                                               : "'" + arguments[0] + "' answered '" + line + "'");
    pipe.version_ = line.substr(3);
    return pipe;
}

Result<> FloatPipe::exchange(int rows, const std::vector<const std::vector<float>*>& inputs,
                             const std::vector<std::vector<float>*>& outputs) {
    const auto count = static_cast<std::int32_t>(rows);
    SEEDBED_TRY(writeAllBytes(&count, sizeof count));
    for (const auto* input : inputs) SEEDBED_TRY(writeAllBytes(input->data(), input->size() * sizeof(float)));
    std::int32_t status = 0;
    SEEDBED_TRY(readAll(&status, sizeof status));
    if (status != 0) {
        std::string text(static_cast<std::size_t>(std::min(std::max(status, 0), 100'000)), '\0');
        SEEDBED_TRY(readAll(text.data(), text.size()));
        return fail(text);
    }
    for (auto* output : outputs) SEEDBED_TRY(readAll(output->data(), output->size() * sizeof(float)));
    return {};
}

Result<> FloatPipe::await(int descriptor, short event, Deadline deadline) {
    SEEDBED_ASSIGN(const WaitResult ready, waitFor(descriptor, event, stop_, deadline));
    if (ready == WaitResult::stopped)
        return fail(ErrorCode::interrupted, "stopped while the exported policy was running");
    if (ready == WaitResult::timed_out)
        return fail("the program that runs the policy did not respond within a minute");
    return {};
}

Result<> FloatPipe::readAll(void* to, std::size_t bytes) {
    auto* at = static_cast<char*>(to);
    const Deadline deadline = deadlineIn(kTimeoutMs);
    while (bytes > 0) {
        SEEDBED_TRY(await(child_.output().get(), POLLIN, deadline));
        const ssize_t count = ::read(child_.output().get(), at, bytes);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return tl::unexpected<Error>(systemError(errno, "reading the policy's outputs"));
        if (count == 0) {
            SEEDBED_ASSIGN(const auto status, child_.wait({}, deadlineIn(5000)));
            return fail("the program that runs the policy " +
                        (status ? status->text() : std::string("closed its output")));
        }
        at += count;
        bytes -= static_cast<std::size_t>(count);
    }
    return {};
}

Result<> FloatPipe::writeAllBytes(const void* from, std::size_t bytes) {
    const WithoutPipeSignal guard;
    const auto* at = static_cast<const char*>(from);
    const Deadline deadline = deadlineIn(kTimeoutMs);
    while (bytes > 0) {
        SEEDBED_TRY(await(child_.input().get(), POLLOUT, deadline));
        const ssize_t count = ::write(child_.input().get(), at, bytes);
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (count < 0 && errno == EPIPE) {
            SEEDBED_ASSIGN(const auto status, child_.wait({}, deadlineIn(5000)));
            return fail("the program that runs the policy " +
                        (status ? status->text() : std::string("closed its input")));
        }
        if (count < 0) return tl::unexpected<Error>(systemError(errno, "sending the policy's inputs"));
        at += count;
        bytes -= static_cast<std::size_t>(count);
    }
    return {};
}

}  // namespace seedbed
