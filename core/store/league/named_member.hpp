// SPDX-License-Identifier: Apache-2.0
// Members of leagues that are named like other players: league:LEAGUE/MEMBER.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/store/league/league_store.hpp"

namespace seedbed {

inline constexpr std::string_view kLeaguePrefix = "league:";
bool namesLeagueMember(std::string_view player);
struct NamedMember {
    LeagueRecord league;
    LeagueMember member;
};
// error: config, for a league or member that does not exist.
Result<NamedMember> findLeagueMember(const std::filesystem::path& data_folder, std::string_view player);

}  // namespace seedbed
