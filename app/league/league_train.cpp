// SPDX-License-Identifier: Apache-2.0
// seedbed league train: main agents and exploiters are trained in turns; each joins the league. A main agent
// continues from the one before it and meets the members that this one did not beat (the league of Vinyals et
// al. 2019, "Grandmaster level in StarCraft II", with main exploiters). An exploiter plays against the newest
// main agent only.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "app/command.hpp"
#include "app/configuration.hpp"
#include "app/console_observer.hpp"
#include "app/league/league_rounds.hpp"
#include "core/base/text.hpp"
#include "core/run/run.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app::league {
namespace {

enum class Role : bool { main, exploiter };

struct TrainLeagueOptions {
    std::string league;
    ConfigurationRequest configuration;
    int generations = 5, opponents = 10, rounds = 1;
    std::int64_t exploiter_steps = 0;
    double share = 0.3;
    bool no_exploiters = false;
    MatchesOptions matches;
};

std::string memberName(Role role, int generation) {
    return (role == Role::main ? "main-" : "exploiter-") + std::to_string(generation);
}

std::string playerName(const LeagueRecord& league, const std::string& member) {
    return std::string(kLeaguePrefix) + league.name + "/" + member;
}

// Shows notices only.
class SilentObserver final : public RunObserver {
public:
    explicit SilentObserver(std::function<void(std::int64_t)> on_started)
        : on_started_(std::move(on_started)) {}
    void started(std::int64_t id, const SessionPlan&) override { on_started_(id); }
    void progress(const ProgressReport&) override {}
    void evaluated(std::uint64_t, const EvaluationResult&) override {}
    void message(const std::string& text) override { std::fprintf(stderr, "seedbed: %s\n", text.c_str()); }
    void info(const std::string&) override {}

private:
    std::function<void(std::int64_t)> on_started_;
};

// What it did before it was killed is in the database: members, matches, and runs, which are named after
// their members.
class LeagueTraining {
public:
    LeagueTraining(LeagueStore& store, const LeagueRecord& league, Lineup& lineup,
                   const TrainLeagueOptions& options, const Context& context)
        : store_(store),
          league_(league),
          lineup_(lineup),
          options_(options),
          context_(context),
          interrupt_(stoppingText(context.quiet), savingText(context.quiet)) {}

    // Whether every agent can be trained and can join. error: config.
    Result<> check() const {
        SEEDBED_ASSIGN(const Configuration plain, makeConfiguration(options_.configuration));
        if (plain.config.env_id != league_.env)
            return fail(ErrorCode::config, "this configuration trains in '" + plain.config.env_id +
                                               "', but the league '" + league_.name + "' plays '" +
                                               league_.env + "'");
        if (!plain.config.self_play.rivals.empty())
            return fail(ErrorCode::config, "'seedbed league train' sets self_play.rivals itself");
        if (!plain.config.policies.seats.empty())
            return fail(ErrorCode::config, "members of a league have one policy; remove policies.seats (" +
                                               plain.config.policies.seats + ")");
        if (plain.config.run.seed > std::numeric_limits<std::int64_t>::max() - 2 * options_.generations)
            return fail(ErrorCode::config, "the seeds of the agents follow run.seed, which is too large");
        if (league_.name.size() > kLongestName || league_.name.find(',') != std::string::npos)
            return fail(ErrorCode::config, "'" + league_.name +
                                               "' cannot be trained: its name has a comma or more than " +
                                               std::to_string(kLongestName) + " bytes");
        SEEDBED_ASSIGN(const auto members, store_.members(league_.id));
        for (int generation = 1; generation <= options_.generations; ++generation)
            for (const Role role : {Role::main, Role::exploiter})
                if (const LeagueMember* member = find(members, memberName(role, generation));
                    member != nullptr && member->params_sha256.empty())
                    return fail(ErrorCode::config, "the member '" + member->name + "' of '" + league_.name +
                                                       "' is a scripted player; its name is that of a "
                                                       "trained agent");
        SEEDBED_ASSIGN(const Configuration main, configured({1, Role::main, "1", plain.config.run.seed}));
        SEEDBED_ASSIGN(const SessionPlan plan, Session::plan(main.config));
        if (withoutLabels(plan.env.spaces) != withoutLabels(lineup_.env().spec.spaces))
            return fail(ErrorCode::config,
                        "the observations or actions of this configuration differ from those of '" +
                            league_.name + "'");
        SEEDBED_ASSIGN(const Configuration exploiter,
                       configured({1, Role::exploiter, "1", plain.config.run.seed}));
        SEEDBED_TRY(Session::plan(exploiter.config).map([](const auto&) {}));
        const Json changed = difference(league_.env_params, plain.config.env_params);
        if (!changed.empty())
            std::fprintf(stderr,
                         "seedbed: the agents train with other settings of '%s' than the league: %s\n",
                         league_.env.c_str(), changed.dump().c_str());
        return {};
    }

    Result<> run() {
        for (int generation = 1; generation <= options_.generations; ++generation) {
            SEEDBED_TRY(addMember(Role::main, generation));
            if (!options_.no_exploiters) SEEDBED_TRY(addMember(Role::exploiter, generation));
        }
        return {};
    }

    Json toJson() const {
        return {{"league", league_.name},
                {"trained", trained_},
                {"matches", recorded_},
                {"failed", failed_.size()},
                {"exploiters", exploiters_}};
    }
    bool complete() const { return failed_.empty() && lineup_.complete(); }

private:
    static constexpr std::size_t kLongestName = 50;

    Result<> addMember(Role role, int generation) {
        const std::string name = memberName(role, generation);
        SEEDBED_ASSIGN(const auto members, store_.members(league_.id));
        const LeagueMember* main = find(members, memberName(Role::main, generation));
        // An exploiter of a main agent that plays no matches has no use.
        if (role == Role::exploiter && (main == nullptr || !main->active)) return {};
        if (find(members, name) == nullptr) {
            SEEDBED_ASSIGN(const RunId run, train(role, generation, members));
            SEEDBED_ASSIGN(const Side side, openSide(std::to_string(run), context_));
            SEEDBED_ASSIGN([[maybe_unused]] const auto id,
                           addLeagueMember(store_, league_, side, name, context_));
            trained_.push_back({{"member", name}, {"run", run}});
        }
        SEEDBED_TRY(playMissing(name));
        return role == Role::main ? Result<>() : reportExploiter(generation);
    }

    static const LeagueMember* find(const std::vector<LeagueMember>& members, const std::string& name) {
        const auto found = std::find_if(members.begin(), members.end(),
                                        [&](const LeagueMember& member) { return member.name == name; });
        return found == members.end() ? nullptr : &*found;
    }

    // --- training
    // ------------------------------------------------------------------------------------------------

    std::string runName(Role role, int generation) const {
        return league_.name + " " + memberName(role, generation);
    }

    // The active main agent from which an agent continues; null: it starts with new weights.
    static const LeagueMember* modelOf(Role role, int generation, const std::vector<LeagueMember>& members) {
        for (int before = role == Role::main ? generation - 1 : generation; before > 0; --before)
            if (const LeagueMember* main = find(members, memberName(Role::main, before));
                main != nullptr && main->active)
                return main;
        return nullptr;
    }

    // Starts, continues or finds the run of this member. error: interrupted.
    Result<RunId> train(Role role, int generation, const std::vector<LeagueMember>& members) {
        SEEDBED_ASSIGN(const auto existing, existingRun(runName(role, generation)));
        SEEDBED_ASSIGN(const Configuration configuration, configurationOf(role, generation, members));
        if (existing) SEEDBED_TRY(checkSame(*existing, configuration.config));
        if (existing && existing->status == RunStatus::finished) return existing->id;
        const auto started = [&](std::int64_t) {
            if (!existing) printNotes(configuration, context_);
            interrupt_.giveTime();
        };
        ConsoleObserver console(context_, clock_, started);
        SilentObserver silent(started);
        const bool is_silent = context_.quiet || context_.json;
        RunObserver& observer = is_silent ? static_cast<RunObserver&>(silent) : console;
        if (!is_silent) std::printf("training %s\n", memberName(role, generation).c_str());
        Result<RunOutcome> outcome = existing ? resume(existing->id, observer)
                                              : start(configuration, runName(role, generation),
                                                      modelOf(role, generation, members), observer);
        interrupt_.endTime();
        console.closeLine();
        if (!outcome) return tl::unexpected<Error>(std::move(outcome).error());
        if (outcome->interrupted || outcome->stopped_on_request)
            return fail(ErrorCode::interrupted,
                        "run " + std::to_string(outcome->id) + " was stopped; the same command continues it");
        return outcome->id;
    }

    Result<std::optional<RunRecord>> existingRun(const std::string& name) const {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context_.data_folder));
        SEEDBED_ASSIGN(const auto runs, reader.runs());
        const auto found =
            std::find_if(runs.begin(), runs.end(), [&](const RunRecord& run) { return run.name == name; });
        return found == runs.end() ? std::nullopt : std::optional(*found);
    }

    // Whether `run` was begun with these settings, and may be continued here. Opponents depend on the matches
    // that had been played.
    Result<> checkSame(const RunRecord& run, const TrainingConfig& config) const {
        const std::string id = std::to_string(run.id), title = "run " + id + " ('" + run.name + "')";
        if (run.in_trash)
            return fail(ErrorCode::config, title + " is in the trash; restore it with 'seedbed restore " +
                                               id + "', or remove it with 'seedbed db vacuum --empty-trash'");
        if (run.status == RunStatus::queued)
            return fail(ErrorCode::config, title + " waits in the queue, which trains it");
        if (isLive(run.status)) return fail(title + " is being trained by another process");
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context_.data_folder));
        SEEDBED_ASSIGN(const auto stored, reader.configOf(run.id));
        Json before = stored.first, now = config.document;
        for (Json* document : {&before, &now})
            for (const auto& [section, key] : {std::pair{"self_play", "rivals"},
                                               {"run", "threads"},
                                               {"run", "device"},
                                               {"run", "engine"},
                                               {"run", "inference"}})
                (*document)[section].erase(key);
        std::vector<std::string> keys;
        const Json changed = difference(before, now);
        for (const auto& [key, values] : changed.items()) keys.push_back(key);
        if (keys.empty()) return {};
        return fail(ErrorCode::config, title + " was begun with other settings (" + join(keys, ", ") +
                                           "); repeat the command with the same ones, or rename the run with "
                                           "'seedbed edit " +
                                           id + " --name NAME' to start a new one");
    }

    Result<RunOutcome> resume(RunId run, RunObserver& observer) {
        ResumeRequest request;
        request.run = run;
        request.data_folder = context_.data_folder;
        return resumeRun(request, observer, interrupt_.token(), files_, clock_);
    }

    Result<RunOutcome> start(const Configuration& configuration, const std::string& name,
                             const LeagueMember* model, RunObserver& observer) {
        RunRequest request{configuration.config,
                           name,
                           configuration.preset,
                           context_.data_folder,
                           model == nullptr ? "" : (context_.data_folder / model->player).string(),
                           {"league:" + league_.name}};
        return trainRun(request, observer, interrupt_.token(), files_, clock_);
    }

    struct Agent {
        int generation = 1;
        Role role = Role::main;
        std::string rivals;  // names separated by commas
        std::int64_t seed = 0;
    };
    Result<Configuration> configured(const Agent& agent) const {
        ConfigurationRequest request = options_.configuration;
        const auto set = [&](const std::string& key, const std::string& value) {
            request.settings.emplace_back(key, value);
        };
        const bool is_exploiter = agent.role == Role::exploiter;
        // Agents that continue from another one must not repeat its games.
        set("run.seed", std::to_string(agent.seed + 2 * (agent.generation - 1) + (is_exploiter ? 1 : 0)));
        if (is_exploiter) {
            set("self_play.past", "0");
            set("self_play.scripted", "");
            set("self_play.scripted_share", "0");
            if (options_.exploiter_steps > 0) set("run.steps", std::to_string(options_.exploiter_steps));
        }
        const double share = is_exploiter ? 1 : options_.share;
        if (!agent.rivals.empty() && share > 0) {
            set("self_play.rivals", agent.rivals);
            set("self_play.rival_share", formatNumber(share));
        }
        return makeConfiguration(request);
    }

    Result<Configuration> configurationOf(Role role, int generation,
                                          const std::vector<LeagueMember>& members) const {
        SEEDBED_ASSIGN(const Configuration plain, makeConfiguration(options_.configuration));
        Agent agent{generation, role, {}, plain.config.run.seed};
        if (role == Role::exploiter) {
            agent.rivals = playerName(league_, memberName(Role::main, generation));
        } else {
            SEEDBED_ASSIGN(const SessionPlan plan, Session::plan(plain.config));
            SEEDBED_ASSIGN(agent.rivals, rivalsOf(modelOf(role, generation, members), plan.net, members));
        }
        return configured(agent);
    }

    // Matchmaking: the active members with the same network that the newest main agent beats least. Within a
    // run, self_play.choice weights them by its own results.
    Result<std::string> rivalsOf(const LeagueMember* newest, const NetSpec& net,
                                 const std::vector<LeagueMember>& members) const {
        SEEDBED_ASSIGN(const auto matches, store_.matches(league_.id));
        SEEDBED_ASSIGN(const LeagueTable table, leagueTable(members, matches));
        const auto rank =
            std::find_if(table.ladder.begin(), table.ladder.end(), [&](const LeagueStanding& standing) {
                return newest != nullptr && standing.member.id == newest->id;
            });
        std::vector<std::pair<double, std::string>> candidates;  // (score of the main agent, name)
        for (std::size_t i = 0; i < table.ladder.size(); ++i) {
            const LeagueMember& member = table.ladder[i].member;
            // The newest main agent is where the learner begins.
            if (!member.active || member.params_sha256.empty()) continue;
            if (newest != nullptr && member.id == newest->id) continue;
            const auto side = openMember(member, context_);
            if (!side || side->bundle->network.spec != net) continue;
            if (member.name.find(',') != std::string::npos || trimmed(member.name) != member.name) {
                std::fprintf(stderr, "seedbed: '%s' is no opponent because of its name\n",
                             member.name.c_str());
                continue;
            }
            GameCounts games;
            if (rank != table.ladder.end())
                games = table.matrix[static_cast<std::size_t>(rank - table.ladder.begin())][i];
            candidates.emplace_back(games.games() > 0 ? scoreOf(games).share : 0.5,
                                    playerName(league_, member.name));
        }
        std::stable_sort(candidates.begin(), candidates.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<std::string> names;
        for (const auto& [score, name] : candidates)
            if (static_cast<int>(names.size()) < options_.opponents) names.push_back(name);
        return join(names, ",");
    }

    // --- matches
    // -------------------------------------------------------------------------------------------------

    // `name` plays against all others.
    Result<> playMissing(const std::string& name) {
        SEEDBED_ASSIGN(const auto members, store_.members(league_.id));
        SEEDBED_ASSIGN(const auto matches, store_.matches(league_.id));
        const LeagueMember* member = find(members, name);
        if (member == nullptr || !member->active) return {};
        const auto missing = missingMatches(league_.id, {member->id}, members, matches, options_.rounds);
        SEEDBED_ASSIGN(const MatchCounts played, playMatches(store_, league_, lineup_, members, missing,
                                                             options_.matches, context_, interrupt_));
        recorded_ += played.recorded;
        failed_.insert(failed_.end(), played.failed.begin(), played.failed.end());
        return {};
    }

    // How far the newest main agent can be exploited.
    Result<> reportExploiter(int generation) {
        const std::string name = memberName(Role::exploiter, generation),
                          target = memberName(Role::main, generation);
        SEEDBED_ASSIGN(const auto members, store_.members(league_.id));
        SEEDBED_ASSIGN(const auto matches, store_.matches(league_.id));
        const LeagueMember *exploiter = find(members, name), *main = find(members, target);
        if (exploiter == nullptr || main == nullptr) return {};
        GameCounts games;
        for (const LeagueMatch& match : matches) {
            if (match.a != std::min(exploiter->id, main->id) || match.b != std::max(exploiter->id, main->id))
                continue;
            const bool is_a = match.a == exploiter->id;
            games.wins += is_a ? match.wins : match.losses;
            games.losses += is_a ? match.losses : match.wins;
            games.draws += match.draws;
        }
        if (games.games() == 0) return {};
        const Share score = scoreOf(games);
        exploiters_.push_back({{"member", name},
                               {"against", target},
                               {"score", score.share},
                               {"ci95", {score.low, score.high}},
                               {"games", games.games()}});
        if (!context_.quiet && !context_.json)
            std::printf("%s scores %.0f %% against %s (95 %% interval %.0f to %.0f)\n", name.c_str(),
                        100 * score.share, target.c_str(), 100 * score.low, 100 * score.high);
        return {};
    }

    LeagueStore& store_;
    const LeagueRecord& league_;
    Lineup& lineup_;
    const TrainLeagueOptions& options_;
    const Context& context_;
    Interrupt interrupt_;
    RealFileSystem files_;
    RealClock clock_;
    Json trained_ = Json::array(), exploiters_ = Json::array();
    int recorded_ = 0;
    std::vector<LeagueMatch> failed_;
};

Result<int> trainLeague(TrainLeagueOptions& options, const Context& context) {
    options.configuration.settings.insert(options.configuration.settings.end(), context.settings.begin(),
                                          context.settings.end());
    SEEDBED_ASSIGN(LeagueStore store, LeagueStore::open(context.data_folder));
    SEEDBED_ASSIGN(const LeagueRecord league, store.league(options.league));
    if (options.configuration.env.empty() && !options.configuration.preset)
        options.configuration.env = league.env;
    SEEDBED_ASSIGN(const Configuration plain, makeConfiguration(options.configuration));
    options.matches.threads = plain.config.run.threads;
    const auto lock = RunLock::acquire(context.data_folder, trainingLock(league));
    if (!lock) return fail("the league '" + league.name + "' is being trained by another process");
    SEEDBED_ASSIGN(Lineup lineup, Lineup::open(league, options.matches, context));
    LeagueTraining training(store, league, lineup, options, context);
    SEEDBED_TRY(training.check());
    SEEDBED_TRY(training.run());
    if (context.json) printJson(training.toJson());
    return training.complete() ? kOk : exitCode(ErrorCode::failure);
}

SEEDBED_REGISTER_COMMAND(
    league_train,
    {.id = "league train",
     .summary = "Train main agents and exploiters in turns; each joins the league",
     .examples = {"seedbed league train club --preset connect_four_self_play --steps 2000000",
                  "seedbed league train club --generations 1 --exploiter-steps 1000000"},
     .takes_settings = true,
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<TrainLeagueOptions>();
         cli.add_option("LEAGUE", options->league, "Name of a league")->required()->check(notEmpty());
         defineConfigurationOptions(cli, options->configuration);
         cli.add_option("--generations", options->generations,
                        "Main agents, of which each continues from the one before it")
             ->check(CLI::Range(1, 10000))
             ->capture_default_str();
         cli.add_option("--opponents", options->opponents,
                        "Largest number of members that a main agent meets while it trains")
             ->check(CLI::Range(1, 100))
             ->capture_default_str();
         cli.add_option("--share", options->share, "Share of a main agent's episodes against these members")
             ->check(CLI::Range(0.0, 1.0))
             ->capture_default_str();
         cli.add_option("--exploiter-steps", options->exploiter_steps,
                        "Steps of an exploiter; 0: as many as a main agent")
             ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 50));
         cli.add_flag("--no-exploiters", options->no_exploiters, "Train main agents only");
         cli.add_option("--games", options->matches.games,
                        "Games of a match; the players swap seats after every game")
             ->check(CLI::Range(1, 1000000))
             ->capture_default_str();
         cli.add_option("--rounds", options->rounds, "Matches of a new member against every other one")
             ->check(CLI::Range(1, 1000000))
             ->capture_default_str();
         return [options](const Context& context) { return trainLeague(*options, context); };
     }});

}  // namespace
}  // namespace seedbed::app::league
