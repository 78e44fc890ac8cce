// SPDX-License-Identifier: Apache-2.0
// seedbed league: players of one game, their matches, and a ladder of ratings.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "app/command.hpp"
#include "app/league/league_rounds.hpp"
#include "core/base/text.hpp"
#include "core/store/database.hpp"

namespace seedbed::app::league {
namespace {

constexpr const char* kMethod =
    "Bradley-Terry ratings with draws (Davidson 1970) from all games; 95 % Wald intervals of the difference "
    "to the mean; 400 points: ten wins per loss; repeated games (the same actions of both players) do not "
    "narrow an interval";

// --- create, list, add, remove
// -------------------------------------------------------------------------------

struct CreateOptions {
    std::string name, env;
    int opening = 2;
    bool sample = false;
};

Result<int> create(const CreateOptions& options, const Context& context) {
    SEEDBED_ASSIGN(const EnvEntry* entry, findEnv(options.env));
    LeagueRecord league;
    league.name = options.name;
    league.env = entry->id;
    SEEDBED_ASSIGN(league.env_params, entry->params->complete(Json::object(), "env"));
    league.opening = options.opening;
    league.sample = options.sample;
    SEEDBED_ASSIGN(const BundleEnv env, leagueEnv(league));
    if (env.spec.agents != 2)
        return fail(ErrorCode::config, "'" + entry->id + "' has " + countText(env.spec.agents, "seat") +
                                           "; a league needs an environment with two");
    SEEDBED_ASSIGN(LeagueStore store, LeagueStore::open(context.data_folder));
    SEEDBED_ASSIGN(const std::int64_t id, store.create(league));
    if (context.json) printJson({{"id", id}, {"name", league.name}, {"env", league.env}});
    else if (!context.quiet)
        std::printf("League '%s' for %s. Add members with 'seedbed league add %s PLAYER'.\n",
                    league.name.c_str(), league.env.c_str(), league.name.c_str());
    return kOk;
}

Json membersJson(const std::vector<LeagueMember>& members, const Context& context) {
    Json json = Json::array();
    for (const LeagueMember& member : members)
        json.push_back({{"name", member.name},
                        {"player", member.origin},
                        {"params_sha256", member.params_sha256},
                        {"problem", memberProblem(member, context)}});
    return json;
}

// Creates no database.
Result<std::vector<LeagueRecord>> leaguesOf(std::optional<LeagueStore>& store, const Context& context) {
    std::error_code unreadable;
    if (!std::filesystem::exists(context.data_folder / kDatabaseName, unreadable))
        return std::vector<LeagueRecord>();
    SEEDBED_ASSIGN(store, LeagueStore::open(context.data_folder));
    return store->leagues();
}

Result<int> list(const Context& context) {
    std::optional<LeagueStore> store;
    SEEDBED_ASSIGN(const auto leagues, leaguesOf(store, context));
    Json json = Json::array();
    std::vector<std::vector<std::string>> rows{{"league", "environment", "members", "games"}};
    for (const LeagueRecord& league : leagues) {
        SEEDBED_ASSIGN(const auto members, store->members(league.id));
        SEEDBED_ASSIGN(const auto matches, store->matches(league.id));
        std::int64_t games = 0;
        for (const LeagueMatch& match : matches) games += match.games();
        json.push_back({{"name", league.name},
                        {"env", league.env},
                        {"members", members.size()},
                        {"games", games},
                        {"players", membersJson(members, context)}});
        rows.push_back({league.name, league.env, formatCount(static_cast<std::int64_t>(members.size())),
                        formatCount(games)});
    }
    if (context.json) printJson(json);
    else if (leagues.empty())
        std::printf("No leagues. Create one with 'seedbed league create NAME --env ENV'.\n");
    else printTable(rows);
    return kOk;
}

struct MemberOptions {
    std::string league, as;
    std::vector<std::string> players;
};

Result<std::int64_t> addPlayer(LeagueStore& store, const LeagueRecord& league, const std::string& player,
                               const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(const Side side, openSide(player, context));
    return addLeagueMember(store, league, side, name, context);
}

// Adds every player that can be added; reports the others.
Result<int> add(const MemberOptions& options, const Context& context) {
    if (!options.as.empty() && options.players.size() > 1)
        return fail(ErrorCode::usage, "--as names one member; add the others separately");
    SEEDBED_ASSIGN(LeagueStore store, LeagueStore::open(context.data_folder));
    SEEDBED_ASSIGN(const LeagueRecord league, store.league(options.league));
    int code = kOk;
    Json added = Json::array();
    for (const std::string& player : options.players) {
        const std::string name = options.as.empty() ? player : options.as;
        const Result<std::int64_t> id = addPlayer(store, league, player, name, context);
        if (id) {
            added.push_back({{"id", *id}, {"name", name}});
            continue;
        }
        std::fprintf(stderr, "seedbed: %s\n", id.error().text().c_str());
        code = exitCode(id.error().code);
    }
    if (context.json) printJson(added);
    else if (!context.quiet)
        std::printf("%s added to '%s'\n",
                    countText(static_cast<std::int64_t>(added.size()), "member").c_str(),
                    league.name.c_str());
    return code;
}

Result<int> removeMembers(const MemberOptions& options, const Context& context) {
    SEEDBED_ASSIGN(LeagueStore store, LeagueStore::open(context.data_folder));
    SEEDBED_ASSIGN(const LeagueRecord league, store.league(options.league));
    SEEDBED_ASSIGN(const auto members, store.members(league.id));
    std::map<std::string, std::int64_t> ids;
    for (const LeagueMember& member : members) ids[member.name] = member.id;
    for (const std::string& name : options.players)
        if (!ids.contains(name))
            return fail(ErrorCode::config,
                        "the league '" + league.name + "' has no member '" + name + "'; nothing was changed");
    for (const std::string& name : options.players) SEEDBED_TRY(store.setActive(ids[name], false));
    return kOk;
}

// --- play
// ----------------------------------------------------------------------------------------------------

struct PlayOptions {
    std::string league;
    int rounds = 1;
    MatchesOptions matches;
};

Result<int> play(const PlayOptions& options, const Context& context) {
    SEEDBED_ASSIGN(LeagueStore store, LeagueStore::open(context.data_folder));
    SEEDBED_ASSIGN(const LeagueRecord league, store.league(options.league));
    SEEDBED_ASSIGN(const auto members, store.members(league.id));
    const auto active = std::count_if(members.begin(), members.end(),
                                      [](const LeagueMember& member) { return member.active; });
    if (active < 2)
        return fail(ErrorCode::config, "the league '" + league.name + "' has " +
                                           countText(active, "active member") +
                                           "; a match needs two: add members with 'seedbed league add'");
    SEEDBED_ASSIGN(Lineup lineup, Lineup::open(league, options.matches, context));
    Interrupt interrupt(stoppingText(context.quiet));
    MatchCounts total;
    for (int i = 0; i < options.rounds; ++i) {
        SEEDBED_ASSIGN(const auto now, store.members(league.id));
        SEEDBED_ASSIGN(const auto matches, store.matches(league.id));
        SEEDBED_ASSIGN(const MatchCounts round,
                       playMatches(store, league, lineup, now, nextRound(league.id, now, matches),
                                   options.matches, context, interrupt));
        total.recorded += round.recorded;
        total.failed.insert(total.failed.end(), round.failed.begin(), round.failed.end());
        if (round.recorded == 0) break;
    }
    if (context.json)
        printJson({{"league", league.name}, {"matches", total.recorded}, {"failed", total.failed.size()}});
    return lineup.complete() && total.failed.empty() && total.recorded > 0 ? kOk
                                                                           : exitCode(ErrorCode::failure);
}

// --- show
// ----------------------------------------------------------------------------------------------------

std::string points(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%+.0f", value);
    return text;
}

Json countsJson(const GameCounts& counts) {
    return {{"wins", counts.wins}, {"draws", counts.draws}, {"losses", counts.losses}};
}

Json tableJson(const LeagueRecord& league, const LeagueTable& table, const Context& context) {
    Json ladder = Json::array(), matrix = Json::array();
    for (std::size_t i = 0; i < table.ladder.size(); ++i) {
        const LeagueStanding& standing = table.ladder[i];
        ladder.push_back({{"rank", i + 1},
                          {"name", standing.member.name},
                          {"player", standing.member.origin},
                          {"params_sha256", standing.member.params_sha256},
                          {"active", standing.member.active},
                          {"problem", memberProblem(standing.member, context)},
                          {"rating", standing.rating.points},
                          {"ci95", {standing.rating.low, standing.rating.high}},
                          {"games", countsJson(standing.games)},
                          {"distinct_games", standing.distinct}});
        Json row = Json::array();
        for (const GameCounts& counts : table.matrix[i]) row.push_back(countsJson(counts));
        matrix.push_back(std::move(row));
    }
    return {{"league", league.name},
            {"env", league.env},
            {"opening", league.opening},
            {"sample", league.sample},
            {"training", RunLock::isHeld(context.data_folder, trainingLock(league))},
            {"ladder", std::move(ladder)},
            {"matrix", std::move(matrix)},
            {"draw_ratio", table.draw_ratio},
            {"method", kMethod}};
}

void printLadder(const LeagueTable& table) {
    std::vector<std::vector<std::string>> rows{
        {"", "member", "rating", "95 % interval", "games", "distinct", "wins", "draws", "losses"}};
    for (std::size_t i = 0; i < table.ladder.size(); ++i) {
        const LeagueStanding& standing = table.ladder[i];
        const GameCounts& games = standing.games;
        rows.push_back({std::to_string(i + 1),
                        standing.member.name + (standing.member.active ? "" : " (removed)"),
                        games.games() == 0 ? "-" : points(standing.rating.points),
                        games.games() == 0
                            ? "-"
                            : "[" + points(standing.rating.low) + ", " + points(standing.rating.high) + "]",
                        formatCount(games.games()), formatCount(standing.distinct), formatCount(games.wins),
                        formatCount(games.draws), formatCount(games.losses)});
    }
    printTable(rows);
}

void printMatrix(const LeagueTable& table) {
    std::vector<std::vector<std::string>> rows{{"score of"}};
    for (std::size_t i = 0; i < table.ladder.size(); ++i)
        rows[0].push_back("against " + std::to_string(i + 1));
    for (std::size_t i = 0; i < table.ladder.size(); ++i) {
        std::vector<std::string> row{std::to_string(i + 1) + " " + table.ladder[i].member.name};
        for (const GameCounts& counts : table.matrix[i]) {
            char text[32];
            std::snprintf(text, sizeof text, "%.0f %%", 100 * scoreOf(counts).share);
            row.push_back(counts.games() == 0 ? "-" : text);
        }
        rows.push_back(std::move(row));
    }
    printTable(rows);
}

Result<int> show(const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(LeagueStore store, LeagueStore::open(context.data_folder));
    SEEDBED_ASSIGN(const LeagueRecord league, store.league(name));
    SEEDBED_ASSIGN(const auto members, store.members(league.id));
    SEEDBED_ASSIGN(const auto matches, store.matches(league.id));
    SEEDBED_ASSIGN(const LeagueTable table, leagueTable(members, matches));
    if (context.json) {
        printJson(tableJson(league, table, context));
        return kOk;
    }
    std::printf("%s: %s, %s\n", league.name.c_str(), league.env.c_str(),
                countText(static_cast<std::int64_t>(members.size()), "member").c_str());
    if (members.empty()) return kOk;
    printLadder(table);
    std::printf("\n");
    printMatrix(table);
    std::printf("%s\n", kMethod);
    return kOk;
}

// --- commands
// ------------------------------------------------------------------------------------------------

CLI::Option* addLeagueArgument(CLI::App& cli, std::string& league) {
    return cli.add_option("LEAGUE", league, "Name of a league")->required()->check(notEmpty());
}

SEEDBED_REGISTER_COMMAND(
    league_create,
    {.id = "league create",
     .summary = "Create a league of players of a game for two",
     .examples = {"seedbed league create club --env connect_four"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<CreateOptions>();
         cli.add_option("NAME", options->name, "Name of the new league")->required()->check(notEmpty());
         cli.add_option("--env", options->env, "Environment with two seats")->required();
         cli.add_option("--opening", options->opening,
                        "Number of random decisions at the beginning of a game")
             ->check(CLI::Range(0, 10000))
             ->capture_default_str();
         cli.add_flag("--sample", options->sample,
                      "Policies sample their actions instead of choosing the most probable ones");
         return [options](const Context& context) { return create(*options, context); };
     }});

SEEDBED_REGISTER_COMMAND(league_list, {.id = "league list",
                                       .summary = "List the leagues",
                                       .examples = {"seedbed league list"},
                                       .define = [](CLI::App&) -> Action {
                                           return [](const Context& context) { return list(context); };
                                       }});

SEEDBED_REGISTER_COMMAND(league_add,
                         {.id = "league add",
                          .summary = "Add members to a league; the policy of a run is copied",
                          .examples = {"seedbed league add club 2:best alpha_beta:4 random",
                                       "seedbed league add club 2:100000 --as early"},
                          .define = [](CLI::App& cli) -> Action {
                              auto options = std::make_shared<MemberOptions>();
                              addLeagueArgument(cli, options->league);
                              cli.add_option("PLAYER", options->players, playerForms())->required();
                              cli.add_option("--as", options->as, "Name of the member (default: as given)");
                              return [options](const Context& context) { return add(*options, context); };
                          }});

SEEDBED_REGISTER_COMMAND(league_remove,
                         {.id = "league remove",
                          .summary = "Members play no further matches; their games still count",
                          .examples = {"seedbed league remove club early"},
                          .define = [](CLI::App& cli) -> Action {
                              auto options = std::make_shared<MemberOptions>();
                              addLeagueArgument(cli, options->league);
                              cli.add_option("MEMBER", options->players, "Names of members")->required();
                              return [options](const Context& context) {
                                  return removeMembers(*options, context);
                              };
                          }});

SEEDBED_REGISTER_COMMAND(league_play,
                         {.id = "league play",
                          .summary = "Play matches: in a round, every member plays every other one",
                          .examples = {"seedbed league play club --rounds 5 --games 40"},
                          .define = [](CLI::App& cli) -> Action {
                              auto options = std::make_shared<PlayOptions>();
                              addLeagueArgument(cli, options->league);
                              cli.add_option("--rounds", options->rounds, "Number of rounds")
                                  ->check(CLI::Range(1, 1000000))
                                  ->capture_default_str();
                              addMatchesOptions(cli, options->matches);
                              return [options](const Context& context) { return play(*options, context); };
                          }});

SEEDBED_REGISTER_COMMAND(league_show,
                         {.id = "league show",
                          .summary = "Show the ladder with ratings and their intervals, and all results",
                          .examples = {"seedbed league show club", "seedbed league show club --json"},
                          .define = [](CLI::App& cli) -> Action {
                              auto name = std::make_shared<std::string>();
                              addLeagueArgument(cli, *name);
                              return [name](const Context& context) { return show(*name, context); };
                          }});

}  // namespace
}  // namespace seedbed::app::league
