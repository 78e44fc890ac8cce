// SPDX-License-Identifier: Apache-2.0
#include "core/worker/run_program.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace seedbed {

namespace {

constexpr std::size_t kKeptBytes = std::size_t{64} << 10;
constexpr std::int64_t kTickMs = 200;

class OutputLines {
public:
    explicit OutputLines(const std::function<void(const std::string&)>& on_line) : on_line_(on_line) {}

    void add(const std::string& text) {
        kept_ += text;
        if (kept_.size() > 2 * kKeptBytes) kept_.erase(0, kept_.size() - kKeptBytes);
        for (const char c : text) {
            if (c == '\n') finishLine();
            else if (line_.size() < kKeptBytes) line_ += c;
        }
    }
    void tick() {
        if (on_line_) on_line_("");
    }
    std::string finish() {
        finishLine();
        if (kept_.size() > kKeptBytes) kept_.erase(0, kept_.size() - kKeptBytes);
        return std::move(kept_);
    }

private:
    void finishLine() {
        if (on_line_ && !line_.empty()) on_line_(line_);
        line_.clear();
    }

    const std::function<void(const std::string&)>& on_line_;
    std::string kept_, line_;
};

tl::unexpected<Error> stoppedError() { return fail(ErrorCode::interrupted, "stopped"); }

// Reads until all writers have closed the pipe.
Result<> readOutput(int descriptor, OutputLines& output, const std::stop_token& stop, Deadline deadline) {
    std::array<char, 4096> buffer{};
    while (true) {
        SEEDBED_ASSIGN(const WaitResult waited,
                       waitFor(descriptor, POLLIN, stop, std::min(deadline, deadlineIn(kTickMs))));
        if (waited == WaitResult::stopped) return stoppedError();
        if (waited == WaitResult::timed_out) {
            if (deadlineIn(0) >= deadline) return fail("it did not finish in time");
            output.tick();
            continue;
        }
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count == 0) return {};
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return systemFailure("reading the output of a program");
        output.add(std::string(buffer.data(), static_cast<std::size_t>(count)));
    }
}

}  // namespace

Result<ProgramEnd> runProgram(const ProgramRun& run, const std::stop_token& stop) {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) return systemFailure("creating a pipe");
    Descriptor reading(ends[0]), writing(ends[1]);
    ChildOptions options;
    options.arguments = run.arguments;
    options.environment = run.environment;
    options.input = ChildOptions::Stream::pipe;
    options.log = writing.get();
    SEEDBED_ASSIGN(ChildProcess child, ChildProcess::start(options));
    writing.reset();

    OutputLines output(run.on_line);
    const Deadline deadline = deadlineIn(run.timeout_ms);
    const auto read = readOutput(reading.get(), output, stop, deadline);
    if (!read) {
        SEEDBED_TRY(child.signal(SIGKILL));
        SEEDBED_TRY(child.wait());
        Error error = read.error();
        if (error.code != ErrorCode::interrupted) error.message = run.arguments[0] + ": " + error.message;
        return tl::unexpected<Error>(std::move(error));
    }
    SEEDBED_ASSIGN(const auto status, child.wait(stop, deadline));
    if (!status && stop.stop_requested()) return stoppedError();  // the destructor kills the process
    if (!status) return fail(run.arguments[0] + ": it did not finish in time");
    return ProgramEnd{*status, output.finish()};
}

}  // namespace seedbed
