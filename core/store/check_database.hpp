// SPDX-License-Identifier: Apache-2.0
// A complete check of a database.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace seedbed {

struct DatabaseReport {
    std::vector<std::string> problems;  // one sentence each; empty if the database is intact
    std::int64_t version = 0, runs = 0, points = 0, episodes = 0;
    std::uint64_t bytes = 0;  // size of the file and its log
};

// Checks everything: SQLite's own structures, references between tables, and that every curve has the
// recorded number of points, in order. Does not block running jobs. error: the database cannot be opened.
Result<DatabaseReport> checkDatabase(const std::filesystem::path& data_folder);

// Size of the file and its log.
std::uint64_t databaseBytes(const std::filesystem::path& data_folder);

}  // namespace seedbed
