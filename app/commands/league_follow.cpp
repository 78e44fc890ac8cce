// SPDX-License-Identifier: Apache-2.0
// seedbed league follow: versions of a run join a league while it trains, and play the matches that show
// whether it improves.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <tuple>
#include <utility>

#include "app/command.hpp"
#include "app/league/league_rounds.hpp"
#include "app/run_names.hpp"
#include "core/base/sleep.hpp"
#include "core/base/text.hpp"

namespace seedbed::app::league {
namespace {

constexpr double kPollSeconds = 2;

struct FollowOptions {
    std::string league, run;
    int every = 1, rounds = 1;
    MatchesOptions matches;
};

// Adds versions of a run and plays their matches. What it did before it was killed is in the database: a
// version that joined is a member, and its missing matches are those without a row.
class Follower {
public:
    Follower(LeagueStore& store, const LeagueRecord& league, RunId run, Lineup& lineup,
             const FollowOptions& options, const Context& context, Interrupt& interrupt)
        : store_(store),
          league_(league),
          prefix_(std::to_string(run) + ":"),
          lineup_(lineup),
          options_(options),
          context_(context),
          interrupt_(interrupt) {}

    // error: from the store; interrupted.
    Result<> add(const std::vector<CheckpointRecord>& checkpoints, bool is_over) {
        SEEDBED_TRY(playMissing());
        std::vector<std::int64_t> removed;
        for (const CheckpointRecord& version : chosen(checkpoints, is_over)) {
            const std::string name = prefix_ + std::to_string(version.step);
            if (!seen_.insert(version.step).second) continue;
            SEEDBED_ASSIGN(const auto members, store_.members(league_.id));
            const auto is_member = [&](const LeagueMember& member) { return member.name == name; };
            if (std::any_of(members.begin(), members.end(), is_member)) continue;
            if (version.removed) {
                removed.push_back(version.step);
                continue;
            }
            const Result<std::int64_t> id = join(name);
            if (!id) {
                if (id.error().code != ErrorCode::config) return tl::unexpected<Error>(id.error());
                const bool is_removed = !std::filesystem::exists(context_.data_folder / version.folder);
                (is_removed ? lost_ : refused_).push_back(version.step);
                std::fprintf(stderr, "seedbed: %s; '%s' does not join\n", id.error().text().c_str(),
                             name.c_str());
                continue;
            }
            added_.push_back(name);
            if (!context_.quiet && !context_.json) {
                std::printf("%s joined '%s'\n", name.c_str(), league_.name.c_str());
                std::fflush(stdout);
            }
            SEEDBED_TRY(playMissing());
        }
        reportRemoved(removed);
        return {};
    }

    Json toJson() const {
        return {{"league", league_.name},       {"added", added_},
                {"removed_checkpoints", lost_}, {"matches", recorded_},
                {"could_not_join", refused_},   {"failed", failed_.size()}};
    }
    bool complete() const { return failed_.empty() && refused_.empty() && lineup_.complete(); }

private:
    using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
    static Key keyOf(const LeagueMatch& match) { return {match.a, match.b, match.number}; }

    // Every k-th checkpoint in the order of their steps, counting removed ones, and the last of a run that
    // has ended.
    std::vector<CheckpointRecord> chosen(std::vector<CheckpointRecord> all, bool is_over) const {
        std::erase_if(all, [](const CheckpointRecord& each) { return each.step == 0; });
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
        std::vector<CheckpointRecord> versions;
        for (std::size_t i = 0; i < all.size(); ++i)
            if ((i + 1) % static_cast<std::size_t>(options_.every) == 0 || (is_over && i + 1 == all.size()))
                versions.push_back(all[i]);
        return versions;
    }

    // error: config, also for a checkpoint that was removed in the meantime.
    Result<std::int64_t> join(const std::string& name) {
        auto side = openSide(name, context_);
        if (!side) return fail(ErrorCode::config, side.error().text());
        return addLeagueMember(store_, league_, *side, name, context_);
    }

    void reportRemoved(const std::vector<std::int64_t>& steps) {
        if (steps.empty()) return;
        std::fprintf(stderr,
                     "seedbed: the run has removed %s, at steps %s to %s; they do not join "
                     "(checkpoint.milestone_steps keeps checkpoints)\n",
                     countText(static_cast<std::int64_t>(steps.size()), "checkpoint").c_str(),
                     formatCount(steps.front()).c_str(), formatCount(steps.back()).c_str());
        lost_.insert(lost_.end(), steps.begin(), steps.end());
    }

    // The members of the run play those that are new to them, and others that joined in the meantime.
    Result<> playMissing() {
        SEEDBED_ASSIGN(const auto members, store_.members(league_.id));
        std::vector<std::pair<std::int64_t, bool>> now;
        for (const LeagueMember& member : members) now.emplace_back(member.id, member.active);
        if (now == known_) return {};
        SEEDBED_ASSIGN(const auto matches, store_.matches(league_.id));
        std::set<std::int64_t> versions;
        for (const LeagueMember& member : members)
            if (member.origin == member.name && member.name.starts_with(prefix_)) versions.insert(member.id);
        auto missing = missingMatches(league_.id, versions, members, matches, options_.rounds);
        std::erase_if(missing, [&](const LeagueMatch& match) { return failed_.contains(keyOf(match)); });
        SEEDBED_ASSIGN(const MatchCounts played, playMatches(store_, league_, lineup_, members, missing,
                                                             options_.matches, context_, interrupt_));
        known_ = std::move(now);
        recorded_ += played.recorded;
        for (const LeagueMatch& match : played.failed) failed_.insert(keyOf(match));
        return {};
    }

    LeagueStore& store_;
    const LeagueRecord& league_;
    std::string prefix_;  // of the names of members: "3:"
    Lineup& lineup_;
    const FollowOptions& options_;
    const Context& context_;
    Interrupt& interrupt_;
    std::set<std::int64_t> seen_;  // steps of versions
    std::vector<std::string> added_;
    std::vector<std::int64_t> lost_, refused_;
    int recorded_ = 0;
    std::set<Key> failed_;  // not tried again
    std::vector<std::pair<std::int64_t, bool>>
        known_;  // members that have played, and whether they are active
};

Result<> checkEnv(const RunRecord& run, const LeagueRecord& league) {
    if (run.env == league.env) return {};
    return fail(ErrorCode::config, "run " + std::to_string(run.id) + " trains in '" + run.env +
                                       "', but the league '" + league.name + "' plays '" + league.env + "'");
}

Result<int> follow(const FollowOptions& options, const Context& context) {
    SEEDBED_ASSIGN(const RunId id, resolveRun(options.run, context));
    SEEDBED_ASSIGN(LeagueStore store, LeagueStore::open(context.data_folder));
    SEEDBED_ASSIGN(const LeagueRecord league, store.league(options.league));
    SEEDBED_ASSIGN(Lineup lineup, Lineup::open(league, options.matches, context));
    Interrupt interrupt(stoppingText(context.quiet));
    Follower follower(store, league, id, lineup, options, context, interrupt);
    for (bool is_over = false; !is_over;) {
        SEEDBED_ASSIGN(StoreReader runs, openRuns(context));
        SEEDBED_ASSIGN(const RunDetails details, runs.details(id));
        SEEDBED_TRY(checkEnv(details.run, league));
        is_over = !isLive(details.run.status) && details.run.status != RunStatus::queued;
        SEEDBED_TRY(follower.add(details.checkpoints, is_over));
        if (!is_over) sleepFor(kPollSeconds, interrupt.token());
        if (interrupt.token().stop_requested())
            return fail(ErrorCode::interrupted, "stopped; finished matches are stored");
    }
    if (context.json) printJson(follower.toJson());
    return follower.complete() ? kOk : exitCode(ErrorCode::failure);
}

SEEDBED_REGISTER_COMMAND(
    league_follow,
    {.id = "league follow",
     .summary = "Add versions of a run to a league while it trains, and play their matches",
     .examples = {"seedbed league follow club 3", "seedbed league follow club 3 --every 5 --games 40"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<FollowOptions>();
         cli.add_option("LEAGUE", options->league, "Name of a league")->required()->check(notEmpty());
         addRunArgument(cli, options->run);
         cli.add_option("--every", options->every, "Add every n-th checkpoint, and the last one")
             ->check(CLI::Range(1, 1000000))
             ->capture_default_str();
         cli.add_option("--rounds", options->rounds, "Matches of a version against every other active member")
             ->check(CLI::Range(1, 1000000))
             ->capture_default_str();
         addMatchesOptions(cli, options->matches);
         return [options](const Context& context) { return follow(*options, context); };
     }});

}  // namespace
}  // namespace seedbed::app::league
