// SPDX-License-Identifier: Apache-2.0
#include "core/store/write_lock.hpp"

#include <cerrno>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/base/os/files.hpp"

namespace seedbed {

Result<> makeLockFile(FileSystem& files, const std::filesystem::path& path) {
    SEEDBED_ASSIGN(const auto file, files.open(path, OpenMode::append));
    return file->close();
}

tl::unexpected<Error> folderNotWritable(Error error) {
    error.message += ": the data folder cannot be written; choose another one with --data";
    return tl::unexpected<Error>(std::move(error));
}

Result<WriteLockFile> WriteLockFile::open(const std::filesystem::path& data_folder, const System& system) {
    const auto path = data_folder / (std::string(kDatabaseName) + ".lock");
    if (auto made = makeLockFile(*system.files, path); !made)
        return folderNotWritable(std::move(made).error());
    int descriptor = -1;
    do descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return folderNotWritable(systemError(errno, "opening '" + path.string() + "'"));
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

// The kernel offers no timed wait for these locks, so they are polled: every kShortPoll for kShortPollTime,
// then every kLongPoll.
constexpr std::chrono::milliseconds kShortPoll{1};
constexpr std::chrono::milliseconds kShortPollTime{100};
constexpr std::chrono::milliseconds kLongPoll{10};

struct flock waitingSlot() {
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_len = 1;
    return range;
}

// Polls `condition`; false if `keep_waiting` ended the wait.
bool pollUntil(const std::function<bool()>& condition, const WriteLockFile::KeepWaiting& keep_waiting,
               std::chrono::steady_clock::time_point since) {
    while (!condition()) {
        const auto waited =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - since);
        if (!keep_waiting(waited)) return false;
        std::this_thread::sleep_for(waited < kShortPollTime ? kShortPoll : kLongPoll);
    }
    return true;
}

tl::unexpected<Error> lockedByOther(const Database& database) {
    return fail("the database '" + database.file().string() +
                "' is locked by another Seedbed process that does not respond; resume or stop it (for "
                "example a suspended job)");
}

}  // namespace

bool WriteLockFile::tryLock() { return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0; }

// Tries to acquire a second lock, of a different kind, on the first byte of the same file. The process that
// holds the second lock waits for the first one; all others wait for the second one.
bool WriteLockFile::tryLockWaitingSlot() {
    struct flock range = waitingSlot();
    return ::fcntl(descriptor_, F_OFD_SETLK, &range) == 0;
}

void WriteLockFile::unlockWaitingSlot() {
    struct flock range = waitingSlot();
    range.l_type = F_UNLCK;
    while (::fcntl(descriptor_, F_OFD_SETLK, &range) != 0 && errno == EINTR) {
    }
}

bool WriteLockFile::lock(const KeepWaiting& keep_waiting) {
    const auto since = std::chrono::steady_clock::now();
    if (!pollUntil([this] { return tryLockWaitingSlot(); }, keep_waiting, since)) return false;
    const bool locked = pollUntil([this] { return tryLock(); }, keep_waiting, since);
    unlockWaitingSlot();
    return locked;
}

void WriteLockFile::unlock() {
    while (::flock(descriptor_, LOCK_UN) != 0 && errno == EINTR) {
    }
}

Result<WriteLockGuard> WriteLockGuard::acquire(const Database& database, WriteLockFile& lock) {
    if (!lock.lock([&](auto waited) { return database.mayWait(waited); })) return lockedByOther(database);
    return WriteLockGuard(lock);
}

Result<WriteTransaction> WriteTransaction::begin(Database& database, WriteLockFile& lock) {
    const auto since = std::chrono::steady_clock::now();
    const auto may_wait = [&](std::chrono::milliseconds) {
        return database.mayWait(
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - since));
    };
    while (true) {
        if (!lock.lock(may_wait)) return lockedByOther(database);
        {
            WriteTransaction transaction(database, lock);  // the destructor unlocks, even after an exception
            SEEDBED_TRY(database.repairLog());
            SEEDBED_ASSIGN(transaction.begun_, database.tryBegin());
            if (transaction.begun_) return transaction;
            if (!may_wait({})) return tl::unexpected<Error>(database.lastError("using"));
        }
        std::this_thread::sleep_for(kLongPoll);
    }
}

WriteTransaction::WriteTransaction(WriteTransaction&& other) noexcept
    : database_(other.database_),
      lock_(std::exchange(other.lock_, nullptr)),
      begun_(std::exchange(other.begun_, false)) {}

WriteTransaction::~WriteTransaction() {
    if (begun_) database_->rollback();
    if (lock_) lock_->unlock();
}

Result<> WriteTransaction::commit() {
    const Result<> committed = database_->execute("COMMIT");
    if (committed) {
        begun_ = false;
        database_->checkpointLog();
        return {};
    }
    // Must happen before another connection appends to the log.
    if (database_->hadFileError()) {
        database_->rollback();
        begun_ = false;
        (void)database_->repairLog();
    }
    return committed;
}

}  // namespace seedbed
