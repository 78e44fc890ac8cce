// SPDX-License-Identifier: Apache-2.0
// Definitions that replace those of the C library in this program and in the libraries it loads.
#include "tests/fault/power_loss/disk_log.hpp"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

using seedbed::testing::DiskCall;
using seedbed::testing::DiskLog;

struct State {
    std::mutex mutex;  // held during recorded calls, so that they are logged in the order of their effects
    bool active = false;
    std::string folder;
    DiskLog::OnSync on_sync;
    std::vector<DiskCall> calls;
    struct Opened {
        std::int64_t handle;
        std::string path;
        bool folder;
        int errors_seen;  // failed syncs that were reported to this descriptor or before it was opened
    };
    std::map<int, Opened> opened;       // open files by descriptor
    std::map<std::string, int> errors;  // failed syncs by path
    std::int64_t handles = 0;
};

State& state() {
    static State* const only = new State;  // never destroyed: other threads may still write at exit
    return *only;
}

template <class Function>
Function real(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

// The path below the recorded folder; nullopt if it is elsewhere or not recorded.
std::optional<std::string> recorded(const State& log, const char* path) {
    if (!log.active || path == nullptr) return std::nullopt;
    const std::string_view text = path;
    if (!text.starts_with(log.folder) || text.ends_with("-shm")) return std::nullopt;
    std::string_view rest = text.substr(log.folder.size());
    if (!rest.empty() && rest[0] != '/') return std::nullopt;
    while (rest.starts_with('/')) rest.remove_prefix(1);
    while (rest.ends_with('/')) rest.remove_suffix(1);
    return std::string(rest);
}

int opened(const char* path, int flags, unsigned mode, int (*next)(const char*, int, ...)) {
    State& log = state();
    const std::lock_guard guard(log.mutex);
    const auto name = recorded(log, path);
    if (!name) return next(path, flags, mode);
    struct stat before {};
    const bool existed = ::lstat(path, &before) == 0;
    const int file = next(path, flags, mode);
    if (file < 0) return file;
    struct stat after {};
    ::fstat(file, &after);
    DiskCall call;
    call.path = *name;
    call.handle = ++log.handles;
    call.created = !existed;
    call.truncated = (flags & O_TRUNC) != 0;
    call.folder = S_ISDIR(after.st_mode);
    log.opened[file] = {call.handle, *name, call.folder, log.errors[*name]};
    log.calls.push_back(std::move(call));
    return file;
}

// Calls `next` and records what it wrote at `offset` (-1: the current position).
template <class Next>
ssize_t written(int file, const void* from, std::int64_t offset, const Next& next) {
    State& log = state();
    const std::lock_guard guard(log.mutex);
    const ssize_t count = next();
    const auto found = log.opened.find(file);
    if (count <= 0 || !log.active || found == log.opened.end()) return count;
    DiskCall call;
    call.kind = DiskCall::Kind::write;
    call.handle = found->second.handle;
    call.offset = offset >= 0 ? offset : ::lseek64(file, 0, SEEK_CUR) - count;
    call.bytes.assign(static_cast<const char*>(from), static_cast<std::size_t>(count));
    log.calls.push_back(std::move(call));
    return count;
}

template <class Next>
int resized(int file, std::int64_t bytes, const Next& next) {
    State& log = state();
    const std::lock_guard guard(log.mutex);
    const int result = next();
    const auto found = log.opened.find(file);
    if (result != 0 || !log.active || found == log.opened.end()) return result;
    DiskCall call;
    call.kind = DiskCall::Kind::set_size;
    call.handle = found->second.handle;
    call.offset = bytes;
    log.calls.push_back(std::move(call));
    return result;
}

int synced(int file) {
    State& log = state();
    const std::lock_guard guard(log.mutex);
    const auto found = log.opened.find(file);
    if (!log.active || found == log.opened.end()) return 0;
    const DiskLog::Sync sync =
        log.on_sync ? log.on_sync(found->second.path, found->second.folder) : DiskLog::Sync::works;
    if (sync == DiskLog::Sync::has_no_effect) return 0;
    const bool fails = sync == DiskLog::Sync::fails;
    DiskCall call;
    call.kind = fails ? DiskCall::Kind::failed_sync : DiskCall::Kind::sync;
    call.handle = found->second.handle;
    log.calls.push_back(std::move(call));
    // The system reports a failed sync once for each open descriptor of the file.
    int& errors = log.errors[found->second.path];
    errors += fails;
    if (std::exchange(found->second.errors_seen, errors) == errors) return 0;
    errno = EIO;
    return -1;
}

template <class Next>
int named(DiskCall::Kind kind, const char* path, const char* target, const Next& next) {
    State& log = state();
    const std::lock_guard guard(log.mutex);
    const int result = next();
    const int error_number = errno;
    if (const auto name = recorded(log, path); result == 0 && name) {
        DiskCall call;
        call.kind = kind;
        call.path = *name;
        if (target != nullptr) call.target = recorded(log, target).value_or("?");
        log.calls.push_back(std::move(call));
    }
    errno = error_number;
    return result;
}

}  // namespace

#define SEEDBED_REPLACED extern "C" __attribute__((visibility("default")))

#define SEEDBED_REPLACED_OPEN(name)                                                              \
    SEEDBED_REPLACED int name(const char* path, int flags, ...) {                                \
        static const auto next = real<int (*)(const char*, int, ...)>(#name);                    \
        va_list more;                                                                            \
        va_start(more, flags);                                                                   \
        const unsigned mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, unsigned) : 0; \
        va_end(more);                                                                            \
        return opened(path, flags, mode, next);                                                  \
    }
SEEDBED_REPLACED_OPEN(open)
SEEDBED_REPLACED_OPEN(open64)

SEEDBED_REPLACED ssize_t write(int file, const void* from, size_t bytes) {
    static const auto next = real<ssize_t (*)(int, const void*, size_t)>("write");
    return written(file, from, -1, [&] { return next(file, from, bytes); });
}
SEEDBED_REPLACED ssize_t pwrite(int file, const void* from, size_t bytes, off_t offset) {
    static const auto next = real<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
    return written(file, from, offset, [&] { return next(file, from, bytes, offset); });
}
SEEDBED_REPLACED ssize_t pwrite64(int file, const void* from, size_t bytes, off64_t offset) {
    static const auto next = real<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64");
    return written(file, from, offset, [&] { return next(file, from, bytes, offset); });
}
SEEDBED_REPLACED int ftruncate(int file, off_t bytes) noexcept {
    static const auto next = real<int (*)(int, off_t)>("ftruncate");
    return resized(file, bytes, [&] { return next(file, bytes); });
}
SEEDBED_REPLACED int ftruncate64(int file, off64_t bytes) noexcept {
    static const auto next = real<int (*)(int, off64_t)>("ftruncate64");
    return resized(file, bytes, [&] { return next(file, bytes); });
}
SEEDBED_REPLACED int fsync(int file) { return synced(file); }
SEEDBED_REPLACED int fdatasync(int file) { return synced(file); }
SEEDBED_REPLACED int close(int file) {
    static const auto next = real<int (*)(int)>("close");
    State& log = state();
    const std::lock_guard guard(log.mutex);
    log.opened.erase(file);
    return next(file);
}
SEEDBED_REPLACED int rename(const char* from, const char* to) noexcept {
    static const auto next = real<int (*)(const char*, const char*)>("rename");
    return named(DiskCall::Kind::rename, from, to, [&] { return next(from, to); });
}
SEEDBED_REPLACED int unlink(const char* path) noexcept {
    static const auto next = real<int (*)(const char*)>("unlink");
    return named(DiskCall::Kind::remove, path, nullptr, [&] { return next(path); });
}
SEEDBED_REPLACED int rmdir(const char* path) noexcept {
    static const auto next = real<int (*)(const char*)>("rmdir");
    return named(DiskCall::Kind::remove, path, nullptr, [&] { return next(path); });
}
SEEDBED_REPLACED int remove(const char* path) noexcept {
    static const auto next = real<int (*)(const char*)>("remove");
    return named(DiskCall::Kind::remove, path, nullptr, [&] { return next(path); });
}
SEEDBED_REPLACED int mkdir(const char* path, mode_t mode) noexcept {
    static const auto next = real<int (*)(const char*, mode_t)>("mkdir");
    return named(DiskCall::Kind::make_folder, path, nullptr, [&] { return next(path, mode); });
}

namespace seedbed::testing {

void DiskLog::begin(const std::string& folder, OnSync on_sync) {
    State& log = state();
    const std::lock_guard guard(log.mutex);
    log.active = true;
    log.folder = folder;
    log.on_sync = std::move(on_sync);
    log.calls.clear();
    log.opened.clear();
    log.errors.clear();
}

void DiskLog::acknowledge(const std::string& what) {
    State& log = state();
    const std::lock_guard guard(log.mutex);
    DiskCall call;
    call.kind = DiskCall::Kind::acknowledged;
    call.bytes = what;
    log.calls.push_back(std::move(call));
}

std::vector<DiskCall> DiskLog::end() {
    State& log = state();
    const std::lock_guard guard(log.mutex);
    log.active = false;
    log.opened.clear();
    return std::exchange(log.calls, {});
}

}  // namespace seedbed::testing
