// SPDX-License-Identifier: Apache-2.0
// seedbed play, seedbed replay: games of a trained policy, watched through a socket, played headless,
// recorded and repeated.
#include <cmath>
#include <cstdio>

#include <sched.h>
#include <unistd.h>

#include "app/command.hpp"
#include "app/configuration.hpp"
#include "app/interrupt.hpp"
#include "core/analysis/statistics.hpp"
#include "core/base/text.hpp"
#include "core/control/protocol.hpp"
#include "core/play/player_session.hpp"
#include "core/play/replay.hpp"
#include "core/run/run_control.hpp"

namespace seedbed::app {
namespace {

constexpr int kNice = 10;

// Players wait behind whatever trains: less of the processor, and none of it at the moment they wake up
// (SCHED_BATCH), when a training thread that was interrupted would let the others wait for it.
Result<> stepBack() {
    const sched_param none{};
    (void)::sched_setscheduler(0, SCHED_BATCH, &none);
    return setNiceness(kNice);
}

struct PlayOptions {
    PlayerPolicyRequest policy;
    bool greedy = false, sample = false, headless = false, with_viewer = false, verify = false;
    std::uint64_t seed = 1;
    int envs = 1, episodes = 0, track = 0;
    double speed = NAN;
    std::string kind;  // of a kept replay
    std::filesystem::path record, file, socket;
};

void say(const Context& context, const std::string& text) {
    if (context.json) printJson({{"message", text}});
    else if (!context.quiet) std::fprintf(stderr, "%s\n", text.c_str());
    std::fflush(stdout);
}

// Opens the socket, says where it is, and plays until the end.
Result<int> show(PlayerSessionSpec spec, const PlayOptions& options, const Context& context,
                 const std::string& what, const std::stop_token& stop) {
    RealFileSystem files;
    SEEDBED_TRY(makeFolders(files, controlFolder(context.data_folder)));
    removeDeadPlayerSockets(files, context.data_folder);
    spec.socket = options.socket.empty() ? playerSocket(context.data_folder, ::getpid()) : options.socket;
    spec.seed = options.seed, spec.envs = options.envs, spec.until_viewer_leaves = options.with_viewer;
    spec.selection = options.sample ? Selection::sample : Selection::greedy;
    spec.speed = std::isnan(options.speed) ? 1 : options.speed;
    spec.message = [&](const std::string& text) { say(context, text); };
    const auto ready = [&] {
        if (context.json) printJson({{"socket", spec.socket.string()}, {"pid", ::getpid()}});
        else if (!context.quiet)
            std::fprintf(stderr, "%s; to be watched through %s\n", what.c_str(), spec.socket.c_str());
        std::fflush(stdout);
    };
    SEEDBED_TRY(runPlayer(spec, ready, stop));
    return stop.stop_requested() ? kInterrupted : kOk;
}

Json headlessJson(const HeadlessResult& result, const Summary& s) {
    Json episodes = Json::array();
    for (const EpisodeEnd& end : result.episodes)
        episodes.push_back({{"return", end.episode_return}, {"length", end.length}});
    return {{"n", s.n},
            {"mean", s.mean},
            {"std", s.std},
            {"iqm", s.iqm},
            {"ci95", {s.ci_low, s.ci_high}},
            {"min", s.min},
            {"max", s.max},
            {"episodes", episodes}};
}

Result<int> playHeadlessly(PlayerPolicy& policy, const PlayOptions& options, const Context& context,
                           const std::stop_token& stop) {
    const HeadlessSpec spec{.policy = &policy,
                            .envs = options.envs,
                            .seed = options.seed,
                            .selection = options.sample ? Selection::sample : Selection::greedy,
                            .speed = std::isnan(options.speed) ? 0 : options.speed,
                            .episodes = options.episodes,
                            .record = !options.record.empty(),
                            .ended = {},
                            .message = [&](const std::string& text) {
                                if (!context.quiet) std::fprintf(stderr, "%s\n", text.c_str());
                            }};
    SEEDBED_ASSIGN(const HeadlessResult result, playHeadless(spec, stop));
    std::vector<double> returns;
    for (const EpisodeEnd& end : result.episodes) returns.push_back(end.episode_return);
    const Summary summary = summarise(returns);
    Json json = headlessJson(result, summary);
    if (!options.record.empty()) {
        if (!result.replay) return fail("no episode was finished, so nothing was recorded");
        RealFileSystem files;
        SEEDBED_TRY(saveReplay(files, options.record, *result.replay));
        json["record"] = options.record.string(), json["sha256"] = result.replay->sha256();
    }
    if (context.json) printJson(json);
    else if (summary.n > 0)
        std::printf("%zu %s episodes, return %.4g +- %.4g, min %.4g, max %.4g\n", summary.n,
                    options.sample ? "sampled" : "greedy", summary.mean, summary.std, summary.min,
                    summary.max);
    if (!context.json && !options.record.empty())
        std::printf("recorded in %s, hash %s\n", options.record.c_str(), result.replay->sha256().c_str());
    return result.stopped && options.episodes > 0 ? kInterrupted : kOk;
}

Result<int> play(PlayOptions& options, const Context& context) {
    if (!options.headless && (options.episodes > 0 || !options.record.empty()))
        return fail(ErrorCode::usage, "--episodes and --record are for --headless");
    if (options.headless && !options.record.empty() && options.episodes == 0)
        return fail(ErrorCode::usage, "--record needs --episodes N: how many to record");
    if (options.headless && options.episodes == 0 && std::isnan(options.speed) && !options.policy.follow)
        return fail(ErrorCode::usage,
                    "--headless plays --episodes N, or without end with --follow or --speed");
    if (!options.kind.empty() && (options.headless || options.policy.follow))
        return fail(
            ErrorCode::usage,
            "--replay shows an episode that was played; it goes with neither --headless nor --follow");
    SEEDBED_TRY(stepBack());
    Interrupt interrupt("");
    RealFileSystem files;
    options.policy.data_folder = context.data_folder;
    SEEDBED_ASSIGN(const auto policy, PlayerPolicy::open(files, options.policy, interrupt.token()));
    if (options.headless) return playHeadlessly(*policy, options, context, interrupt.token());
    for (const std::string& notice : policy->takeNotices()) say(context, notice);
    PlayerSessionSpec spec;
    spec.policy = policy.get();
    std::optional<Replay> replay;
    if (!options.kind.empty()) {
        const Path file = policy->folder() / replayFileName(options.kind);
        SEEDBED_ASSIGN(const auto there, files.info(file));
        if (!there)
            return fail(ErrorCode::config,
                        "'" + options.policy.name +
                            "' has no replays yet: they come with the run's first evaluation; " +
                            "without --replay its policy plays now");
        SEEDBED_ASSIGN(replay, loadReplay(files, file));
        spec.replay = &*replay;
    }
    return show(spec, options, context,
                policy->env().id + " is played with the policy of step " + formatCount(policy->steps()),
                interrupt.token());
}

Result<int> repeat(PlayOptions& options, const Context& context) {
    Interrupt interrupt("");
    RealFileSystem files;
    SEEDBED_ASSIGN(Replay replay, loadReplay(files, options.file));
    if (options.verify) {
        SEEDBED_TRY(verifyReplay(replay, interrupt.token()));
        std::uint64_t decisions = 0;
        std::size_t episodes = 0;
        for (const ReplayTrack& track : replay.tracks)
            for (const ReplayEpisode& episode : track.episodes) decisions += episode.decisions, ++episodes;
        if (context.json)
            printJson({{"file", options.file.string()},
                       {"env", replay.env},
                       {"episodes", episodes},
                       {"decisions", decisions},
                       {"sha256", replay.sha256()},
                       {"source", replay.source}});
        else
            std::printf("%s: %zu episodes of %s with %s decisions are what was recorded, hash %s\n",
                        options.file.c_str(), episodes, replay.env.c_str(),
                        formatCount(static_cast<std::int64_t>(decisions)).c_str(), replay.sha256().c_str());
        return kOk;
    }
    if (options.track > 0) {
        if (static_cast<std::size_t>(options.track) > replay.tracks.size())
            return fail(ErrorCode::config,
                        "the replay has " + std::to_string(replay.tracks.size()) + " tracks");
        replay.track = options.track - 1, replay.episode = 0;
    }
    SEEDBED_TRY(stepBack());
    PlayerSessionSpec spec;
    spec.replay = &replay;
    // Inside a checkpoint the policy that played is at hand and says what it thought.
    std::unique_ptr<PlayerPolicy> policy;
    const Path folder = std::filesystem::absolute(options.file).parent_path();
    if (isReplayFileName(options.file.filename().string())) {
        options.policy.data_folder = context.data_folder, options.policy.name = folder.string();
        if (auto found = PlayerPolicy::open(files, options.policy, interrupt.token()))
            policy = std::move(*found);
    }
    spec.policy = policy.get();
    return show(spec, options, context, "a replay of " + replay.env, interrupt.token());
}

void addViewerOptions(CLI::App& cli, PlayOptions& options, const std::string& usual_speed) {
    cli.add_option("--speed", options.speed,
                   "Times the usual pace; 0: as fast as it goes (default: " + usual_speed + ")")
        ->check(CLI::Range(0.0, 1000.0));
    cli.add_option("--socket", options.socket, "Where to listen instead of in the data folder")
        ->check(notEmpty());
    cli.add_flag("--with-viewer", options.with_viewer, "End when whoever watches has left");
    cli.add_option("--engine", options.policy.engine, settingHelp("run.engine"))->capture_default_str();
    cli.add_option("--device", options.policy.device, settingHelp("run.device"))->capture_default_str();
}

SEEDBED_REGISTER_COMMAND(
    play,
    {.id = "play",
     .summary = "Play a trained policy to be watched, or headless to be recorded",
     .examples = {"seedbed play 3 --follow", "seedbed play 3:best --sample --envs 9",
                  "seedbed play 3 --replay worst",
                  "seedbed play 3 --headless --episodes 10 --record games.replay"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<PlayOptions>();
         cli.add_option("RUN|CHECKPOINT", options->policy.name,
                        "RUN, RUN:best, RUN:STEP, an imported policy or a folder")
             ->required();
         auto* greedy = cli.add_flag("--greedy", options->greedy, "Most probable action (default)");
         cli.add_flag("--sample", options->sample, "Sampled actions")->excludes(greedy);
         cli.add_option("--seed", options->seed, "Seed of environments and sampling")->capture_default_str();
         cli.add_flag("--follow", options->policy.follow, "Always the newest weights of a run that is going");
         cli.add_option("--envs", options->envs, "Environments at once")
             ->check(CLI::Range(1, kMaxPlayerEnvs))
             ->capture_default_str();
         cli.add_flag("--headless", options->headless, "Nothing is shown");
         cli.add_option("--episodes", options->episodes, "Episodes to play, with --headless")
             ->check(CLI::Range(1, 10000000));
         cli.add_option("--record", options->record,
                        "File for seed and actions, with --headless; see 'seedbed replay'")
             ->check(notEmpty());
         cli.add_option("--replay", options->kind, "Show an evaluation episode kept with the checkpoint")
             ->check(CLI::IsMember({"best", "median", "worst"}));
         addViewerOptions(cli, *options, "1; with --headless 0");
         return [options](const Context& context) { return play(*options, context); };
     }});

SEEDBED_REGISTER_COMMAND(
    replay, {.id = "replay",
             .summary = "Show a recorded game again, or check that it repeats to the same hash",
             .examples = {"seedbed replay games.replay --verify", "seedbed replay games.replay --track 2"},
             .define = [](CLI::App& cli) -> Action {
                 auto options = std::make_shared<PlayOptions>();
                 cli.add_option("FILE", options->file, "What 'seedbed play --record' wrote")
                     ->required()
                     ->check(notEmpty());
                 cli.add_flag("--verify", options->verify, "Repeat all of it and compare; shows nothing");
                 cli.add_option("--track", options->track, "Which environment to show, counted from 1")
                     ->check(CLI::Range(1, 1024));
                 addViewerOptions(cli, *options, "1");
                 return [options](const Context& context) { return repeat(*options, context); };
             }});

}  // namespace
}  // namespace seedbed::app
