// SPDX-License-Identifier: Apache-2.0
// seedbed match: compares two players, in the two seats of a game or on the same episodes.
#include <cstdio>
#include <optional>
#include <utility>

#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "app/match_players.hpp"
#include "app/policy_options.hpp"
#include "core/base/text.hpp"
#include "core/play/match.hpp"
#include "core/session/engine_choice.hpp"

namespace seedbed::app {
namespace {

constexpr const char* kGamesMethod =
    "95 % Wilson score intervals; a draw counts as half a win in the score, whose interval is therefore "
    "conservative";
constexpr const char* kPairsMethod =
    "95 % percentile bootstrap intervals of the mean over episodes with equal seeds";

struct MatchOptions {
    std::string a, b, env;
    int games = 100, opening = 0, threads = 0;
    bool swap = true, greedy = false, sample = false;
    std::uint64_t seed = 1;
    std::int64_t max_steps = EvaluationLimits{}.episode_decisions;
    std::string engine = "auto", device = "cpu";
};

Json toJson(const Share& share, std::int64_t count) {
    return {{"n", count}, {"share", share.share}, {"ci95", {share.low, share.high}}};
}

Json toJson(const GameCounts& counts) {
    const Share score = scoreOf(counts);
    const auto share = [&](std::int64_t count) {
        return toJson(shareOf(static_cast<double>(count), counts.games()), count);
    };
    return {{"wins", share(counts.wins)},
            {"draws", share(counts.draws)},
            {"losses", share(counts.losses)},
            {"score", {{"share", score.share}, {"ci95", {score.low, score.high}}}}};
}

std::vector<double> differences(const MatchResult& result) {
    std::vector<double> values;
    for (std::size_t i = 0; i < result.a.size(); ++i) values.push_back(result.a[i] - result.b[i]);
    return values;
}

Json toJson(const std::vector<double>& returns) {
    const Summary s = summarise(returns);
    return {{"mean", s.mean}, {"ci95", {s.ci_low, s.ci_high}}};
}

void printAsJson(const MatchOptions& options, const MatchRequest& request, const MatchResult& result) {
    Json json{{"env", request.env->id},
              {"a", options.a},
              {"b", options.b},
              {"games", result.games()},
              {"asked", request.games},
              {"opening", request.opening},
              {"seed", request.seed},
              {"greedy", !options.sample},
              {"stopped", result.stopped},
              {"problem", result.problem},
              {"seats", request.env_spec.agents}};
    if (request.env_spec.agents == 2) {
        json.update(toJson(result.total()));
        json["swap"] = request.swap;
        json["by_seat"] = Json::array();
        for (const GameCounts& counts : result.seats) json["by_seat"].push_back(toJson(counts));
        json["method"] = kGamesMethod;
    } else {
        json["a_return"] = toJson(result.a);
        json["b_return"] = toJson(result.b);
        json["difference"] = toJson(differences(result));
        json["pairs"] = Json::array();
        for (std::size_t i = 0; i < result.a.size(); ++i) json["pairs"].push_back({result.a[i], result.b[i]});
        json["method"] = kPairsMethod;
    }
    printJson(json);
}

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
    return text;
}

void printAsText(const MatchOptions& options, const MatchRequest& request, const MatchResult& result) {
    std::printf("%s: %s against %s, %s%s\n", request.env->id.c_str(), options.a.c_str(), options.b.c_str(),
                countText(result.games(), request.env_spec.agents == 2 ? "game" : "episode").c_str(),
                request.env_spec.agents == 1 ? " each, equal seeds"
                : request.swap               ? ", seats swapped after every game"
                                             : "");
    if (request.env_spec.agents == 1) {
        const std::vector<double> difference = differences(result);
        std::vector<std::vector<std::string>> rows{{"return of", "mean", "95 % interval"}};
        const std::pair<std::string, const std::vector<double>*> sides[] = {
            {options.a, &result.a}, {options.b, &result.b}, {"difference", &difference}};
        for (const auto& [name, returns] : sides) {
            const Summary s = summarise(*returns);
            char mean[32], interval[64];
            std::snprintf(mean, sizeof mean, "%.4g", s.mean);
            std::snprintf(interval, sizeof interval, "[%.4g, %.4g]", s.ci_low, s.ci_high);
            rows.push_back({name, mean, interval});
        }
        printTable(rows);
        std::printf("%s\n", kPairsMethod);
        return;
    }
    std::vector<std::vector<std::string>> rows{
        {options.a + " plays", "wins", "draws", "losses", "score", "95 % interval"}};
    const auto add = [&](const std::string& name, const GameCounts& counts) {
        if (counts.games() == 0) return;
        const Share score = scoreOf(counts);
        const auto cell = [&](std::int64_t count) {
            return formatCount(count) + " (" +
                   percent(shareOf(static_cast<double>(count), counts.games()).share) + ")";
        };
        rows.push_back({name, cell(counts.wins), cell(counts.draws), cell(counts.losses),
                        percent(score.share), "[" + percent(score.low) + ", " + percent(score.high) + "]"});
    };
    add("both seats", result.total());
    add("seat 1", result.seats[0]);
    add("seat 2", result.seats[1]);
    printTable(rows);
    std::printf("%s\n", kGamesMethod);
}

Result<int> match(const MatchOptions& options, const Context& context) {
    SEEDBED_ASSIGN(const Side a, openSide(options.a, context));
    SEEDBED_ASSIGN(const Side b, openSide(options.b, context));
    SEEDBED_ASSIGN(BundleEnv env, chooseEnv(options.env, a, b));
    MatchRequest request;
    const PlayerOptions players{.engine = options.engine,
                                .device = options.device,
                                .selection = options.sample ? Selection::sample : Selection::greedy};
    SEEDBED_ASSIGN(request.a, playerOf(a, env, players));
    SEEDBED_ASSIGN(request.b, playerOf(b, env, players));
    request.env = env.entry;
    request.env_params = std::move(env.params);
    request.env_spec = std::move(env.spec);
    request.games = options.games;
    request.swap = options.swap;
    request.opening = options.opening;
    request.seed = options.seed;
    request.max_steps = options.max_steps;
    request.threads = threadCount(options.threads);
    if (!request.env_spec.repeats && !context.quiet)
        std::fprintf(stderr, "%s\n", doesNotRepeatText(request.env->id).c_str());
    Interrupt interrupt(context.quiet ? "" : "stopping; press Ctrl-C again to stop immediately");
    SEEDBED_ASSIGN(const MatchResult result, playMatch(request, interrupt.token()));
    if (result.games() == 0 && result.stopped)
        return fail(ErrorCode::interrupted, "the match was stopped before a game was finished");
    if (result.games() == 0) return fail("no game was finished: " + result.problem);
    if (!result.problem.empty()) std::fprintf(stderr, "%s\n", result.problem.c_str());
    if (result.stopped)
        std::fprintf(stderr, "stopped after %d of %d games; short games are over-represented\n",
                     result.games(), request.games);
    if (context.json) printAsJson(options, request, result);
    else printAsText(options, request, result);
    if (result.stopped) return kInterrupted;
    return result.games() < request.games ? exitCode(ErrorCode::failure) : kOk;
}

SEEDBED_REGISTER_COMMAND(
    match, {.id = "match",
            .summary = "Compare two players: by wins in a two-player game, or by returns on equal seeds",
            .examples = {"seedbed match 2 1 --games 400", "seedbed match 2:best alpha_beta:4 --opening 2",
                         "seedbed match tracker random --env pong --json"},
            .define = [](CLI::App& cli) -> Action {
                auto options = std::make_shared<MatchOptions>();
                const std::string help = ": " + playerForms();
                cli.add_option("A", options->a, "First player" + help)->required()->check(notEmpty());
                cli.add_option("B", options->b, "Second player" + help)->required()->check(notEmpty());
                cli.add_option("--games", options->games, "Games; with one seat, episodes of each player")
                    ->check(CLI::Range(1, 10000000))
                    ->capture_default_str();
                cli.add_option("--env", options->env, "Environment (default: that of the policies)");
                cli.add_flag("--swap,!--no-swap", options->swap,
                             "Swap the seats after every game (default); --no-swap: A has the first seat");
                cli.add_option("--opening", options->opening,
                               "Number of random decisions at the beginning of a game")
                    ->check(CLI::Range(0, 10000))
                    ->capture_default_str();
                addActionOptions(cli, options->greedy, options->sample, options->seed);
                cli.add_option("--max-steps", options->max_steps,
                               "Cut off games after this many decisions and exclude them")
                    ->check(CLI::Range(1, 1000000000))
                    ->capture_default_str();
                cli.add_option("--threads", options->threads, "Threads; 0: one per core")
                    ->check(CLI::Range(0, 1024));
                addEngineOption(cli, options->engine);
                addDeviceOption(cli, options->device);
                return [options](const Context& context) { return match(*options, context); };
            }});

}  // namespace
}  // namespace seedbed::app
