// SPDX-License-Identifier: Apache-2.0
#include "app/league/league_rounds.hpp"

#include <cstdio>
#include <optional>
#include <utility>

#include "app/policy_options.hpp"
#include "core/session/engine_choice.hpp"

namespace seedbed::app {
namespace {

MatchRequest requestOf(const LeagueRecord& league, const BundleEnv& env, const SeatPlayer& a,
                       const SeatPlayer& b, const MatchesOptions& options, std::uint64_t seed) {
    MatchRequest request;
    request.env = env.entry;
    request.env_params = env.params;
    request.env_spec = env.spec;
    request.a = a;
    request.b = b;
    request.games = options.games;
    request.opening = league.opening;
    request.seed = seed;
    request.threads = threadCount(options.threads);
    return request;
}

// Empty if no result counts. error: interrupted.
Result<std::optional<MatchResult>> countedGames(const MatchRequest& request, const std::string& title,
                                                Interrupt& interrupt) {
    auto played = playMatch(request, interrupt.token());
    if (!played) {
        std::fprintf(stderr, "seedbed: %s: %s\n", title.c_str(), played.error().text().c_str());
        return std::nullopt;
    }
    // Short games are over-represented in a match that was stopped, so it does not count.
    if (played->stopped) return fail(ErrorCode::interrupted, "stopped; the current match does not count");
    if (played->total().games() > 0) return std::move(*played);
    std::fprintf(stderr, "seedbed: %s: no game was finished: %s\n", title.c_str(), played->problem.c_str());
    return std::nullopt;
}

}  // namespace

void addMatchesOptions(CLI::App& cli, MatchesOptions& options) {
    cli.add_option("--games", options.games, "Games of a match; the players swap seats after every game")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    cli.add_option("--threads", options.threads, "Threads; 0: one per core")->check(CLI::Range(0, 1024));
    addEngineOption(cli, options.engine);
    addDeviceOption(cli, options.device);
}

Result<Lineup> Lineup::open(const LeagueRecord& league, const MatchesOptions& options,
                            const Context& context) {
    SEEDBED_ASSIGN(BundleEnv env, leagueEnv(league));
    return Lineup(std::move(env),
                  {.engine = options.engine,
                   .device = options.device,
                   .selection = league.sample ? Selection::sample : Selection::greedy},
                  context);
}

const SeatPlayer* Lineup::player(const LeagueMember& member) {
    if (failed_.contains(member.id)) return nullptr;
    const auto known = players_.find(member.id);
    if (known != players_.end()) return &known->second;
    Result<SeatPlayer> opened = openPlayer(member);
    if (opened) return &players_.emplace(member.id, std::move(*opened)).first->second;
    failed_.insert(member.id);
    std::fprintf(stderr, "seedbed: %s; '%s' does not play\n", opened.error().text().c_str(),
                 member.name.c_str());
    return nullptr;
}

Result<SeatPlayer> Lineup::openPlayer(const LeagueMember& member) const {
    SEEDBED_ASSIGN(const Side side, openMember(member, context_));
    return playerOf(side, env_, options_);
}

Result<MatchCounts> playMatches(LeagueStore& store, const LeagueRecord& league, Lineup& lineup,
                                const std::vector<LeagueMember>& members, std::vector<LeagueMatch> matches,
                                const MatchesOptions& options, const Context& context, Interrupt& interrupt) {
    std::map<std::int64_t, const LeagueMember*> by_id;
    for (const LeagueMember& member : members) by_id[member.id] = &member;
    MatchCounts counts;
    for (LeagueMatch& match : matches) {
        const LeagueMember& a = *by_id.at(match.a);
        const LeagueMember& b = *by_id.at(match.b);
        const SeatPlayer* player_a = lineup.player(a);
        const SeatPlayer* player_b = lineup.player(b);
        if (player_a == nullptr || player_b == nullptr) continue;
        const std::string title = a.name + " against " + b.name;
        SEEDBED_ASSIGN(auto played, countedGames(requestOf(league, lineup.env(), *player_a, *player_b,
                                                           options, match.seed),
                                                 title, interrupt));
        if (!played) {
            counts.failed.push_back(match);
            continue;
        }
        const GameCounts games = played->total();
        match.wins = static_cast<int>(games.wins);
        match.draws = static_cast<int>(games.draws);
        match.losses = static_cast<int>(games.losses);
        // Sampled actions make equal games independent.
        if (!league.sample) match.game_ids = std::move(played->game_ids);
        SEEDBED_ASSIGN(const bool is_new, store.record(league.id, match));
        counts.recorded += is_new ? 1 : 0;
        if (!context.quiet && !context.json) {
            std::printf("%s: %d wins, %d draws, %d losses\n", title.c_str(), match.wins, match.draws,
                        match.losses);
            std::fflush(stdout);  // a pipe gets each result when it is stored
        }
    }
    return counts;
}

}  // namespace seedbed::app
