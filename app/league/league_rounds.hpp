// SPDX-License-Identifier: Apache-2.0
// Plays and records matches of a league, for its rounds and for members that are added while a run trains.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/interrupt.hpp"
#include "app/league_members.hpp"
#include "core/play/league.hpp"

namespace seedbed::app {

// Options of all commands that play matches.
struct MatchesOptions {
    std::string engine = "auto", device = "cpu";
    int games = 20, threads = 0;
};
void addMatchesOptions(CLI::App& cli, MatchesOptions& options);

// Members with opened policies. A member that cannot play is reported once and left out.
class Lineup {
public:
    // error: config, if the environment of the league cannot be created.
    static Result<Lineup> open(const LeagueRecord& league, const MatchesOptions& options,
                               const Context& context);

    const BundleEnv& env() const { return env_; }
    bool complete() const { return failed_.empty(); }
    // Null if it cannot play.
    const SeatPlayer* player(const LeagueMember& member);

private:
    Lineup(BundleEnv env, PlayerOptions options, const Context& context)
        : env_(std::move(env)), options_(std::move(options)), context_(context) {}
    Result<SeatPlayer> openPlayer(const LeagueMember& member) const;

    BundleEnv env_;
    PlayerOptions options_;
    const Context& context_;
    std::map<std::int64_t, SeatPlayer> players_;
    std::set<std::int64_t> failed_;
};

struct MatchCounts {
    int recorded = 0;
    std::vector<LeagueMatch> failed;  // they ended with an error, or without a finished game
};

// Plays `matches`, whose members must be in `members`, in their order, and records each one when it ends.
// error: from the store; interrupted.
Result<MatchCounts> playMatches(LeagueStore& store, const LeagueRecord& league, Lineup& lineup,
                                const std::vector<LeagueMember>& members, std::vector<LeagueMatch> matches,
                                const MatchesOptions& options, const Context& context, Interrupt& interrupt);

}  // namespace seedbed::app
