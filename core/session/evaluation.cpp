// SPDX-License-Identifier: Apache-2.0
#include "core/session/evaluation.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "core/env/vector_env.hpp"
#include "core/infer/span_inference.hpp"
#include "core/session/group.hpp"

namespace seedbed {
namespace {

// Environments per span: a fixed number, so that results do not depend on threads.
constexpr int kSpanEnvs = 8;
constexpr int kMaxEnvs = 64;

// Plays `episodes[e]` episodes on each environment of one span.
Result<> playSpan(EngineNet& net, const Params& params, const EvaluationRequest& request, int first_env,
                  std::span<std::vector<EpisodeResult>> results, std::span<const int> episodes,
                  std::uint64_t& decisions, std::span<ReplayTrack> tracks, std::stop_token stop) {
    const int envs = static_cast<int>(episodes.size());
    SEEDBED_ASSIGN(auto group, ActorGroup::create(GroupSpec{.env = request.env,
                                                            .env_params = request.env_params,
                                                            .distribution = request.distribution,
                                                            .net = &net,
                                                            .envs = envs,
                                                            .first_env = first_env,
                                                            .rows = 2,
                                                            .seed = request.seed,
                                                            .env_purpose = RngPurpose::evaluation_environment,
                                                            .action_purpose = RngPurpose::evaluation_action,
                                                            .selection = request.selection,
                                                            .learner_rewards = false}));
    const int agents = group->env().spec().agents;
    int open = static_cast<int>(std::count_if(episodes.begin(), episodes.end(), [](int n) { return n > 0; }));
    std::vector<EpisodeEnd> ended;
    ThreadTimes times;
    std::optional<EpisodeRecorder> recorder;
    if (request.record) recorder.emplace(group->ring(), agents, static_cast<std::uint32_t>(first_env));
    while (open > 0) {
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "the evaluation was stopped");
        ended.clear();
        SEEDBED_TRY(group->tick(params, ended, times));
        if (recorder) recorder->stepped(ended);
        for (const EpisodeEnd& end : ended) {
            if (end.column % agents != 0) continue;
            const auto env = static_cast<std::size_t>(end.column / agents);
            if (static_cast<int>(results[env].size()) >= episodes[env]) continue;
            results[env].push_back({end.episode_return, end.length});
            if (static_cast<int>(results[env].size()) < episodes[env]) continue;
            --open;
            if (recorder) recorder->enough(static_cast<int>(env));
        }
    }
    decisions = group->env().decisions();
    if (recorder) std::ranges::move(recorder->take(), tracks.begin());
    return {};
}

}  // namespace

EvaluationResult summariseEvaluation(std::vector<EpisodeResult> episodes, std::uint64_t decisions) {
    std::vector<double> returns;
    for (const EpisodeResult& episode : episodes) returns.push_back(episode.episode_return);
    return {
        .episodes = std::move(episodes), .summary = summarise(returns), .decisions = decisions, .tracks = {}};
}

Result<EvaluationResult> evaluate(EngineNet& net, const Params& params, const EvaluationRequest& request,
                                  WorkerPool& pool, std::stop_token stop) {
    const int envs = std::clamp(request.episodes, 1, kMaxEnvs);
    // Every environment plays the same number of episodes, up to the remainder: stopping at the first n to
    // finish would favour short ones.
    std::vector<int> episodes(static_cast<std::size_t>(envs));
    for (int e = 0; e < envs; ++e)
        episodes[static_cast<std::size_t>(e)] =
            request.episodes / envs + (e < request.episodes % envs ? 1 : 0);
    std::vector<std::vector<EpisodeResult>> results(episodes.size());
    const auto spans = static_cast<std::size_t>((envs + kSpanEnvs - 1) / kSpanEnvs);
    std::vector<std::uint64_t> decisions(spans);
    std::vector<ReplayTrack> tracks(episodes.size());
    const auto play = [&](std::size_t span, int) {
        const std::size_t begin = span * kSpanEnvs,
                          count = std::min<std::size_t>(kSpanEnvs, episodes.size() - begin);
        return playSpan(net, params, request, static_cast<int>(begin),
                        std::span(results).subspan(begin, count), std::span(episodes).subspan(begin, count),
                        decisions[span], std::span(tracks).subspan(begin, count), stop);
    };
    SEEDBED_TRY(pool.run(spans, play));

    std::vector<EpisodeResult> played;
    std::uint64_t all_decisions = 0;
    for (const auto& of_env : results) played.insert(played.end(), of_env.begin(), of_env.end());
    for (const std::uint64_t n : decisions) all_decisions += n;
    EvaluationResult result = summariseEvaluation(std::move(played), all_decisions);
    if (request.record) result.tracks = std::move(tracks);
    return result;
}

std::vector<Replay> bestMedianWorst(const EvaluationRequest& request, const EvaluationResult& result,
                                    const Json& source) {
    struct Place {
        double episode_return;
        int track, episode;
    };
    std::vector<Place> places;
    for (std::size_t track = 0; track < result.tracks.size(); ++track)
        for (std::size_t episode = 0; episode < result.tracks[track].episodes.size(); ++episode)
            places.push_back({result.tracks[track].episodes[episode].episode_return, static_cast<int>(track),
                              static_cast<int>(episode)});
    std::vector<Replay> replays;
    if (places.empty()) return replays;
    std::ranges::stable_sort(places, std::ranges::greater(), &Place::episode_return);
    const EnvSpec env = request.env->spec(request.env_params);
    const std::pair<const char*, const Place&> kinds[] = {
        {"best", places.front()}, {"median", places[places.size() / 2]}, {"worst", places.back()}};
    for (const auto& [kind, place] : kinds) {
        // With the episodes before it, since the random stream of the environment continues through them.
        ReplayTrack track = result.tracks[static_cast<std::size_t>(place.track)];
        track.episodes.resize(static_cast<std::size_t>(place.episode) + 1);
        std::uint64_t decisions = 0;
        for (const ReplayEpisode& episode : track.episodes) decisions += episode.decisions;
        Replay replay{.env = request.env->id,
                      .env_params = request.env_params,
                      .upstream = env.upstream,
                      .seed = request.seed,
                      .purpose = RngPurpose::evaluation_environment,
                      .agents = env.agents,
                      .action_words = env.spaces.actionWords(),
                      .tracks = {},
                      .track = 0,
                      .episode = place.episode,
                      .source = source};
        track.actions.resize(decisions * static_cast<std::size_t>(replay.agents) *
                             static_cast<std::size_t>(replay.action_words));
        replay.tracks.push_back(std::move(track));
        replay.source["kind"] = kind;
        replays.push_back(std::move(replay));
    }
    return replays;
}

}  // namespace seedbed
