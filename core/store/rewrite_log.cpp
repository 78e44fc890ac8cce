// SPDX-License-Identifier: Apache-2.0
// Source of the formats: https://www.sqlite.org/walformat.html
#include "core/store/rewrite_log.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <vector>

#include <sqlite3.h>

namespace seedbed {

namespace {

using Bytes = std::vector<unsigned char>;

constexpr int kLogHeader = 32, kFrameHeader = 24;  // bytes
// Offsets in the index that all connections share, in bytes.
constexpr int kIndexBytes = 32'768, kCommittedFrames = 16, kMovedFrames = 96;
constexpr int kWriteLock = 0, kLocks = 2;  // the write lock and the checkpoint lock that follows it

std::uint32_t number(const unsigned char* at, bool big_endian = true) {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value = (value << 8) | at[big_endian ? i : 3 - i];
    return value;
}

// The checksum of the log's header and all frames so far.
struct Checksum {
    bool big_endian = false;
    std::uint32_t first = 0, second = 0;

    void add(std::span<const unsigned char> bytes) {
        for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
            first += number(&bytes[i], big_endian) + second;
            second += number(&bytes[i + 4], big_endian) + first;
        }
    }
    bool is(const unsigned char* stored) const {
        return number(stored) == first && number(stored + 4) == second;
    }
};

class Rewriter {
public:
    Rewriter(sqlite3_file* database, sqlite3_file* log) : database_(database), log_(log) {}

    int run() {
        volatile void* index = nullptr;
        const int code = database_->pMethods->xShmMap(database_, 0, kIndexBytes, 0, &index);
        if (code != SQLITE_OK) return code;
        if (index == nullptr) return SQLITE_IOERR_SHMMAP;
        const auto* fields = static_cast<const volatile std::uint32_t*>(index);
        const std::uint32_t committed = fields[kCommittedFrames / 4];
        if (committed == 0) return SQLITE_OK;
        if (const int failed = rewriteFrames(committed, fields[kMovedFrames / 4])) return failed;
        return rewritePages();
    }

private:
    std::int64_t offsetOf(std::uint32_t frame) const {
        return kLogHeader + static_cast<std::int64_t>(frame) * (kFrameHeader + page_bytes_);
    }
    static int read(sqlite3_file* file, Bytes& into, std::int64_t offset) {
        return file->pMethods->xRead(file, into.data(), static_cast<int>(into.size()), offset);
    }
    static int write(sqlite3_file* file, std::span<const unsigned char> bytes, std::int64_t offset) {
        return file->pMethods->xWrite(file, bytes.data(), static_cast<int>(bytes.size()), offset);
    }

    int rewriteFrames(std::uint32_t committed, std::uint32_t moved) {
        Bytes header(kLogHeader);
        if (const int code = read(log_, header, 0)) return code;
        Checksum sum{(number(header.data()) & 1) != 0};
        sum.add(std::span(header).first(24));
        if (!sum.is(&header[24])) return SQLITE_CORRUPT;
        page_bytes_ = number(&header[8]);
        if (page_bytes_ < 512 || page_bytes_ > 65'536) return SQLITE_CORRUPT;
        if (const int code = write(log_, header, 0)) return code;
        Bytes frame(kFrameHeader + page_bytes_);
        for (std::uint32_t i = 0; i < committed; ++i) {
            if (const int code = read(log_, frame, offsetOf(i))) return code;
            sum.add(std::span(frame).first(8));
            sum.add(std::span(frame).subspan(kFrameHeader));
            const bool same_log = std::equal(&frame[8], &frame[16], &header[16]);
            if (!same_log || !sum.is(&frame[16])) return SQLITE_CORRUPT;
            if (const int code = write(log_, frame, offsetOf(i))) return code;
            if (i < moved) newest_[number(frame.data())] = i;
            if (number(&frame[4]) != 0) pages_ = number(&frame[4]);
        }
        return log_->pMethods->xSync(log_, SQLITE_SYNC_NORMAL);
    }

    int rewritePages() {
        if (newest_.empty()) return SQLITE_OK;
        Bytes frame(kFrameHeader + page_bytes_);
        for (const auto& [page, index] : newest_) {
            if (page == 0 || page > pages_) continue;
            if (const int code = read(log_, frame, offsetOf(index))) return code;
            const std::int64_t offset = static_cast<std::int64_t>(page - 1) * page_bytes_;
            if (const int code = write(database_, std::span(frame).subspan(kFrameHeader), offset))
                return code;
        }
        return database_->pMethods->xSync(database_, SQLITE_SYNC_NORMAL);
    }

    sqlite3_file* database_;
    sqlite3_file* log_;
    std::uint32_t page_bytes_ = 0;
    std::uint32_t pages_ = 0;                        // size of the database after the newest transaction
    std::map<std::uint32_t, std::uint32_t> newest_;  // moved frame of each page
};

// Excludes writers and checkpoints, including those of other programs.
class LogLock {
public:
    explicit LogLock(sqlite3_file* database) : database_(database), code_(set(SQLITE_SHM_LOCK)) {}
    LogLock(const LogLock&) = delete;
    LogLock& operator=(const LogLock&) = delete;
    ~LogLock() {
        if (code_ == SQLITE_OK) set(SQLITE_SHM_UNLOCK);
    }
    int code() const { return code_; }

private:
    int set(int what) {
        return database_->pMethods->xShmLock(database_, kWriteLock, kLocks, what | SQLITE_SHM_EXCLUSIVE);
    }
    sqlite3_file* database_;
    int code_;
};

}  // namespace

int rewriteLog(sqlite3* connection) {
    sqlite3_file* database = nullptr;
    sqlite3_file* log = nullptr;
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &database);
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (database == nullptr || database->pMethods == nullptr) return SQLITE_CANTOPEN;
    if (log == nullptr || log->pMethods == nullptr) return SQLITE_OK;  // there is no log yet
    const LogLock lock(database);
    return lock.code() == SQLITE_OK ? Rewriter(database, log).run() : lock.code();
}

}  // namespace seedbed
