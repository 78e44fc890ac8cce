// SPDX-License-Identifier: Apache-2.0
// The leagues of an imported database. Internal to core/store.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/store/database.hpp"
#include "core/store/import.hpp"
#include "core/store/write_lock.hpp"

namespace seedbed {

// Checks the leagues, members and matches of an untrusted database and copies them to the temporary database.
// error: config, with the reason why a row is invalid.
Result<> stageLeagues(Database& source, Database& staging);

// Moves leagues of the attached database `staged`, each in one transaction. Adds what is missing: a league is
// recognised by its time of creation and its settings, a member by its player and its name or time, a match
// of a pair by its seed and result, since the same seed gives the same games.
class LeagueMove {
public:
    // `runs`: ids in the data folder by ids in the imported database. All must outlive this object.
    LeagueMove(Database& database, WriteLockFile& lock, const std::map<RunId, RunId>& runs)
        : database_(database), lock_(lock), runs_(runs) {}

    // Appends to `imported` after the commit of each league.
    Result<> run(std::vector<ImportedLeague>& imported);

private:
    using Ids = std::map<std::int64_t, std::int64_t>;  // ids here by ids in `staged`
    struct Pair {
        std::set<std::array<std::int64_t, 4>> matches;  // seed, wins, draws, losses
        std::int64_t next_number = 0;
    };

    Result<ImportedLeague> moveLeague(std::int64_t staged_id);
    Result<std::int64_t> findOrInsertLeague(std::int64_t staged_id, ImportedLeague& league);
    Result<Ids> moveMembers(std::int64_t staged_id, std::int64_t id, ImportedLeague& league);
    Result<std::int64_t> findOrInsertMember(const Statement& row, std::int64_t league_id,
                                            const std::set<std::int64_t>& taken, ImportedLeague& league);
    Result<> moveMatches(std::int64_t staged_id, std::int64_t id, const Ids& members, ImportedLeague& league);
    Result<Pair> readPair(std::int64_t league_id, std::int64_t a, std::int64_t b);
    std::string originHere(const std::string& origin) const;

    Database& database_;
    WriteLockFile& lock_;
    const std::map<RunId, RunId>& runs_;
    std::set<std::int64_t> leagues_;  // ids here that leagues of `staged` have been assigned to
};

}  // namespace seedbed
