// SPDX-License-Identifier: Apache-2.0
// Definitions that replace those of the C library in this program and in the libraries it loads. They do not
// interrupt close(), which must not be repeated, nor two kinds of calls that SQLite does not repeat: syncs,
// after which it is unknown what reached the disk, and locks, which never wait.
#include "tests/unit/interrupts/system_calls.hpp"

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>

namespace {

std::atomic<int> at{0}, calls{0}, hits{0}, times{1};
std::atomic<bool> forever{false};
thread_local int left = 0;  // remaining interruptions of this thread's call

bool interrupted() {
    const int from = at.load();
    if (from == 0) return false;
    const int number = ++calls;
    if (left == 0 && (number == from || (forever && number > from))) left = times + 1;
    if (left == 0 || --left == 0) return false;
    ++hits;
    errno = EINTR;
    return true;
}

bool fromSqlite(const void* caller) {
    Dl_info info{};
    return dladdr(caller, &info) != 0 && info.dli_fname != nullptr &&
           std::strstr(info.dli_fname, "sqlite") != nullptr;
}

template <class Function>
Function real(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

#define SEEDBED_INTERRUPTED(result, name, parameters, arguments, ...)                      \
    extern "C" __attribute__((visibility("default"))) result name parameters __VA_ARGS__ { \
        static const auto next = real<result(*) parameters>(#name);                        \
        return interrupted() ? -1 : next arguments;                                        \
    }

SEEDBED_INTERRUPTED(ssize_t, read, (int file, void* into, size_t bytes), (file, into, bytes))
SEEDBED_INTERRUPTED(ssize_t, write, (int file, const void* from, size_t bytes), (file, from, bytes))
SEEDBED_INTERRUPTED(ssize_t, pread, (int file, void* into, size_t bytes, off_t offset),
                    (file, into, bytes, offset))
SEEDBED_INTERRUPTED(ssize_t, pwrite, (int file, const void* from, size_t bytes, off_t offset),
                    (file, from, bytes, offset))
SEEDBED_INTERRUPTED(ssize_t, pread64, (int file, void* into, size_t bytes, off64_t offset),
                    (file, into, bytes, offset))
SEEDBED_INTERRUPTED(ssize_t, pwrite64, (int file, const void* from, size_t bytes, off64_t offset),
                    (file, from, bytes, offset))
SEEDBED_INTERRUPTED(int, flock, (int file, int operation), (file, operation), noexcept)
SEEDBED_INTERRUPTED(int, ftruncate, (int file, off_t bytes), (file, bytes), noexcept)
SEEDBED_INTERRUPTED(int, ftruncate64, (int file, off64_t bytes), (file, bytes), noexcept)

#define SEEDBED_INTERRUPTED_OPEN(name)                                                             \
    extern "C" __attribute__((visibility("default"))) int name(const char* path, int flags, ...) { \
        static const auto next = real<int (*)(const char*, int, ...)>(#name);                      \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        const unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, unsigned) : 0;   \
        va_end(more);                                                                              \
        return interrupted() ? -1 : next(path, flags, mode);                                       \
    }
SEEDBED_INTERRUPTED_OPEN(open)
SEEDBED_INTERRUPTED_OPEN(open64)

#define SEEDBED_INTERRUPTED_FCNTL(name)                                                                   \
    extern "C" __attribute__((visibility("default"))) int name(int file, int command, ...) {              \
        static const auto next = real<int (*)(int, int, ...)>(#name);                                     \
        va_list more;                                                                                     \
        va_start(more, command);                                                                          \
        void* argument = va_arg(more, void*);                                                             \
        va_end(more);                                                                                     \
        return !fromSqlite(__builtin_return_address(0)) && interrupted() ? -1                             \
                                                                         : next(file, command, argument); \
    }
SEEDBED_INTERRUPTED_FCNTL(fcntl)
SEEDBED_INTERRUPTED_FCNTL(fcntl64)

extern "C" __attribute__((visibility("default"))) int fsync(int file) {
    static const auto next = real<int (*)(int)>("fsync");
    return !fromSqlite(__builtin_return_address(0)) && interrupted() ? -1 : next(file);
}

namespace seedbed::testing {

void SystemCalls::interruptAt(int number, bool for_ever, int repeated) {
    at = 0;
    calls = 0;
    hits = 0;
    times = repeated;
    forever = for_ever;
    left = 0;
    at = number;
}
int SystemCalls::count() { return calls; }
int SystemCalls::interrupted() { return hits; }

}  // namespace seedbed::testing
