// SPDX-License-Identifier: Apache-2.0
// The file lock of all writers, and transactions under it.
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "core/base/files.hpp"
#include "core/store/database.hpp"

namespace seedbed {

Result<WriteLockFile> WriteLockFile::open(const std::filesystem::path& data_folder) {
    const auto path = data_folder / (std::string(kDatabaseName) + ".lock");
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor < 0) {
        Error error = systemError(errno, "making '" + path.string() + "'");
        error.message += ": the data folder cannot be written; choose another one with --data";
        return tl::unexpected<Error>(std::move(error));
    }
    return WriteLockFile(descriptor);
}

WriteLockFile::WriteLockFile(WriteLockFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
WriteLockFile& WriteLockFile::operator=(WriteLockFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}
WriteLockFile::~WriteLockFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void WriteLockFile::lock() {
    // Fails only for signals, or on file systems without locks, where SQLite's own locks are missing too.
    while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
}

void WriteLockFile::unlock() { ::flock(descriptor_, LOCK_UN); }

Result<WriteTransaction> WriteTransaction::begin(Database& database, WriteLockFile& lock) {
    WriteTransaction transaction(database, lock);
    lock.lock();
    if (auto begun = database.execute("BEGIN IMMEDIATE"); !begun) return tl::unexpected<Error>(std::move(begun).error());
    transaction.begun_ = true;
    return transaction;
}

WriteTransaction::WriteTransaction(WriteTransaction&& other) noexcept
    : database_(other.database_), lock_(std::exchange(other.lock_, nullptr)), begun_(std::exchange(other.begun_, false)) {}

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
