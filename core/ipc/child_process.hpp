// SPDX-License-Identifier: Apache-2.0
// Programs started by us: posix_spawn (never fork), death noticed through a pidfd.
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

    std::vector<std::string> arguments;  // [0] is the program's path, searched in PATH when it has no slash
    std::vector<std::pair<std::string, std::string>> environment{};  // added to or replacing ours
    Stream input = Stream::null;
    Stream output = Stream::inherit;
    Stream error = Stream::inherit;
    std::vector<int>
        descriptors{};  // handed down as 3, 4, ... in this order; nothing else above 2 reaches the child
    bool own_group =
        true;  // Ctrl+C in our terminal does not reach it; signal() then reaches its children too
    bool own_session = false;      // outlives our terminal; implies own_group
    int log = -1;                  // a descriptor for the inherited ones of output and error
    std::string working_folder{};  // "" is ours
};

struct ExitStatus {
    int code = 0;    // when signal is 0
    int signal = 0;  // the signal that ended it

    bool ok() const { return code == 0 && signal == 0; }
    // "exited with code 3", "was ended by signal 9 (Killed)".
    std::string text() const;
};

// A child of this process. The destructor kills and reaps it when it still runs. Thread: one at a time, but
// deathDescriptor() may be polled by any.
class ChildProcess {
public:
    // error: failure, with the program's name; a program that cannot be started is an error here, not an exit
    // code.
    static Result<ChildProcess> start(const ChildOptions& options);
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    ~ChildProcess();

    pid_t id() const { return id_; }
    // Becomes readable when the process has ended.
    int deathDescriptor() const { return handle_.get(); }
    // Our ends of the pipes; empty for other streams.
    Descriptor& input() { return input_; }
    Descriptor& output() { return output_; }
    Descriptor& error() { return error_; }

    // The status once it has ended (and on every later call); nullopt after a stop request or at the
    // deadline.
    Result<std::optional<ExitStatus>> wait(const std::stop_token& stop = {}, Deadline deadline = kNoDeadline);
    // To the process, with own_group to its whole group. A process that has ended is no error.
    Result<> signal(int number);
    // Leaves it running; it is no longer ours to end.
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
