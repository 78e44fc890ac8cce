// SPDX-License-Identifier: Apache-2.0
// SQLite's file operations, counted and made to fail on demand. Syncs reach the disk only in name: no test
// can take away the power.
#pragma once

namespace seedbed::testing {

struct FaultVfs {
    // Makes it the default of this process; once is enough.
    static void install();
    // Operation number `at` (from 1) fails, and all after it when `forever`; 0: none. `code` is SQLite's;
    // with SQLITE_FULL only writes count. Writes that fail have written half.
    static void failAt(int at, bool forever, int code);
    static int count();  // operations since failAt()
    static int failures();
};

}  // namespace seedbed::testing
