// SPDX-License-Identifier: Apache-2.0
// Members of leagues: players whose policy is copied, so that it stays when its run is continued or removed.
#pragma once

#include <string>

#include "app/match_players.hpp"
#include "core/play/match.hpp"
#include "core/store/league/league_store.hpp"
#include "core/store/league/named_member.hpp"
#include "core/store/run_lock.hpp"

namespace seedbed::app {

// Copies the policy of `side` to the data folder and adds it under `name`. error: config, if the player does
// not fit the league's environment.
Result<std::int64_t> addLeagueMember(LeagueStore& store, const LeagueRecord& league, const Side& side,
                                     const std::string& name, const Context& context);
// The member named "league:LEAGUE/MEMBER". error: also as for openMember().
Result<Side> openLeagueMember(const std::string& player, const Context& context);

// The environment of a league, with the settings with which it was created.
Result<BundleEnv> leagueEnv(const LeagueRecord& league);
// The lock of the process that trains agents of a league. Runs have positive numbers, populations small
// negative ones.
RunId trainingLock(const LeagueRecord& league);
// Why the member cannot play: the copy of its policy was removed. "" otherwise.
std::string memberProblem(const LeagueMember& member, const Context& context);
// error: config, if the copy of the policy was removed or changed.
Result<Side> openMember(const LeagueMember& member, const Context& context);

}  // namespace seedbed::app
