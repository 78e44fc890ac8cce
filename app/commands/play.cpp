// SPDX-License-Identifier: Apache-2.0
// seedbed play, seedbed replay: plays games for a viewer or headless, records episodes and replays them.
#include <cmath>
#include <cstdio>

#include <sched.h>
#include <unistd.h>

#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "app/league_members.hpp"
#include "app/match_players.hpp"
#include "app/policy_options.hpp"
#include "core/analysis/statistics.hpp"
#include "core/base/text.hpp"
#include "core/control/protocol.hpp"
#include "core/env/scripted_player.hpp"
#include "core/play/film_games.hpp"
#include "core/play/play_headless.hpp"
#include "core/play/player_request.hpp"
#include "core/play/player_session.hpp"
#include "core/play/replay.hpp"
#include "core/run/run_control.hpp"

namespace seedbed::app {
namespace {

constexpr int kPlayerNice = 10;

// Gives training priority over this process. With SCHED_BATCH, this process does not preempt a training
// thread when it wakes up; the other training threads would have to wait for that thread.
Result<> lowerPriority() {
    const sched_param none{};
    (void)::sched_setscheduler(0, SCHED_BATCH, &none);
    return setNiceness(kPlayerNice);
}

struct PlayOptions {
    PlayerPolicyRequest policy;      // its name is that of any player
    std::string member, member_env;  // of a league, if the player was named like one
    RivalOptions rival;
    bool greedy = false, sample = false, headless = false, with_viewer = false, verify = false, force = false;
    std::uint64_t seed = 1;
    int envs = 1, episodes = 0, track = 0;
    double speed = NAN;
    double seconds = 30;  // of a film
    FilmOptions film;
    std::string kind;  // kind of a stored replay: best, median or worst
    std::filesystem::path record, file, socket;
};

void notify(const Context& context, const std::string& text) {
    if (context.json) printJson({{"message", text}});
    else if (!context.quiet) std::fprintf(stderr, "%s\n", text.c_str());
    std::fflush(stdout);
}

// Opens the viewer's socket, prints its path and plays until the end.
Result<int> show(PlayerSessionSpec spec, const PlayOptions& options, const Context& context,
                 const std::string& what, const std::stop_token& stop) {
    RealFileSystem files;
    SEEDBED_TRY(makeFolders(files, controlFolder(context.data_folder)));
    removeDeadPlayerSockets(files, context.data_folder);
    spec.socket = options.socket.empty() ? playerSocket(context.data_folder, ::getpid()) : options.socket;
    spec.seed = options.seed;
    spec.envs = options.envs;
    spec.until_viewer_leaves = options.with_viewer;
    spec.selection = options.sample ? Selection::sample : Selection::greedy;
    spec.speed = std::isnan(options.speed) ? 1 : options.speed;
    spec.message = [&](const std::string& text) { notify(context, text); };
    const char* more = " 'seedbed match' prints scores of two players.";
    if (spec.replay != nullptr) more = "";
    else if (spec.policy != nullptr && !spec.seats->rival)
        more = " '--headless --episodes 5' plays episodes and prints their returns.";
    const auto ready = [&] {
        if (context.json) printJson({{"socket", spec.socket.string()}, {"pid", ::getpid()}});
        else if (!context.quiet)
            std::fprintf(stderr,
                         "%s; viewers connect to %s\nTo watch it, open the run in seedbed-gui and choose "
                         "Watch, or use 'seedbed watch' in a terminal.%s\n",
                         what.c_str(), spec.socket.c_str(), more);
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
        if (!result.replay) return fail("no episode finished, so nothing was recorded");
        RealFileSystem files(FileAccess::umask);
        SEEDBED_TRY(saveReplay(files, options.record, *result.replay));
        const std::size_t recorded = result.replay->episodeCount();
        if (recorded < result.episodes.size() && !context.quiet)
            std::fprintf(stderr, "%zu of %zu episodes are recorded; the others exceed a file's limits.\n",
                         recorded, result.episodes.size());
        json["record"] = options.record.string();
        json["sha256"] = result.replay->sha256();
    }
    if (context.json) printJson(json);
    else if (summary.n > 0)
        std::printf("%s, return %.4g +- %.4g, min %.4g, max %.4g\n",
                    countText(static_cast<std::int64_t>(summary.n),
                              options.sample ? "sampled episode" : "greedy episode")
                        .c_str(),
                    summary.mean, summary.std, summary.min, summary.max);
    if (!context.json && !options.record.empty())
        std::printf("recorded in %s, SHA-256 %s\n", options.record.c_str(), result.replay->sha256().c_str());
    return result.stopped && options.episodes > 0 ? kInterrupted : kOk;
}

// Whether --record names a film instead of a replay.
bool isFilm(const std::filesystem::path& path) { return checkFilmPath(path).has_value(); }

Result<> checkRecordFile(const PlayOptions& options) {
    if (options.record.empty() || options.force) return {};
    RealFileSystem files;
    SEEDBED_ASSIGN(const auto there, files.info(options.record));
    if (!there) return {};
    return fail(ErrorCode::usage,
                "'" + options.record.string() + "' already exists; overwrite it with --force");
}

// Plays without a viewer and writes a film.
Result<int> film(FilmGamesSpec spec, PlayOptions& options, const Context& context,
                 const std::stop_token& stop) {
    spec.seed = options.seed;
    spec.selection = options.sample ? Selection::sample : Selection::greedy;
    spec.seconds = options.seconds;
    SEEDBED_ASSIGN(const FilmedGames games, filmGames(spec, stop));
    options.film.rate = games.rate;
    RealFileSystem files(FileAccess::umask);
    SEEDBED_TRY(writeFilm(files, options.record, games.frames, games.spaces, options.film, stop));
    const double seconds = static_cast<double>(games.frames.size()) / games.rate;
    if (context.json)
        printJson(
            {{"record", options.record.string()}, {"frames", games.frames.size()}, {"seconds", seconds}});
    else
        std::printf("%s: %s, %.1f seconds\n", options.record.c_str(),
                    countText(static_cast<std::int64_t>(games.frames.size()), "frame").c_str(), seconds);
    return kOk;
}

// The stored episode of --replay.
Result<Replay> storedReplay(const PlayerPolicy& policy, const PlayOptions& options) {
    RealFileSystem files;
    const Path file = policy.folder() / replayFileName(options.kind);
    SEEDBED_ASSIGN(const auto there, files.info(file));
    if (!there)
        return fail(ErrorCode::config,
                    "'" + options.policy.name +
                        "' has no replays yet: the run's first evaluation stores them; omit --replay to "
                        "watch its policy play now");
    return loadReplay(files, file);
}

// error: usage, for options that suit only one policy in its own environment.
Result<> checkPlayers(const PlayOptions& options) {
    const std::string& name = options.policy.name;
    const bool is_scripted = namesScriptedPlayer(name);
    if (is_scripted && options.policy.follow)
        return fail(ErrorCode::usage, "'" + name + "' is a scripted player; --follow needs a run");
    const std::string mode = options.headless ? "--headless" : options.kind.empty() ? "" : "--replay";
    if (mode.empty()) return {};
    const std::string reason = !options.rival.against.empty()  ? "--against"
                               : is_scripted                   ? "the scripted player '" + name + "'"
                               : !options.rival.env.empty()    ? "--env"
                               : !options.rival.env_of.empty() ? "--env-of"
                                                               : "";
    if (reason.empty()) return {};
    return fail(ErrorCode::usage, mode + " cannot be combined with " + reason +
                                      "; 'seedbed match' prints the scores of two players");
}

Result<> checkPlayOptions(const PlayOptions& options) {
    SEEDBED_TRY(checkPlayers(options));
    if (isFilm(options.record)) {
        if (options.headless || options.episodes > 0)
            return fail(ErrorCode::usage,
                        "a film has a length in --seconds; --headless and --episodes record a .replay file");
        return checkRecordFile(options);
    }
    if (!options.headless && (options.episodes > 0 || !options.record.empty()))
        return fail(ErrorCode::usage,
                    "--episodes and --record need --headless, unless --record names a .gif or .mp4 file");
    if (options.headless && !options.record.empty() && options.episodes == 0)
        return fail(ErrorCode::usage, "--record needs --episodes N, the number of episodes to record");
    if (options.headless && options.episodes == 0 && std::isnan(options.speed) && !options.policy.follow)
        return fail(ErrorCode::usage,
                    "--headless needs --episodes N; with --follow or --speed it plays until Ctrl-C");
    if (!options.kind.empty() && (options.headless || options.policy.follow))
        return fail(ErrorCode::usage,
                    "--replay shows a stored episode and cannot be combined with --headless or --follow");
    return checkRecordFile(options);
}

// The players of a game. `policy` is null for a scripted player.
Result<GameSeats> seatsOf(const PlayOptions& options, const PlayerPolicy* policy, const Context& context) {
    Side own{options.policy.name, std::nullopt};
    if (policy != nullptr) own.bundle = policy->bundle();
    if (policy != nullptr && !options.member.empty()) own.name = options.member;
    own.env = options.member_env;
    const RivalOptions& rival = options.rival;
    Side other = own;
    if (!rival.against.empty()) {
        SEEDBED_ASSIGN(other, openSide(rival.against, context));
    }
    Side model = own;
    if (!rival.env_of.empty()) {
        SEEDBED_ASSIGN(model, openSide(rival.env_of, context));
    }
    SEEDBED_ASSIGN(BundleEnv env, chooseEnv(rival.env, rival.env_of.empty() ? own : model, other));
    SEEDBED_TRY(checkFits(own, env));
    GameSeats seats = seatsOfOne(std::move(env), own.name);
    if (policy == nullptr) seats.scripted = own.name;
    if (rival.against.empty()) return seats;
    SEEDBED_ASSIGN(
        SeatPlayer player,
        playerOf(other, seats.env, {.engine = options.policy.engine, .device = options.policy.device}));
    SEEDBED_TRY(addRival(seats, rival.seat - 1, std::move(player), other.name));
    return seats;
}

std::string gameText(const PlayOptions& options, const PlayerPolicy* policy, const GameSeats& seats) {
    std::string text = "playing " + seats.env.entry->id + " with " +
                       (policy != nullptr ? "the policy from step " + formatCount(policy->steps())
                                          : "'" + options.policy.name + "'");
    if (seats.rival)
        text += " on seat " + std::to_string(options.rival.seat) + " against '" + options.rival.against + "'";
    return text;
}

// Replaces the name of a league's member by its scripted player or the folder of its policy.
Result<> findMember(PlayOptions& options, const Context& context) {
    if (!namesLeagueMember(options.policy.name)) return {};
    options.member = options.policy.name;
    SEEDBED_ASSIGN(const NamedMember found, findLeagueMember(context.data_folder, options.member));
    SEEDBED_ASSIGN([[maybe_unused]] const Side checked, openMember(found.member, context));
    const bool is_scripted = found.member.params_sha256.empty();
    options.policy.name =
        is_scripted ? found.member.player : (context.data_folder / found.member.player).string();
    options.member_env = found.league.env;
    return {};
}

Result<int> play(PlayOptions& options, const Context& context) {
    SEEDBED_TRY(findMember(options, context));
    SEEDBED_TRY(checkPlayOptions(options));
    RealFileSystem files;
    SEEDBED_TRY(lowerPriority());
    Interrupt interrupt("");
    options.policy.data_folder = context.data_folder;
    std::unique_ptr<PlayerPolicy> policy;
    options.policy.needs_env = options.rival.env.empty() && options.rival.env_of.empty();
    if (!namesScriptedPlayer(options.policy.name)) {
        SEEDBED_ASSIGN(policy, PlayerPolicy::open(files, options.policy, interrupt.token()));
    }
    if (options.headless) return playHeadlessly(*policy, options, context, interrupt.token());
    SEEDBED_ASSIGN(const GameSeats seats, seatsOf(options, policy.get(), context));
    PlayerSessionSpec spec;
    spec.policy = policy.get();
    spec.seats = &seats;
    if (policy)
        for (const std::string& notice : policy->takeNotices()) notify(context, notice);
    std::optional<Replay> replay;
    if (!options.kind.empty()) {
        SEEDBED_ASSIGN(replay, storedReplay(*policy, options));
        spec.replay = &*replay;
    }
    if (isFilm(options.record))
        return film({.policy = policy.get(), .seats = &seats, .replay = spec.replay}, options, context,
                    interrupt.token());
    return show(spec, options, context, gameText(options, policy.get(), seats), interrupt.token());
}

void printVerified(const Path& file, const Replay& replay, const Context& context) {
    std::uint64_t decisions = 0;
    for (const ReplayTrack& track : replay.tracks)
        for (const ReplayEpisode& episode : track.episodes) decisions += episode.decisions;
    const std::size_t episodes = replay.episodeCount();
    if (context.json)
        printJson({{"file", file.string()},
                   {"env", replay.env},
                   {"episodes", episodes},
                   {"decisions", decisions},
                   {"sha256", replay.sha256()},
                   {"source", replay.source}});
    else
        std::printf("%s: %s of %s with %s repeat exactly, SHA-256 %s\n", file.c_str(),
                    countText(static_cast<std::int64_t>(episodes), "episode").c_str(), replay.env.c_str(),
                    countText(static_cast<std::int64_t>(decisions), "decision").c_str(),
                    replay.sha256().c_str());
}

Result<int> replayFile(PlayOptions& options, const Context& context) {
    Interrupt interrupt("");
    RealFileSystem files;
    SEEDBED_ASSIGN(Replay replay, loadReplay(files, resolveLinks(options.file)));
    if (options.verify) {
        SEEDBED_TRY(verifyReplay(replay, interrupt.token()));
        printVerified(options.file, replay, context);
        return kOk;
    }
    if (options.track > 0) {
        if (static_cast<std::size_t>(options.track) > replay.tracks.size())
            return fail(
                ErrorCode::config,
                "the replay has only " + countText(static_cast<std::int64_t>(replay.tracks.size()), "track"));
        replay.track = options.track - 1;
        replay.episode = 0;
    }
    if (!options.record.empty()) {
        SEEDBED_TRY(checkFilmPath(options.record));
        SEEDBED_TRY(checkRecordFile(options));
    }
    SEEDBED_TRY(lowerPriority());
    PlayerSessionSpec spec;
    spec.replay = &replay;
    // For a replay in a checkpoint folder, the policy is available to show action probabilities.
    std::unique_ptr<PlayerPolicy> policy;
    const Path folder = std::filesystem::absolute(options.file).parent_path();
    if (isReplayFileName(options.file.filename().string())) {
        options.policy.data_folder = context.data_folder;
        options.policy.name = folder.string();
        if (auto found = PlayerPolicy::open(files, options.policy, interrupt.token()))
            policy = std::move(*found);
    }
    spec.policy = policy.get();
    if (!options.record.empty())
        return film({.policy = policy.get(), .replay = &replay}, options, context, interrupt.token());
    return show(spec, options, context, "replaying " + replay.env, interrupt.token());
}

void addViewerOptions(CLI::App& cli, PlayOptions& options, const std::string& default_speed) {
    cli.add_option(
           "--speed", options.speed,
           "Speed as a multiple of real time; 0: as fast as possible (default: " + default_speed + ")")
        ->check(CLI::Range(0.0, 1000.0));
    cli.add_option("--socket", options.socket, "Path of the viewer's socket (default: in the data folder)")
        ->type_name("PATH")
        ->check(notEmpty());
    cli.add_flag("--with-viewer", options.with_viewer, "Exit when the viewer disconnects");
    addEngineOption(cli, options.policy.engine);
    addDeviceOption(cli, options.policy.device);
}

void addFilmOptions(CLI::App& cli, PlayOptions& options) {
    cli.add_option("--seconds", options.seconds, "Length of a film")
        ->check(CLI::Range(0.1, kMaxFilmSeconds))
        ->capture_default_str();
    cli.add_option("--size", options.film.size, "Longer side of a film in pixels")
        ->check(CLI::Range(32, 2048))
        ->capture_default_str();
    cli.add_flag("--thoughts", options.film.thoughts,
                 "Show value, probabilities and return next to the game in a film");
}

SEEDBED_REGISTER_COMMAND(
    play, {.id = "play",
           .summary = "Play a policy or two players for a viewer, or headless to record episodes",
           .examples = {"seedbed play 3 --follow", "seedbed play 3:best --sample --envs 9",
                        "seedbed play 3 --against alpha_beta:4 --seat 2", "seedbed play 3 --replay worst",
                        "seedbed play 3 --record game.gif --seconds 30",
                        "seedbed play 3 --headless --episodes 10 --record games.replay"},
           .define = [](CLI::App& cli) -> Action {
               auto options = std::make_shared<PlayOptions>();
               addPlayerOptions(cli, options->policy.name, options->rival);
               addActionOptions(cli, options->greedy, options->sample, options->seed);
               cli.add_flag("--follow", options->policy.follow,
                            "Always use the newest weights of a run in progress");
               cli.add_option("--envs", options->envs, "Number of environments")
                   ->check(CLI::Range(1, kMaxPlayerEnvs))
                   ->capture_default_str();
               cli.add_flag("--headless", options->headless, "Play without a viewer");
               cli.add_option("--episodes", options->episodes, "Number of episodes; needs --headless")
                   ->check(CLI::Range(1, 10000000));
               cli.add_option("--record", options->record,
                              "A .gif or .mp4 file: record a film (.mp4 needs ffmpeg); other files: record "
                              "seeds and actions, with --headless; see 'seedbed replay'")
                   ->type_name("FILE")
                   ->check(notEmpty());
               cli.add_flag("--force", options->force, "Overwrite the file named by --record");
               cli.add_option("--replay", options->kind,
                              "Show an evaluation episode stored with the checkpoint")
                   ->check(CLI::IsMember({"best", "median", "worst"}));
               addFilmOptions(cli, *options);
               addViewerOptions(cli, *options, "1; with --headless: 0");
               return [options](const Context& context) { return play(*options, context); };
           }});

SEEDBED_REGISTER_COMMAND(
    replay, {.id = "replay",
             .summary = "Show recorded episodes, or verify that they repeat exactly",
             .examples = {"seedbed replay games.replay --verify", "seedbed replay games.replay --track 2",
                          "seedbed replay games.replay --record games.gif"},
             .define = [](CLI::App& cli) -> Action {
                 auto options = std::make_shared<PlayOptions>();
                 cli.add_option("FILE", options->file, "File written by 'seedbed play --record'")
                     ->required()
                     ->check(notEmpty());
                 auto* verify = cli.add_flag("--verify", options->verify,
                                             "Repeat all episodes and compare them, without a viewer");
                 cli.add_option("--track", options->track, "Number of the environment to show")
                     ->check(CLI::Range(1, 1024))
                     ->excludes(verify);
                 cli.add_option("--record", options->record, "Record a film to this .gif or .mp4 file")
                     ->type_name("FILE")
                     ->check(notEmpty())
                     ->excludes(verify);
                 cli.add_flag("--force", options->force, "Overwrite the file named by --record");
                 addFilmOptions(cli, *options);
                 addViewerOptions(cli, *options, "1");
                 return [options](const Context& context) { return replayFile(*options, context); };
             }});

}  // namespace
}  // namespace seedbed::app
