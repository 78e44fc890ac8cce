// SPDX-License-Identifier: Apache-2.0
// The file lock of all writers of a data folder, and write transactions under it. Internal to core/store.
#pragma once

#include <filesystem>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/os/system.hpp"
#include "core/store/database.hpp"

namespace seedbed {

// The lock that writers and checkpoints of all processes share: before 3.51.3, SQLite can damage a database
// when one connection writes while another checkpoints. Every wait for it has a time limit, because the
// process that holds it may be suspended.
class WriteLockFile {
public:
    using KeepWaiting = Database::KeepWaiting;

    static Result<WriteLockFile> open(const std::filesystem::path& data_folder,
                                      const System& system = realSystem());
    WriteLockFile(WriteLockFile&& other) noexcept;
    WriteLockFile& operator=(WriteLockFile&& other) noexcept;
    ~WriteLockFile();

    bool tryLock();
    // Waits for the lock. Returns false as soon as `keep_waiting` returns false. The lock is fair: a waiting
    // process gets the lock before a process that has released it and requests it again.
    bool lock(const KeepWaiting& keep_waiting);
    void unlock();

private:
    explicit WriteLockFile(int descriptor) : descriptor_(descriptor) {}
    bool tryLockWaitingSlot();
    void unlockWaitingSlot();
    int descriptor_ = -1;
};

// Extends the error with a hint to choose a different data folder.
tl::unexpected<Error> folderNotWritable(Error error);

// Holds the file lock until destruction.
class WriteLockGuard {
public:
    // error: another process held the lock for longer than the database's waiting limit.
    static Result<WriteLockGuard> acquire(const Database& database, WriteLockFile& lock);
    WriteLockGuard(WriteLockGuard&& other) noexcept : lock_(std::exchange(other.lock_, nullptr)) {}
    WriteLockGuard& operator=(WriteLockGuard&&) = delete;
    ~WriteLockGuard() {
        if (lock_) lock_->unlock();
    }

private:
    explicit WriteLockGuard(WriteLockFile& lock) : lock_(&lock) {}
    WriteLockFile* lock_;
};

// File lock and BEGIN IMMEDIATE; rolls back unless committed.
class WriteTransaction {
public:
    // The time limit of the database applies to both locks together. While another program has locked the
    // database, the file lock is released, so that several writers wait in parallel.
    static Result<WriteTransaction> begin(Database& database, WriteLockFile& lock);
    WriteTransaction(WriteTransaction&& other) noexcept;
    WriteTransaction& operator=(WriteTransaction&&) = delete;
    ~WriteTransaction();

    Result<> commit();

private:
    WriteTransaction(Database& database, WriteLockFile& lock) : database_(&database), lock_(&lock) {}
    Database* database_;
    WriteLockFile* lock_;
    bool begun_ = false;
};

// Creates an empty file for kernel locks; an existing file is left unchanged.
Result<> makeLockFile(FileSystem& files, const std::filesystem::path& path);

}  // namespace seedbed
