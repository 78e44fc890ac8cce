// SPDX-License-Identifier: Apache-2.0
// A shim over SQLite's default file layer.
#include "tests/unit/store/fault_vfs.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include <sqlite3.h>

namespace seedbed::testing {

namespace {

constexpr sqlite3_int64 kPage = 4096;  // the system records for each page whether it is on disk

std::atomic<int> fail_at{0}, operations{0}, failed{0}, fail_code{SQLITE_IOERR_WRITE};
std::atomic<int> syncs_to_skip{0}, syncs_to_fail{0};
std::atomic<bool> fail_forever{false};
std::atomic<std::int64_t> read_delay_us{0};
sqlite3_vfs* real = nullptr;

struct DiskFile {
    std::string synced;                // contents
    std::set<sqlite3_int64> unsynced;  // pages
    int errors = 0;                    // failed syncs
};
std::mutex disk_mutex;
std::string disk_folder;               // "": nothing is recorded
std::map<std::string, DiskFile> disk;  // by path

// SQLITE_OK, or the code of the current fault. A full disk affects only operations that need space.
int fault(bool takes_space = false) {
    if (fail_code == SQLITE_FULL && !takes_space) return SQLITE_OK;
    const int number = ++operations, at = fail_at;
    if (at == 0 || (number != at && !(fail_forever && number > at))) return SQLITE_OK;
    ++failed;
    return fail_code;
}

bool syncFails() {
    if (fault() != SQLITE_OK) return true;
    if (syncs_to_fail == 0 || syncs_to_skip-- > 0) return false;
    syncs_to_skip = 0;
    --syncs_to_fail;
    return true;
}

struct FaultFile {
    sqlite3_file base;
    sqlite3_file* inner;  // behind this struct in memory
    const char* path;     // owned by SQLite, valid until the file is closed; null for a temporary file
    int errors_seen;      // failed syncs that were reported to this file or before it was opened
};

sqlite3_file* innerOf(sqlite3_file* file) { return reinterpret_cast<FaultFile*>(file)->inner; }

// Calls `body` with the record of the file, if it exists.
template <class Body>
void recorded(const char* path, const Body& body) {
    const std::lock_guard guard(disk_mutex);
    if (disk_folder.empty() || path == nullptr || !std::string_view(path).starts_with(disk_folder)) return;
    body(disk[path]);
}

void recordWrite(sqlite3_file* file, sqlite3_int64 offset, int bytes) {
    recorded(reinterpret_cast<FaultFile*>(file)->path, [&](DiskFile& record) {
        for (sqlite3_int64 page = offset / kPage; page * kPage < offset + bytes; ++page)
            record.unsynced.insert(page);
    });
}

// Returns whether the sync succeeds: the system reports a failed one once for each open descriptor.
bool recordSync(sqlite3_file* file, bool works) {
    auto* shim = reinterpret_cast<FaultFile*>(file);
    bool succeeds = works;
    recorded(shim->path, [&](DiskFile& record) {
        const std::set<sqlite3_int64> pages = std::exchange(record.unsynced, {});
        record.errors += !works;
        succeeds = std::exchange(shim->errors_seen, record.errors) == record.errors;
        if (!works) return;
        sqlite3_int64 size = 0;
        innerOf(file)->pMethods->xFileSize(innerOf(file), &size);
        record.synced.resize(static_cast<std::size_t>(size));
        for (const sqlite3_int64 page : pages) {
            const sqlite3_int64 bytes = std::min(kPage, size - page * kPage);
            if (bytes <= 0) continue;
            innerOf(file)->pMethods->xRead(innerOf(file), record.synced.data() + page * kPage,
                                           static_cast<int>(bytes), page * kPage);
        }
    });
    return succeeds;
}

int fileClose(sqlite3_file* file) { return innerOf(file)->pMethods->xClose(innerOf(file)); }
int fileRead(sqlite3_file* file, void* into, int bytes, sqlite3_int64 offset) {
    if (const int code = fault()) return code;
    if (const std::int64_t us = read_delay_us) std::this_thread::sleep_for(std::chrono::microseconds(us));
    return innerOf(file)->pMethods->xRead(innerOf(file), into, bytes, offset);
}
int fileWrite(sqlite3_file* file, const void* from, int bytes, sqlite3_int64 offset) {
    const int code = fault(true);
    if (code) bytes /= 2;
    recordWrite(file, offset, bytes);
    const int written = innerOf(file)->pMethods->xWrite(innerOf(file), from, bytes, offset);
    return code ? code : written;
}
int fileTruncate(sqlite3_file* file, sqlite3_int64 size) {
    if (const int code = fault()) return code;
    return innerOf(file)->pMethods->xTruncate(innerOf(file), size);
}
int fileSync(sqlite3_file* file, int) {
    const bool works = !syncFails();
    return recordSync(file, works) ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}
int fileSize(sqlite3_file* file, sqlite3_int64* size) {
    return innerOf(file)->pMethods->xFileSize(innerOf(file), size);
}
int fileLock(sqlite3_file* file, int lock) { return innerOf(file)->pMethods->xLock(innerOf(file), lock); }
int fileUnlock(sqlite3_file* file, int lock) { return innerOf(file)->pMethods->xUnlock(innerOf(file), lock); }
int fileReserved(sqlite3_file* file, int* reserved) {
    return innerOf(file)->pMethods->xCheckReservedLock(innerOf(file), reserved);
}
int fileControl(sqlite3_file* file, int op, void* argument) {
    return innerOf(file)->pMethods->xFileControl(innerOf(file), op, argument);
}
int fileSector(sqlite3_file* file) { return innerOf(file)->pMethods->xSectorSize(innerOf(file)); }
int fileTraits(sqlite3_file* file) { return innerOf(file)->pMethods->xDeviceCharacteristics(innerOf(file)); }
int fileShmMap(sqlite3_file* file, int region, int size, int extend, void volatile** memory) {
    if (const int code = fault()) return code;
    return innerOf(file)->pMethods->xShmMap(innerOf(file), region, size, extend, memory);
}
int fileShmLock(sqlite3_file* file, int offset, int n, int flags) {
    return innerOf(file)->pMethods->xShmLock(innerOf(file), offset, n, flags);
}
void fileShmBarrier(sqlite3_file* file) { innerOf(file)->pMethods->xShmBarrier(innerOf(file)); }
int fileShmUnmap(sqlite3_file* file, int remove) {
    return innerOf(file)->pMethods->xShmUnmap(innerOf(file), remove);
}

const sqlite3_io_methods kMethods{
    2,           fileClose,      fileRead,     fileWrite,   fileTruncate, fileSync,   fileSize,
    fileLock,    fileUnlock,     fileReserved, fileControl, fileSector,   fileTraits, fileShmMap,
    fileShmLock, fileShmBarrier, fileShmUnmap, nullptr,     nullptr};

int open(sqlite3_vfs*, sqlite3_filename name, sqlite3_file* file, int flags, int* out_flags) {
    auto* shim = reinterpret_cast<FaultFile*>(file);
    shim->base.pMethods = nullptr;
    shim->inner = reinterpret_cast<sqlite3_file*>(shim + 1);
    if (fault()) return SQLITE_CANTOPEN;
    const int code = real->xOpen(real, name, shim->inner, flags, out_flags);
    if (code != SQLITE_OK) return code;
    shim->base.pMethods = &kMethods;
    shim->path = name;
    shim->errors_seen = 0;
    recorded(name, [&](DiskFile& record) { shim->errors_seen = record.errors; });
    return SQLITE_OK;
}
int remove(sqlite3_vfs*, const char* name, int sync) {
    if (fault()) return SQLITE_IOERR_DELETE;
    recorded(name, [](DiskFile& record) { record = {}; });
    return real->xDelete(real, name, sync);
}

}  // namespace

void FaultVfs::install() {
    static sqlite3_vfs shim;
    static std::once_flag once;
    std::call_once(once, [] {
        real = sqlite3_vfs_find(nullptr);
        shim = *real;
        shim.zName = "fault";
        shim.szOsFile = static_cast<int>(sizeof(FaultFile)) + real->szOsFile;
        shim.xOpen = open;
        shim.xDelete = remove;
        sqlite3_vfs_register(&shim, 1);
    });
    read_delay_us = 0;
    failAt(0, false, SQLITE_IOERR);
    failSyncs(0);
    const std::lock_guard guard(disk_mutex);
    disk_folder.clear();
    disk.clear();
}

void FaultVfs::failAt(int at, bool forever, int code) {
    fail_at = at;
    fail_forever = forever;
    fail_code = code;
    operations = 0;
    failed = 0;
}
int FaultVfs::count() { return operations; }
int FaultVfs::failures() { return failed; }

void FaultVfs::delayReads(std::chrono::microseconds delay) { read_delay_us = delay.count(); }

void FaultVfs::recordDisk(const std::filesystem::path& folder) {
    const std::lock_guard guard(disk_mutex);
    disk_folder = folder.string();
    disk.clear();
}

void FaultVfs::failSyncs(int count, int skip) {
    syncs_to_skip = skip;
    syncs_to_fail = count;
}
int FaultVfs::failingSyncsLeft() { return syncs_to_fail; }

void FaultVfs::writeDisk(const std::filesystem::path& target) {
    const std::lock_guard guard(disk_mutex);
    std::filesystem::create_directories(target);
    for (const auto& [path, record] : disk)
        std::ofstream(target / std::filesystem::path(path).filename(), std::ios::binary) << record.synced;
}

}  // namespace seedbed::testing
