// SPDX-License-Identifier: Apache-2.0
#include "core/store/league/named_member.hpp"

#include <string>
#include <utility>
#include <vector>

#include "core/base/text.hpp"

namespace seedbed {

bool namesLeagueMember(std::string_view player) { return player.starts_with(kLeaguePrefix); }

Result<NamedMember> findLeagueMember(const std::filesystem::path& data_folder, std::string_view player) {
    const std::string_view path = player.substr(kLeaguePrefix.size());
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos || slash == 0 || slash + 1 == path.size())
        return fail(ErrorCode::config, "'" + std::string(player) + "' does not name a member; write " +
                                           std::string(kLeaguePrefix) + "LEAGUE/MEMBER");
    const std::string_view name = path.substr(slash + 1);
    SEEDBED_ASSIGN(LeagueStore store, LeagueStore::open(data_folder));
    SEEDBED_ASSIGN(LeagueRecord league, store.league(path.substr(0, slash)));
    SEEDBED_ASSIGN(auto members, store.members(league.id));
    std::vector<std::string> names;
    for (LeagueMember& member : members) {
        if (member.name == name) return NamedMember{std::move(league), std::move(member)};
        names.push_back(member.name);
    }
    return fail(ErrorCode::config, "the league '" + league.name + "' has no member '" + std::string(name) +
                                       "'" + (names.empty() ? "" : "; members: " + join(names, ", ")));
}

}  // namespace seedbed
