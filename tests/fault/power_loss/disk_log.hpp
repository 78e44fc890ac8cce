// SPDX-License-Identifier: Apache-2.0
// Records every change that this process makes below one folder: the system calls of the file seam, of SQLite
// and of anything else in the process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace seedbed::testing {

// Paths are relative to the recorded folder; "" is the folder itself.
struct DiskCall {
    enum class Kind {
        open,          // `path` as `handle`; `created` and `truncated` apply
        make_folder,   // path
        write,         // `bytes` at `offset` of `handle`
        set_size,      // resizes `handle` to `offset` bytes
        sync,          // handle: a file or a folder
        failed_sync,   // handle: the system has dropped what was not written yet
        rename,        // path to `target`
        remove,        // path: a file or an empty folder
        acknowledged,  // `bytes` describes what was acknowledged to the caller
    };
    Kind kind = Kind::open;
    std::string path, target, bytes;
    std::int64_t handle = 0, offset = 0;
    bool created = false, truncated = false, folder = false;
};

// Static, because it replaces functions of the C library (disk_log.cpp). Thread: any; calls are recorded in
// the order in which they take effect. Not recorded: reads, locks, and SQLite's shared memory ("-shm"), which
// does not outlive a power failure. Real syncs are skipped in the whole process to save time.
struct DiskLog {
    enum class Sync {
        works,
        has_no_effect,  // but reports success, as if the program had not called it
        fails,          // fails with EIO
    };
    // Decides about each sync; called in the thread that syncs.
    using OnSync = std::function<Sync(const std::string& path, bool is_folder)>;
    static void begin(const std::string& folder, OnSync on_sync = {});
    static void acknowledge(const std::string& what);
    static std::vector<DiskCall> end();
};

}  // namespace seedbed::testing
