// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/memory/failing_memory.hpp"

#include <atomic>
#include <cstdlib>

#include <sqlite3.h>
#include <unistd.h>

#include "tests/unit/base/allocation_count.hpp"

namespace {

std::atomic<std::int64_t> fail_at{0}, allocations{0}, failed{0};
std::atomic<bool> fail_forever{false};

bool fails() {
    const std::int64_t at = fail_at.load(std::memory_order_relaxed);
    if (at == 0) return false;
    const std::int64_t number = ++allocations;
    if (number != at && !(fail_forever && number > at)) return false;
    ++failed;
    return true;
}

sqlite3_mem_methods original;
void* sqliteMalloc(int bytes) { return fails() ? nullptr : original.xMalloc(bytes); }
void* sqliteRealloc(void* memory, int bytes) { return fails() ? nullptr : original.xRealloc(memory, bytes); }

}  // namespace

// Thousands of folders are created and removed, so use memory instead of a disk, and skip syncs.
const bool kInMemory = ::access("/dev/shm", W_OK) == 0 && ::setenv("TMPDIR", "/dev/shm", 0) == 0;
extern "C" int fsync(int) { return 0; }
extern "C" int fdatasync(int) { return 0; }

namespace seedbed::testing {

void FailingMemory::failAt(std::int64_t at, bool forever) {
    fail_at = 0;
    fail_forever = forever;
    allocations = 0;
    failed = 0;
    refuseAllocations(fails);
    fail_at = at;
}
std::int64_t FailingMemory::count() { return allocations; }
std::int64_t FailingMemory::failures() { return failed; }

void FailingMemory::includeSqlite() {
    static const bool once = [] {
        sqlite3_config(SQLITE_CONFIG_GETMALLOC, &original);
        sqlite3_mem_methods methods = original;
        methods.xMalloc = sqliteMalloc;
        methods.xRealloc = sqliteRealloc;
        return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK;
    }();
    if (!once) std::abort();
}

}  // namespace seedbed::testing
