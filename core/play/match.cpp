// SPDX-License-Identifier: Apache-2.0
#include "core/play/match.hpp"

#include <algorithm>
#include <utility>

#include "core/session/evaluation_spans.hpp"

namespace seedbed {
namespace {

constexpr int kPairs = 16;  // pairs of episodes played together; a stop discards at most these

EvaluationRequest requestFor(const MatchRequest& match, const SeatPlayer& player) {
    return {
        .env = match.env,
        .env_params = match.env_params,
        .env_spec = match.env_spec,
        .distribution = player.net ? player.distribution : ActionDistribution(match.env_spec.spaces, false),
        .scripted = player.scripted,
        .policies = player.policies,
        .swap = match.swap,
        .opening = match.opening,
        .episodes = match.games,
        .selection = player.selection,
        .seed = match.seed,
        .limits = {.episode_decisions = match.max_steps, .decisions = 0, .seconds = 0}};
}

struct Played {
    EvaluationResult result;
    bool stopped = false;
};

Result<Played> play(const SeatPlayer& player, const EvaluationRequest& request, int threads,
                    const std::stop_token& stop) {
    EvaluationSpans spans(player.net, player.params, request);
    Played played;
    if (Result<> result = spans.play(threads, stop); !result) {
        if (result.error().code != ErrorCode::interrupted) return tl::unexpected<Error>(result.error());
        played.stopped = true;
    }
    played.result = spans.take();
    return played;
}

Result<MatchResult> playGames(const MatchRequest& match, const std::stop_token& stop) {
    EvaluationRequest request = requestFor(match, match.a);
    request.opponent = match.b;
    SEEDBED_ASSIGN(const Played played, play(match.a, request, match.threads, stop));
    MatchResult result;
    result.seats.resize(2);
    result.stopped = played.stopped;
    if (!played.stopped) result.problem = played.result.problem;
    for (std::size_t i = 0; i < played.result.games.size(); ++i) {
        const GameResult& game = played.result.games[i];
        const double own = played.result.episodes[i].episode_return;
        GameCounts& counts = result.seats[static_cast<std::size_t>(game.seat)];
        const std::uint64_t outcome = own > game.other_return   ? kGameWon
                                      : own < game.other_return ? kGameLost
                                                                : kGameDrawn;
        result.game_ids.push_back((game.actions << 2) | outcome);
        ++(outcome == kGameWon ? counts.wins : outcome == kGameLost ? counts.losses : counts.draws);
    }
    return result;
}

// Each environment plays one episode, so that both players' episodes begin with the same random numbers.
Result<MatchResult> playPairs(const MatchRequest& match, const std::stop_token& stop) {
    MatchResult result;
    for (int first = 0; first < match.games && !result.stopped; first += kPairs) {
        std::vector<double>* returns[] = {&result.a, &result.b};
        const SeatPlayer* players[] = {&match.a, &match.b};
        EvaluationResult played[2];
        for (int side = 0; side < 2 && !result.stopped; ++side) {
            EvaluationRequest request = requestFor(match, *players[side]);
            request.episodes = std::min(kPairs, match.games - first);
            request.seed = match.seed + static_cast<std::uint64_t>(first / kPairs);
            SEEDBED_ASSIGN(Played one, play(*players[side], request, match.threads, stop));
            result.stopped = one.stopped;
            played[side] = std::move(one.result);
        }
        if (result.stopped) break;
        const bool is_complete = played[0].isComplete() && played[1].isComplete();
        for (const EvaluationResult& one : played)
            if (result.problem.empty()) result.problem = one.problem;
        for (int side = 0; side < 2 && is_complete; ++side)
            for (const EpisodeResult& episode : played[side].episodes)
                returns[side]->push_back(episode.episode_return);
    }
    return result;
}

}  // namespace

GameCounts MatchResult::total() const {
    GameCounts sum;
    for (const GameCounts& seat : seats) {
        sum.wins += seat.wins;
        sum.draws += seat.draws;
        sum.losses += seat.losses;
    }
    return sum;
}

Share shareOf(double count, std::int64_t games) {
    const auto [low, high] = wilsonInterval(count, static_cast<double>(games));
    return {games > 0 ? count / static_cast<double>(games) : 0, low, high};
}

Share scoreOf(const GameCounts& counts) {
    return shareOf(static_cast<double>(counts.wins) + static_cast<double>(counts.draws) / 2, counts.games());
}

Result<MatchResult> playMatch(const MatchRequest& request, const std::stop_token& stop) {
    if (request.env_spec.agents == 1) return playPairs(request, stop);
    if (request.env_spec.agents == 2) return playGames(request, stop);
    return fail(ErrorCode::config, "'" + request.env->id + "' has " +
                                       std::to_string(request.env_spec.agents) +
                                       " seats; matches need an environment with one or two");
}

}  // namespace seedbed
