// SPDX-License-Identifier: Apache-2.0
// The tables of the database and their migrations. Internal to core/store.
#pragma once

#include <span>

#include "core/base/error.hpp"
#include "core/store/database.hpp"
#include "core/store/write_lock.hpp"

namespace seedbed {

// Migration i changes a database from version i to i + 1; migration 0 creates all tables. Released migrations
// never change.
using Migrations = std::span<const char* const>;
Migrations storeMigrations();
// PRAGMA application_id of Seedbed's databases.
std::int64_t storeApplicationId();

// Opens the database of a data folder: creates it if it is missing, checks it, and migrates it after a
// backup. The caller must not be in a transaction. error: one sentence; the file is unchanged.
Result<std::unique_ptr<Database>> openForWriting(const std::filesystem::path& data_folder,
                                                 WriteLockFile& lock,
                                                 Migrations migrations = storeMigrations(),
                                                 Database::KeepWaiting keep_waiting = {},
                                                 const System& system = realSystem());
// Opens an existing database, migrated if necessary; for readers, and for writers other than Store.
Result<std::unique_ptr<Database>> openExisting(const std::filesystem::path& data_folder,
                                               Database::Access access,
                                               Migrations migrations = storeMigrations(),
                                               Database::KeepWaiting keep_waiting = {},
                                               const System& system = realSystem());

}  // namespace seedbed
