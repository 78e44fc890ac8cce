// SPDX-License-Identifier: Apache-2.0
// posix_spawn with exactly the intended descriptors, signals and variables.
#include "core/ipc/child_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/os/files.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not all C libraries declare it

namespace seedbed {

namespace {

tl::unexpected<Error> failed(int number, const std::string& what) {
    return tl::unexpected<Error>(systemError(number, what));
}

// Owners of posix_spawn's option objects.
struct FileActions {
    posix_spawn_file_actions_t value{};
    FileActions() { posix_spawn_file_actions_init(&value); }
    ~FileActions() { posix_spawn_file_actions_destroy(&value); }
    FileActions(const FileActions&) = delete;
    FileActions& operator=(const FileActions&) = delete;
};
struct Attributes {
    posix_spawnattr_t value{};
    Attributes() { posix_spawnattr_init(&value); }
    ~Attributes() { posix_spawnattr_destroy(&value); }
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;
};

// Sources are first duplicated above all targets, so that no dup2 overwrites one that is still needed.
constexpr int kAboveTargets = 128;
constexpr std::size_t kMaxPassedDescriptors = 64;

Result<Descriptor> lifted(int descriptor) {
    Descriptor copy(::fcntl(descriptor, F_DUPFD_CLOEXEC, kAboveTargets));
    if (!copy) return failed(errno, "duplicating a descriptor");
    return copy;
}

// Connects a stream of the child and returns this process's end of a pipe.
Result<Descriptor> connectStream(ChildOptions::Stream stream, int number, FileActions& actions,
                                 std::vector<Descriptor>& sources) {
    if (stream == ChildOptions::Stream::null)
        posix_spawn_file_actions_addopen(&actions.value, number, "/dev/null",
                                         number == 0 ? O_RDONLY : O_WRONLY, 0);
    if (stream != ChildOptions::Stream::pipe) return Descriptor();
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) return failed(errno, "creating a pipe");
    Descriptor reading(ends[0]), writing(ends[1]);
    Descriptor& theirs = number == 0 ? reading : writing;
    Descriptor& ours = number == 0 ? writing : reading;
    SEEDBED_ASSIGN(Descriptor source, lifted(theirs.get()));
    posix_spawn_file_actions_adddup2(&actions.value, source.get(), number);
    sources.push_back(std::move(source));
    return std::move(ours);
}

std::vector<std::string> environmentOf(const ChildOptions& options) {
    std::map<std::string, std::string> values;
    for (char** entry = environ; options.inherit_environment && *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::size_t equals = text.find('=');
        if (equals != std::string::npos) values[text.substr(0, equals)] = text.substr(equals + 1);
    }
    for (const auto& [name, value] : options.environment) values[name] = value;
    std::vector<std::string> result;
    for (const auto& [name, value] : values) result.push_back(name + "=" + value);
    return result;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

// The child starts with default signal handling, whatever signals this process blocks or ignores.
void setSignals(Attributes& attributes, bool own_group, bool own_session) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    posix_spawnattr_setsigmask(&attributes.value, &none);
    posix_spawnattr_setsigdefault(&attributes.value, &all);
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (own_session) flags |= POSIX_SPAWN_SETSID;
    else if (own_group) flags |= POSIX_SPAWN_SETPGROUP;
    posix_spawnattr_setpgroup(&attributes.value, 0);
    posix_spawnattr_setflags(&attributes.value, flags);
}

}  // namespace

bool ExitStatus::statesCause() const { return signal == 0 || signal == SIGABRT; }

std::string ExitStatus::text() const {
    if (signal == 0) return "exited with code " + std::to_string(code);
    const char* name = sigdescr_np(signal);
    return "was killed by signal " + std::to_string(signal) +
           (name == nullptr ? "" : std::string(" (") + name + ")");
}

Result<ChildProcess> ChildProcess::start(const ChildOptions& options) {
    SEEDBED_CHECK(!options.arguments.empty() && options.descriptors.size() <= kMaxPassedDescriptors);
    FileActions actions;
    std::vector<Descriptor> sources;  // open until the child has its copies
    ChildProcess child;
    SEEDBED_ASSIGN(child.input_, connectStream(options.input, 0, actions, sources));
    SEEDBED_ASSIGN(child.output_, connectStream(options.output, 1, actions, sources));
    SEEDBED_ASSIGN(child.error_, connectStream(options.error, 2, actions, sources));
    if (options.log >= 0) {
        SEEDBED_ASSIGN(Descriptor source, lifted(options.log));
        if (options.output == ChildOptions::Stream::inherit)
            posix_spawn_file_actions_adddup2(&actions.value, source.get(), 1);
        if (options.error == ChildOptions::Stream::inherit)
            posix_spawn_file_actions_adddup2(&actions.value, source.get(), 2);
        sources.push_back(std::move(source));
    }
    int target = 3;
    for (const int descriptor : options.descriptors) {
        SEEDBED_ASSIGN(Descriptor source, lifted(descriptor));
        posix_spawn_file_actions_adddup2(&actions.value, source.get(), target++);
        sources.push_back(std::move(source));
    }
    // Also closes descriptors that libraries opened without close-on-exec.
    posix_spawn_file_actions_addclosefrom_np(&actions.value, target);
    if (!options.working_folder.empty())
        posix_spawn_file_actions_addchdir_np(&actions.value, options.working_folder.c_str());

    Attributes attributes;
    setSignals(attributes, options.own_group, options.own_session);
    std::vector<std::string> arguments = options.arguments, variables = environmentOf(options);
    const int error_number = posix_spawnp(&child.id_, arguments[0].c_str(), &actions.value, &attributes.value,
                                          pointersTo(arguments).data(), pointersTo(variables).data());
    if (error_number != 0) {
        child.id_ = 0;
        return failed(error_number, "starting '" + options.arguments[0] + "'");
    }
    child.own_group_ = options.own_group || options.own_session;
    // The child has not been reaped, so its process id cannot have been reused.
    child.handle_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, child.id_, 0)));
    if (!child.handle_) return failed(errno, "watching '" + options.arguments[0] + "'");
    return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
    if (this == &other) return *this;
    end();
    id_ = std::exchange(other.id_, 0);
    own_group_ = other.own_group_;
    handle_ = std::move(other.handle_);
    input_ = std::move(other.input_);
    output_ = std::move(other.output_);
    error_ = std::move(other.error_);
    status_ = std::exchange(other.status_, std::nullopt);
    return *this;
}

ChildProcess::~ChildProcess() { end(); }

void ChildProcess::end() {
    if (id_ == 0 || status_) return;
    ::kill(own_group_ ? -id_ : id_, SIGKILL);
    ::kill(id_, SIGKILL);
    while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
    }
    id_ = 0;
}

void ChildProcess::release() {
    id_ = 0;
    handle_.reset();
}

Result<std::optional<ExitStatus>> ChildProcess::wait(const std::stop_token& stop, Deadline deadline) {
    if (status_) return status_;
    SEEDBED_CHECK(id_ != 0, "wait() for a released process");
    SEEDBED_ASSIGN(const WaitResult waited, waitFor(handle_.get(), POLLIN, stop, deadline));
    if (waited != WaitResult::ready) return std::optional<ExitStatus>();
    siginfo_t info{};
    int result = 0;
    do {
        result = ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED);
    } while (result != 0 && errno == EINTR);
    if (result != 0) return failed(errno, "reading the exit status of process " + std::to_string(id_));
    status_ = info.si_code == CLD_EXITED ? ExitStatus{info.si_status, 0} : ExitStatus{0, info.si_status};
    return status_;
}

Result<> ChildProcess::signal(int number) {
    // After reaping, the process id may have been reused.
    if (id_ == 0 || status_) return {};
    if (::kill(own_group_ ? -id_ : id_, number) == 0 || errno == ESRCH) return {};
    return failed(errno, "sending signal " + std::to_string(number) + " to process " + std::to_string(id_));
}

}  // namespace seedbed
