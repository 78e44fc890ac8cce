// SPDX-License-Identifier: Apache-2.0
// Repairs a write-ahead log after a failed sync. Internal to core/store.
#pragma once

struct sqlite3;

namespace seedbed {

// After a failed sync the kernel treats unwritten pages as written, and later syncs skip them.
// Rewrites the committed log and the pages moved from it to the database, and syncs both. The caller holds
// the file lock, has no transaction, and has read the database. Returns SQLite's code; SQLITE_CORRUPT if the
// log is incomplete.
int rewriteLog(sqlite3* connection);

}  // namespace seedbed
