// SPDX-License-Identifier: Apache-2.0
// A shim over SQLite's default file layer.
#include "tests/unit/store/fault_vfs.hpp"

#include <atomic>
#include <cstddef>
#include <mutex>

#include <sqlite3.h>

namespace seedbed::testing {

namespace {

std::atomic<int> fail_at{0}, operations{0}, failed{0}, fail_code{SQLITE_IOERR_WRITE};
std::atomic<bool> fail_forever{false};
sqlite3_vfs* real = nullptr;

// SQLITE_OK, or the code of the fault whose turn it is. A full disk hinders only what takes space.
int fault(bool takes_space = false) {
    if (fail_code == SQLITE_FULL && !takes_space) return SQLITE_OK;
    const int number = ++operations, at = fail_at;
    if (at == 0 || (number != at && !(fail_forever && number > at))) return SQLITE_OK;
    ++failed;
    return fail_code;
}

struct FaultFile {
    sqlite3_file base;
    sqlite3_file* inner;  // behind this struct in memory
};

sqlite3_file* innerOf(sqlite3_file* file) { return reinterpret_cast<FaultFile*>(file)->inner; }

int fileClose(sqlite3_file* file) { return innerOf(file)->pMethods->xClose(innerOf(file)); }
int fileRead(sqlite3_file* file, void* into, int bytes, sqlite3_int64 offset) {
    if (const int code = fault()) return code;
    return innerOf(file)->pMethods->xRead(innerOf(file), into, bytes, offset);
}
int fileWrite(sqlite3_file* file, const void* from, int bytes, sqlite3_int64 offset) {
    if (const int code = fault(true)) {
        innerOf(file)->pMethods->xWrite(innerOf(file), from, bytes / 2, offset);
        return code;
    }
    return innerOf(file)->pMethods->xWrite(innerOf(file), from, bytes, offset);
}
int fileTruncate(sqlite3_file* file, sqlite3_int64 size) {
    if (const int code = fault()) return code;
    return innerOf(file)->pMethods->xTruncate(innerOf(file), size);
}
int fileSync(sqlite3_file*, int) {
    const int code = fault();
    return code == SQLITE_OK ? SQLITE_OK : SQLITE_IOERR_FSYNC;
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
    if (code == SQLITE_OK) shim->base.pMethods = &kMethods;
    return code;
}
int remove(sqlite3_vfs*, const char* name, int sync) {
    if (fault()) return SQLITE_IOERR_DELETE;
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
    failAt(0, false, SQLITE_IOERR);
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

}  // namespace seedbed::testing
