// SPDX-License-Identifier: Apache-2.0
// Open-file-description locks, which are released when the process exits and can be queried without acquiring
// them.
#include "core/store/run_lock.hpp"

#include <cerrno>
#include <cstdlib>
#include <limits>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "core/base/os/files.hpp"
#include "core/store/write_lock.hpp"

namespace seedbed {

namespace {

constexpr std::chrono::milliseconds kOwnerPollInterval{20};

std::filesystem::path lockPath(const std::filesystem::path& data_folder, RunId run) {
    return data_folder / "locks" / ("run-" + std::to_string(run) + ".lock");
}

struct flock wholeFile() {
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    return range;
}

// Repeats a system call while signals interrupt it.
template <class Call>
int uninterrupted(const Call& call) {
    int result = call();
    while (result == -1 && errno == EINTR) result = call();
    return result;
}

// The owner's process id in the lock file; 0 if there is none.
int ownerIn(int descriptor) {
    char text[32] = {};
    const auto count = ::pread(descriptor, text, sizeof text - 1, 0);
    const long pid = count > 0 ? std::strtol(text, nullptr, 10) : 0;
    return pid > 0 && pid <= std::numeric_limits<int>::max() ? static_cast<int>(pid) : 0;
}

std::string ownerText(int descriptor) {
    const int pid = ownerIn(descriptor);
    return pid > 0 ? " (process " + std::to_string(pid) + ")" : "";
}

// The lock file, open for reading; -1 with errno.
int openToRead(const std::filesystem::path& path) {
    return uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
}

// An unknown state counts as locked.
bool isLocked(int descriptor) {
    struct flock range = wholeFile();
    const bool known = uninterrupted([&] { return ::fcntl(descriptor, F_OFD_GETLK, &range); }) == 0;
    return !known || range.l_type != F_UNLCK;
}

}  // namespace

Result<RunLock> RunLock::acquire(const std::filesystem::path& data_folder, RunId run, const System& system) {
    const auto path = lockPath(data_folder, run);
    Result<> made = makeFolders(*system.files, data_folder / "locks");
    if (made) made = makeLockFile(*system.files, path);
    if (!made) return folderNotWritable(std::move(made).error());
    const int descriptor = uninterrupted([&] { return ::open(path.c_str(), O_RDWR | O_CLOEXEC); });
    if (descriptor < 0) return folderNotWritable(systemError(errno, "opening '" + path.string() + "'"));
    RunLock lock(descriptor, run);
    struct flock range = wholeFile();
    if (uninterrupted([&] { return ::fcntl(descriptor, F_OFD_SETLK, &range); }) != 0) {
        if (errno != EAGAIN && errno != EACCES)
            return tl::unexpected<Error>(systemError(errno, "locking '" + path.string() + "'"));
        return fail("run " + std::to_string(run) + " is being trained by another process" +
                    ownerText(descriptor));
    }
    // Nothing depends on the number but messages and owner(), so failing to write it is not an error.
    const std::string pid = std::to_string(::getpid()) + "\n";
    if (::ftruncate(descriptor, 0) == 0 && ::pwrite(descriptor, pid.data(), pid.size(), 0) < 0) errno = 0;
    return lock;
}

Result<RunLock> RunLock::acquireWithin(std::chrono::milliseconds timeout,
                                       const std::filesystem::path& data_folder, RunId run,
                                       const System& system) {
    const auto end = std::chrono::steady_clock::now() + timeout;
    auto lock = acquire(data_folder, run, system);
    while (!lock && isHeld(data_folder, run) && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(kOwnerPollInterval);
        lock = acquire(data_folder, run, system);
    }
    return lock;
}

bool RunLock::isHeld(const std::filesystem::path& data_folder, RunId run) {
    const int descriptor = openToRead(lockPath(data_folder, run));
    if (descriptor < 0) return errno != ENOENT && errno != ENOTDIR;
    const bool locked = isLocked(descriptor);
    ::close(descriptor);
    return locked;
}

int RunLock::owner(const std::filesystem::path& data_folder, RunId run) {
    const int descriptor = openToRead(lockPath(data_folder, run));
    if (descriptor < 0) return 0;
    const int pid = isLocked(descriptor) ? ownerIn(descriptor) : 0;
    ::close(descriptor);
    return pid;
}

RunLock::RunLock(RunLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), run_(other.run_) {}
RunLock& RunLock::operator=(RunLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(run_, other.run_);
    return *this;
}
RunLock::~RunLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace seedbed
