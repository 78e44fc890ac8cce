// SPDX-License-Identifier: Apache-2.0
// The tables of the database and how one of an older version is brought up to date. Inner part of core/store.
#pragma once

#include <span>

#include "core/base/error.hpp"
#include "core/store/database.hpp"

namespace seedbed {

// Step i brings a database from version i to version i + 1; the first one makes all tables. Released steps
// are never changed.
using Migrations = std::span<const char* const>;
Migrations storeMigrations();
// What PRAGMA application_id says of our databases.
std::int64_t storeApplicationId();

// The database of a data folder, ready for use: made when missing, checked, migrated after a backup. The
// caller holds no transaction. error: one sentence; the file is then as it was.
Result<std::unique_ptr<Database>> openForWriting(const std::filesystem::path& data_folder,
                                                 WriteLockFile& lock,
                                                 Migrations migrations = storeMigrations(),
                                                 Database::KeepWaiting keep_waiting = {},
                                                 const System& system = realSystem());
// One that exists, brought up to date if need be; for writers beside a Store and for readers.
Result<std::unique_ptr<Database>> openExisting(const std::filesystem::path& data_folder,
                                               Database::Access access,
                                               Migrations migrations = storeMigrations(),
                                               Database::KeepWaiting keep_waiting = {},
                                               const System& system = realSystem());

}  // namespace seedbed
