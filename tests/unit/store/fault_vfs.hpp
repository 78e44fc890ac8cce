// SPDX-License-Identifier: Apache-2.0
// SQLite's file operations, counted and made to fail on demand, and the contents that a power failure would
// leave. Real syncs are skipped.
#pragma once

#include <chrono>
#include <filesystem>

namespace seedbed::testing {

struct FaultVfs {
    // Makes this file layer the default of the process. Each call also stops failures, delays and recording.
    static void install();
    // Operation number `at` (from 1) fails, and with `forever` all later ones; 0: none. `code` is SQLite's;
    // with SQLITE_FULL only writes count. Failing writes write half of the data.
    static void failAt(int at, bool forever, int code);
    static int count();  // operations since failAt()
    static int failures();
    // Each read takes this much longer.
    static void delayReads(std::chrono::microseconds delay);

    // From now on records which pages of the files below `folder` are on disk: those that were synced after
    // the last write to them. A failed sync drops the unsynced pages, as Linux does: programs continue to
    // read what they wrote, and later syncs succeed without those pages.
    static void recordDisk(const std::filesystem::path& folder);
    // The next `count` syncs fail, after `skip` that succeed.
    static void failSyncs(int count, int skip = 0);
    static int failingSyncsLeft();
    // Writes the recorded files to the folder `target`, as a power failure would leave them now.
    static void writeDisk(const std::filesystem::path& target);
};

}  // namespace seedbed::testing
