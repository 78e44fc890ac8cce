// SPDX-License-Identifier: Apache-2.0
// Leagues in the database: players of one game and the results of their matches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"

namespace seedbed {

struct LeagueRecord {
    std::int64_t id = 0;
    std::string name;  // as for checkRunName()
    std::string env;
    Json env_params = Json::object();
    int opening = 0;      // random decisions at the beginning of a game
    bool sample = false;  // policies sample their actions instead of choosing the most probable ones
    double created = 0;
};

struct LeagueMember {
    std::int64_t id = 0;
    std::string name;           // unique within the league
    std::string player;         // a scripted player, or the folder of a policy, relative to the data folder
    std::string origin;         // the name under which it was added, for example 2:best
    std::string params_sha256;  // "" for a scripted player
    bool active = true;         // plays in later rounds
    double added = 0;
};

// Games between two members, a.id < b.id. The two of a pair number their matches from 0.
struct LeagueMatch {
    std::int64_t a = 0, b = 0;
    std::int64_t number = 0;
    int wins = 0, draws = 0, losses = 0;  // of a
    std::uint64_t seed = 0;
    double time = 0;
    // Its games, as in MatchResult::game_ids. Empty: each counts as a game that was played once, as in
    // matches of earlier versions and of players that sample.
    std::vector<std::uint64_t> game_ids{};
    std::int64_t games() const { return std::int64_t{wins} + draws + losses; }
};

// In the data folder: the policies of members.
inline constexpr const char* kLeaguesFolder = "leagues";
// Where the policy of a member is, relative to the data folder.
std::filesystem::path leaguePolicyFolder(std::string_view league, std::string_view params_sha256);
// Whether it can be the name, player or origin of a member: 1 to 4,096 bytes without control characters.
bool isMemberText(std::string_view text);

// How the database stores LeagueMatch::game_ids: 8 bytes each, little-endian.
inline constexpr std::size_t kGameIdBytes = 8;
// The number of a game with both members exchanged.
std::uint64_t exchangedGame(std::uint64_t id);
std::vector<std::byte> gameIdBytes(std::span<const std::uint64_t> ids);
std::vector<std::uint64_t> gameIds(std::span<const std::byte> bytes);

// Thread: one owner at a time. Errors as for Store; config for a name that is taken or not allowed.
class LeagueStore {
public:
    // Creates or migrates the database if necessary.
    static Result<LeagueStore> open(const std::filesystem::path& data_folder);
    LeagueStore(LeagueStore&&) noexcept;
    LeagueStore& operator=(LeagueStore&&) noexcept;
    ~LeagueStore();

    // Returns the id. `league.id` is ignored.
    Result<std::int64_t> create(const LeagueRecord& league);
    Result<std::vector<LeagueRecord>> leagues();  // by name
    // error: config, with the names of the existing leagues.
    Result<LeagueRecord> league(std::string_view name);
    // Adds a member, or activates the one with the same name if it is the same player.
    Result<std::int64_t> addMember(std::int64_t league, const LeagueMember& member);
    Result<> setActive(std::int64_t member, bool active);
    Result<std::vector<LeagueMember>> members(std::int64_t league);  // in the order in which they were added
    Result<std::vector<LeagueMatch>> matches(std::int64_t league);
    // False, without a change, if the match of this pair with this number has been recorded before: the
    // caller was interrupted after the commit, or another process played it too.
    Result<bool> record(std::int64_t league, const LeagueMatch& match);

private:
    struct Impl;
    explicit LeagueStore(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace seedbed
