// SPDX-License-Identifier: Apache-2.0
// The filter allows harmless calls. For others the kernel sends SIGSYS, and its handler makes the call if it
// only changes a file below the folder; the filter recognises the handler by the sixth argument.
#include "tests/unit/import/confined.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

namespace seedbed::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr const char* kProblem = "sanitizers make additional system calls";
constexpr std::uint32_t kArchitecture = 0;
#elif defined(__x86_64__)
constexpr const char* kProblem = "";
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr const char* kProblem = "the filter is written for x86-64";
constexpr std::uint32_t kArchitecture = 0;
#endif

constexpr std::size_t kMaxPath = 4096;
constexpr std::uint64_t kFromHandler = 0x5eedbed5'eedbed01;

// Written by the child, read by the parent.
struct Shared {
    std::array<char, 4096> report{};
    std::array<std::array<char, 256>, 16> forbidden{};
    std::size_t count = 0;  // number of forbidden calls; only the first ones are kept
    bool returned = false;
};
Shared* shared = nullptr;
std::array<char, kMaxPath> writable{};  // the folder, with links resolved

struct NamedCall {
    long number;
    const char* name;
};
#define SEEDBED_CALL(name) \
    NamedCall { SYS_##name, #name }

// Calls that have no effect outside the process, or that only read files.
constexpr NamedCall kHarmless[] = {
    SEEDBED_CALL(read),
    SEEDBED_CALL(pread64),
    SEEDBED_CALL(readv),
    SEEDBED_CALL(write),
    SEEDBED_CALL(writev),
    SEEDBED_CALL(pwrite64),
    SEEDBED_CALL(lseek),
    SEEDBED_CALL(close),
    SEEDBED_CALL(newfstatat),
    SEEDBED_CALL(fstat),
    SEEDBED_CALL(statx),
    SEEDBED_CALL(getdents64),
    SEEDBED_CALL(readlinkat),
    SEEDBED_CALL(fsync),
    SEEDBED_CALL(fdatasync),
    SEEDBED_CALL(ftruncate),
    SEEDBED_CALL(fallocate),
    SEEDBED_CALL(fadvise64),
    SEEDBED_CALL(fcntl),
    SEEDBED_CALL(flock),
    SEEDBED_CALL(statfs),
    SEEDBED_CALL(fstatfs),
    SEEDBED_CALL(faccessat),
    SEEDBED_CALL(getcwd),
    SEEDBED_CALL(munmap),
    SEEDBED_CALL(mremap),
    SEEDBED_CALL(madvise),
    SEEDBED_CALL(brk),
    SEEDBED_CALL(futex),
    SEEDBED_CALL(getrandom),
    SEEDBED_CALL(getpid),
    SEEDBED_CALL(gettid),
    SEEDBED_CALL(geteuid),
    SEEDBED_CALL(getuid),
    SEEDBED_CALL(sysinfo),
    SEEDBED_CALL(sched_yield),
    SEEDBED_CALL(rt_sigaction),
    SEEDBED_CALL(rt_sigprocmask),
    SEEDBED_CALL(rt_sigreturn),
    SEEDBED_CALL(clock_gettime),
    SEEDBED_CALL(prlimit64),
    SEEDBED_CALL(exit_group),
    SEEDBED_CALL(sched_getaffinity),
#ifdef SYS_stat
    SEEDBED_CALL(stat),
    SEEDBED_CALL(lstat),
    SEEDBED_CALL(access),
    SEEDBED_CALL(readlink),
#endif
};
// Calls that the handler makes if their paths are below the folder.
constexpr NamedCall kChecked[] = {
    SEEDBED_CALL(openat), SEEDBED_CALL(renameat), SEEDBED_CALL(unlinkat), SEEDBED_CALL(mkdirat),
#ifdef SYS_open
    SEEDBED_CALL(open),   SEEDBED_CALL(rename),   SEEDBED_CALL(unlink),   SEEDBED_CALL(mkdir),
    SEEDBED_CALL(rmdir),  SEEDBED_CALL(chmod),
#endif
};
constexpr NamedCall kNamed[] = {
    SEEDBED_CALL(execve), SEEDBED_CALL(execveat),  SEEDBED_CALL(clone),        SEEDBED_CALL(clone3),
    SEEDBED_CALL(socket), SEEDBED_CALL(connect),   SEEDBED_CALL(bind),         SEEDBED_CALL(mmap),
    SEEDBED_CALL(kill),   SEEDBED_CALL(ptrace),    SEEDBED_CALL(mprotect),     SEEDBED_CALL(linkat),
    SEEDBED_CALL(tgkill), SEEDBED_CALL(symlinkat), SEEDBED_CALL(memfd_create), SEEDBED_CALL(truncate),
#ifdef SYS_open
    SEEDBED_CALL(fork),   SEEDBED_CALL(vfork),     SEEDBED_CALL(link),         SEEDBED_CALL(symlink),
    SEEDBED_CALL(creat),
#endif
};

const char* nameOf(long number) {
    for (const auto& [known, name] : kChecked)
        if (known == number) return name;
    for (const auto& [known, name] : kNamed)
        if (known == number) return name;
    return "another call";
}

// --- the handler; it must not allocate

void record(const char* name, const char* detail) {
    if (shared->count < shared->forbidden.size()) {
        char* const to = shared->forbidden[shared->count].data();
        const std::size_t room = shared->forbidden.front().size() - 1;
        std::strncpy(to, name, room);
        if (*detail != '\0') {
            std::strncat(to, " ", room - std::strlen(to));
            std::strncat(to, detail, room - std::strlen(to));
        }
    }
    ++shared->count;
}

// Whether the path refers to an entry in the folder or below it, following links in its parents.
bool isBelowFolder(long at, const char* path) {
    if (static_cast<int>(at) != AT_FDCWD) return false;  // the register has 64 bits
    std::array<char, kMaxPath> parent{};
    const std::size_t length = std::strlen(path);
    if (length == 0 || length >= parent.size()) return false;
    std::memcpy(parent.data(), path, length);
    char* const slash = std::strrchr(parent.data(), '/');
    if (slash == nullptr || std::strcmp(slash, "/.") == 0 || std::strcmp(slash, "/..") == 0) return false;
    *(slash == parent.data() ? slash + 1 : slash) = '\0';
    const long opened = ::syscall(SYS_openat, AT_FDCWD, parent.data(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return false;
    char link[40] = "/proc/self/fd/";
    char* digit = link + std::strlen(link);
    for (long unit = 1000; unit > 0; unit /= 10) *digit++ = static_cast<char>('0' + opened / unit % 10);
    // Removes leading zeros, which the kernel does not accept.
    char* first = link + 14;
    while (*first == '0' && first[1] != '\0') std::memmove(first, first + 1, std::strlen(first));
    std::array<char, kMaxPath> real{};
    const long count = ::syscall(SYS_readlinkat, AT_FDCWD, link, real.data(), real.size() - 1);
    ::syscall(SYS_close, opened);
    const std::size_t prefix = std::strlen(writable.data());
    return count > 0 && std::strncmp(real.data(), writable.data(), prefix) == 0 &&
           (real[prefix] == '\0' || real[prefix] == '/');
}

long result(long returned) { return returned < 0 ? -errno : returned; }

// Makes the call with the handler's mark, if its paths are allowed.
long makeIfAllowed(long number, const std::array<long, 5>& arguments) {
    const auto path = [&](std::size_t i) { return reinterpret_cast<const char*>(arguments[i]); };
    const auto allowed = [&](long at, const char* text) {
        if (isBelowFolder(at, text)) return true;
        record(nameOf(number), text);
        return false;
    };
    const auto open = [&](long at, const char* text, long flags, long mode) -> long {
        if (!allowed(at, text)) return -EPERM;
        if ((flags & O_NOFOLLOW) == 0) {
            record("opening for writing through links", text);
            return -EPERM;
        }
        return result(::syscall(SYS_openat, at, text, flags, mode, 0, kFromHandler));
    };
    switch (number) {
        case SYS_openat: return open(arguments[0], path(1), arguments[2], arguments[3]);
        case SYS_mkdirat:
        case SYS_unlinkat:
            if (!allowed(arguments[0], path(1))) return -EPERM;
            return result(::syscall(number, arguments[0], path(1), arguments[2], 0, 0, kFromHandler));
        case SYS_renameat:
            if (!allowed(arguments[0], path(1)) || !allowed(arguments[2], path(3))) return -EPERM;
            return result(::syscall(number, arguments[0], path(1), arguments[2], path(3), 0, kFromHandler));
#ifdef SYS_open
        case SYS_open: return open(AT_FDCWD, path(0), arguments[1], arguments[2]);
        case SYS_rename:
            if (!allowed(AT_FDCWD, path(0)) || !allowed(AT_FDCWD, path(1))) return -EPERM;
            return result(::syscall(number, path(0), path(1), 0, 0, 0, kFromHandler));
        case SYS_mkdir:
        case SYS_unlink:
        case SYS_rmdir:
        case SYS_chmod:
            if (!allowed(AT_FDCWD, path(0))) return -EPERM;
            return result(::syscall(number, path(0), arguments[1], 0, 0, 0, kFromHandler));
#endif
        default: record(nameOf(number), ""); return -EPERM;
    }
}

void onCall([[maybe_unused]] int signal, [[maybe_unused]] siginfo_t* info, [[maybe_unused]] void* context) {
#if defined(__x86_64__)
    const int before = errno;
    auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const std::array<long, 5> arguments{
        static_cast<long>(registers[REG_RDI]), static_cast<long>(registers[REG_RSI]),
        static_cast<long>(registers[REG_RDX]), static_cast<long>(registers[REG_R10]),
        static_cast<long>(registers[REG_R8])};
    registers[REG_RAX] = makeIfAllowed(info->si_syscall, arguments);
    errno = before;
#endif
}

// --- the filter

class Filter {
public:
    void add(std::uint16_t code, std::uint32_t value, int if_true = 0, int if_false = 0) {
        program_.push_back(
            {code, static_cast<std::uint8_t>(if_true), static_cast<std::uint8_t>(if_false), value});
    }
    void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
    void loadArgument(std::size_t i, bool high = false) {
        load(offsetof(seccomp_data, args) + 8 * i + (high ? 4 : 0));
    }
    void loadNumber() { load(offsetof(seccomp_data, nr)); }
    void answer(std::uint32_t what) { add(BPF_RET | BPF_K, what); }
    // Skips `count` instructions unless the loaded word equals `value`.
    void unlessEqualSkip(std::uint32_t value, int count) { add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count); }
    // Allows calls of this number if none of `bits` is set in the argument.
    void allowWithout(long number, std::size_t argument, std::uint32_t bits) {
        unlessEqualSkip(static_cast<std::uint32_t>(number), 4);
        loadArgument(argument);
        add(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0);
        answer(SECCOMP_RET_ALLOW);
        loadNumber();
    }
    bool install() {
        const sock_fprog program{static_cast<unsigned short>(program_.size()), program_.data()};
        return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
               ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
    }

private:
    std::vector<sock_filter> program_;
};

Filter importFilter() {
    Filter filter;
    filter.load(offsetof(seccomp_data, arch));
    filter.unlessEqualSkip(kArchitecture, 1);
    filter.add(BPF_JMP | BPF_JA, 1);
    filter.answer(SECCOMP_RET_KILL_PROCESS);
    // Allows calls that the handler makes.
    filter.loadArgument(5);
    filter.unlessEqualSkip(static_cast<std::uint32_t>(kFromHandler), 3);
    filter.loadArgument(5, true);
    filter.unlessEqualSkip(static_cast<std::uint32_t>(kFromHandler >> 32), 1);
    filter.answer(SECCOMP_RET_ALLOW);
    filter.loadNumber();
    for (const NamedCall& call : kHarmless) {
        filter.unlessEqualSkip(static_cast<std::uint32_t>(call.number), 1);
        filter.answer(SECCOMP_RET_ALLOW);
    }
    constexpr std::uint32_t kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
    filter.allowWithout(SYS_mmap, 2, PROT_EXEC);
    filter.allowWithout(SYS_mprotect, 2, PROT_EXEC);
    filter.allowWithout(SYS_openat, 2, kWriting);
#ifdef SYS_open
    filter.allowWithout(SYS_open, 1, kWriting);
#endif
    filter.answer(SECCOMP_RET_TRAP);
    return filter;
}

// Runs in the child.
[[noreturn]] void confine(const std::filesystem::path& folder, const std::function<std::string()>& code) {
    struct sigaction action {};
    action.sa_sigaction = onCall;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    const std::string real = std::filesystem::canonical(folder).string();
    std::copy_n(real.c_str(), real.size() + 1, writable.begin());
    Filter filter = importFilter();
    if (::sigaction(SIGSYS, &action, nullptr) != 0 || !filter.install()) ::_exit(2);
    std::string report = code().substr(0, shared->report.size() - 1);
    std::replace(report.begin(), report.end(), '\0', '?');
    std::copy_n(report.c_str(), report.size() + 1, shared->report.begin());
    shared->returned = true;
    ::_exit(0);
}

}  // namespace

std::string confinementProblem() {
    if (*kProblem != '\0') return kProblem;
    const auto tried =
        runConfined(std::filesystem::temp_directory_path(), [] { return std::string("runs"); });
    return tried.report == "runs" ? "" : "this kernel does not filter system calls";
}

ConfinedRun runConfined(const std::filesystem::path& folder, const std::function<std::string()>& code) {
    void* memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return {};
    shared = new (memory) Shared;
    ConfinedRun run;
    const pid_t child = ::fork();
    if (child == 0) confine(folder, code);
    int status = 0;
    rusage used{};
    if (child > 0 && ::wait4(child, &status, 0, &used) == child) {
        run.returned = shared->returned && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        run.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        run.peak_kib = used.ru_maxrss;
        run.report = shared->report.data();
        for (std::size_t i = 0; i < std::min(shared->count, shared->forbidden.size()); ++i)
            run.forbidden.emplace_back(shared->forbidden[i].data());
    }
    ::munmap(memory, sizeof(Shared));
    return run;
}

}  // namespace seedbed::testing
