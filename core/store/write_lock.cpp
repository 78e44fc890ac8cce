// SPDX-License-Identifier: Apache-2.0
// The file lock of all writers, and transactions under it.
#include <cerrno>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/base/files.hpp"
#include "core/store/database.hpp"

namespace seedbed {

Result<> makeLockFile(FileSystem& files, const std::filesystem::path& path) {
    SEEDBED_ASSIGN(const auto file, files.open(path, OpenMode::append));
    return file->close();
}

Result<WriteLockFile> WriteLockFile::open(const std::filesystem::path& data_folder, const System& system) {
    const auto path = data_folder / (std::string(kDatabaseName) + ".lock");
    const auto refused = [](Error error) {
        error.message += ": the data folder cannot be written; choose another one with --data";
        return tl::unexpected<Error>(std::move(error));
    };
    if (auto made = makeLockFile(*system.files, path); !made) return refused(std::move(made).error());
    int descriptor = -1;
    do descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return refused(systemError(errno, "opening '" + path.string() + "'"));
    return WriteLockFile(descriptor);
}

WriteLockFile::WriteLockFile(WriteLockFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}
WriteLockFile& WriteLockFile::operator=(WriteLockFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}
WriteLockFile::~WriteLockFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

namespace {

constexpr std::chrono::milliseconds kPollInterval{1},
    kLongPollInterval{10};  // at a lock that is held; the system has no wait with an end
constexpr std::chrono::milliseconds kOften{100};  // after so long it is looked at seldom

struct flock waitingPlace() {
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_len = 1;
    return range;
}

// Asks until it is true, or until there is no patience left.
bool waitUntil(const std::function<bool()>& is_there, const WriteLockFile::KeepWaiting& keep_waiting,
               std::chrono::steady_clock::time_point since) {
    while (!is_there()) {
        const auto waited =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - since);
        if (!keep_waiting(waited)) return false;
        std::this_thread::sleep_for(waited < kOften ? kPollInterval : kLongPollInterval);
    }
    return true;
}

tl::unexpected<Error> held(const Database& database) {
    return fail("the database '" + database.file().string() +
                "' is held by another process of this program that does not go on; continue or end it (a "
                "stopped job, a command that hangs)");
}

}  // namespace

bool WriteLockFile::tryLock() { return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0; }

// On a byte of the same file, which is another kind of lock: one waits for the lock itself, the others wait
// for this place.
bool WriteLockFile::tryWaitingPlace() {
    struct flock range = waitingPlace();
    return ::fcntl(descriptor_, F_OFD_SETLK, &range) == 0;
}

void WriteLockFile::leaveWaitingPlace() {
    struct flock range = waitingPlace();
    range.l_type = F_UNLCK;
    while (::fcntl(descriptor_, F_OFD_SETLK, &range) != 0 && errno == EINTR) {
    }
}

bool WriteLockFile::lock(const KeepWaiting& keep_waiting) {
    const auto since = std::chrono::steady_clock::now();
    if (!waitUntil([this] { return tryWaitingPlace(); }, keep_waiting, since)) return false;
    const bool locked = waitUntil([this] { return tryLock(); }, keep_waiting, since);
    leaveWaitingPlace();
    return locked;
}

void WriteLockFile::unlock() {
    while (::flock(descriptor_, LOCK_UN) != 0 && errno == EINTR) {
    }
}

Result<WriteLockGuard> WriteLockGuard::take(const Database& database, WriteLockFile& lock) {
    if (!lock.lock([&](auto waited) { return database.mayWait(waited); })) return held(database);
    return WriteLockGuard(lock);
}

Result<WriteTransaction> WriteTransaction::begin(Database& database, WriteLockFile& lock) {
    const auto since = std::chrono::steady_clock::now();
    const auto patient = [&](std::chrono::milliseconds) {
        return database.mayWait(
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - since));
    };
    while (true) {
        if (!lock.lock(patient)) return held(database);
        Result<bool> begun = database.tryBegin();
        if (begun && *begun) return WriteTransaction(database, lock);
        const Error busy = database.lastError("using");
        lock.unlock();
        if (!begun) return tl::unexpected<Error>(std::move(begun).error());
        if (!patient({})) return tl::unexpected<Error>(busy);
        std::this_thread::sleep_for(kLongPollInterval);
    }
}

WriteTransaction::WriteTransaction(WriteTransaction&& other) noexcept
    : database_(other.database_),
      lock_(std::exchange(other.lock_, nullptr)),
      begun_(std::exchange(other.begun_, false)) {}

WriteTransaction::~WriteTransaction() {
    // After some errors SQLite has rolled back by itself; then there is nothing to end.
    if (begun_) (void)database_->execute("ROLLBACK");
    if (lock_) lock_->unlock();
}

Result<> WriteTransaction::commit() {
    SEEDBED_TRY(database_->execute("COMMIT"));
    begun_ = false;
    database_->checkpointLog();
    return {};
}

}  // namespace seedbed
