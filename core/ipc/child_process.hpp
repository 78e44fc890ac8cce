// SPDX-License-Identifier: Apache-2.0
// Child processes: started by posix_spawn (never fork), observed through a pidfd.
#pragma once

#include <csignal>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "core/base/error.hpp"
#include "core/ipc/descriptor.hpp"

namespace seedbed {

struct ChildOptions {
    enum class Stream { inherit, null, pipe };

    // [0] is the program: a path, or a name to search in PATH.
    std::vector<std::string> arguments;
    // Variables of the child. With inherit_environment, they extend or override the variables of this
    // process; otherwise the child has only these.
    std::vector<std::pair<std::string, std::string>> environment{};
    bool inherit_environment = true;
    Stream input = Stream::null;
    Stream output = Stream::inherit;
    Stream error = Stream::inherit;
    // Passed to the child as 3, 4, ... in this order; it inherits no other descriptor above 2.
    std::vector<int> descriptors{};
    // A separate process group: Ctrl+C in this terminal does not reach it, and signal() also reaches its
    // children.
    bool own_group = true;
    // A separate session, so that the child survives the closing of this terminal; implies own_group.
    bool own_session = false;
    // A descriptor to which the child's output and errors are written, instead of `output` and `error`; -1:
    // none.
    int log = -1;
    // "": the working directory of this process.
    std::string working_folder{};
};

struct ExitStatus {
    int code = 0;    // exit code, if signal is 0
    int signal = 0;  // the signal that terminated it, or 0

    bool ok() const { return code == 0 && signal == 0; }
    // Whether the last line of the output is expected to state the cause of its exit: true if it exited or
    // called abort(), false if it was killed by another signal.
    bool statesCause() const;
    // "exited with code 3" or "was killed by signal 9 (Killed)".
    std::string text() const;
};

// A child of this process. The destructor kills and reaps it if it is still running. Thread: one at a time;
// any thread may poll deathDescriptor().
class ChildProcess {
public:
    // Starts a program. error: failure, with the program's name, for example if the program does not exist.
    static Result<ChildProcess> start(const ChildOptions& options);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    ~ChildProcess();

    pid_t id() const { return id_; }
    // Becomes readable when the process exits.
    int deathDescriptor() const { return handle_.get(); }
    // This process's ends of the pipes; empty for streams that are not pipes.
    Descriptor& input() { return input_; }
    Descriptor& output() { return output_; }
    Descriptor& error() { return error_; }

    // Waits until the process exits and returns its status, also on later calls. nullopt after a stop request
    // or at the deadline.
    Result<std::optional<ExitStatus>> wait(const std::stop_token& stop = {}, Deadline deadline = kNoDeadline);
    // Sends a signal to the process, or with own_group to its whole group. Succeeds if the process has
    // already exited.
    Result<> signal(int number);
    // Gives up ownership: the process keeps running and is not reaped.
    void release();

private:
    ChildProcess() = default;
    void end();

    pid_t id_ = 0;
    bool own_group_ = false;
    Descriptor handle_, input_, output_, error_;
    std::optional<ExitStatus> status_;
};

}  // namespace seedbed
