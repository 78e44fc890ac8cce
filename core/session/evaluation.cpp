// SPDX-License-Identifier: Apache-2.0
#include "core/session/evaluation.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/session/evaluation_spans.hpp"

namespace seedbed {
EvaluationResult summariseEvaluation(std::vector<EpisodeResult> episodes, std::uint64_t decisions) {
    std::vector<double> returns;
    for (const EpisodeResult& episode : episodes) returns.push_back(episode.episode_return);
    return {.episodes = std::move(episodes),
            .games = {},
            .summary = summarise(returns),
            .seat_means = {},
            .tasks = {},
            .decisions = decisions,
            .tracks = {},
            .asked = 0,
            .replaced = 0,
            .missing_tasks = 0,
            .problem = {}};
}

std::optional<double> humanNormalised(const EvaluationResult& result) {
    const std::vector<TaskScore>& tasks = result.tasks;
    if (tasks.empty() || result.missing_tasks > 0) return std::nullopt;
    if (tasks.size() == 1) return tasks.front().human_normalised;
    double sum = 0;
    for (const TaskScore& score : tasks) sum += std::min(100.0, score.human_normalised);
    return sum / static_cast<double>(tasks.size());
}

Result<> requireEpisodes(const EvaluationResult& result) {
    if (!result.episodes.empty()) return {};
    return fail("no episode was completed: " + result.problem);
}

Result<EvaluationResult> evaluate(std::shared_ptr<EngineNet> net, const Params& params,
                                  const EvaluationRequest& request, int threads, std::stop_token stop) {
    EvaluationSpans spans(std::move(net), params, request);
    SEEDBED_TRY(spans.play(threads, stop));
    return spans.take();
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
    const EnvSpec& env = request.env_spec;
    const std::pair<const char*, const Place&> kinds[] = {
        {"best", places.front()}, {"median", places[places.size() / 2]}, {"worst", places.back()}};
    for (const auto& [kind, place] : kinds) {
        // The replay also contains the earlier episodes, since the random stream of the environment continues
        // across episodes.
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
