// SPDX-License-Identifier: Apache-2.0
#include "core/session/self_play/past_selves.hpp"

#include <algorithm>
#include <limits>

#include "core/base/rng.hpp"
#include "core/base/text.hpp"
#include "core/env/scripted_player.hpp"

namespace seedbed {
namespace {

constexpr int kLargestPool = 1000;
constexpr std::size_t kMostRivals = 100;
constexpr double kMostGames = 1e15;
// Lanes of the purpose `action`; networks use the lanes from 0 on, one per column.
constexpr std::uint32_t kRouterLanes = 1U << 31;
// assignSeats() uses the first half of an episode's words, openingOf() the second.
constexpr std::uint64_t kWordsPerEpisode = 8;

// Prioritised fictitious self-play: the weight of an opponent that the learner beats with probability p is
// (1 - p)^2 (Vinyals et al. 2019, "Grandmaster level in StarCraft II", f_hard), with p estimated from the
// results and one win and one loss more, so that it is never 0 or 1.
double priorityOf(double games, double score) {
    const double hard = 1 - (score + 1) / (games + 2);
    return hard * hard;
}

std::uint32_t drawSlot(const std::vector<Opponents::Past>& slots, double uniform) {
    double total = 0;
    for (const Opponents::Past& each : slots) total += each.weight;
    double rest = uniform * total;
    std::uint32_t chosen = 0;
    for (std::uint32_t slot = 0; slot < slots.size(); ++slot) {
        if (slots[slot].weight <= 0) continue;
        chosen = slot;
        rest -= slots[slot].weight;
        if (rest < 0) break;
    }
    return chosen;
}

}  // namespace

const Description<SelfPlaySettings>& SelfPlaySettings::describe() {
    static const auto description =
        Description<SelfPlaySettings>("self_play",
                                      "Opponents of the learner in environments with several seats. Affects "
                                      "the result. In the remaining episodes the learner plays all seats.")
            .field(&SelfPlaySettings::past, "past",
                   "Share of episodes against past selves, which act with earlier parameters and do not "
                   "learn; the learner's seat changes from episode to episode.",
                   {.min = 0, .max = 1, .level = Level::recipe})
            .field(&SelfPlaySettings::choice, "choice",
                   "How a past self is chosen: prioritised: more often the less the learner wins against it; "
                   "uniform: each with the same probability; newest: the last one. Rivals are chosen like "
                   "past selves, with newest: uniformly.",
                   {.choices = {"prioritised", "uniform", "newest"}})
            .field(&SelfPlaySettings::pool, "pool",
                   "Maximum number of past selves; a new one replaces the oldest.",
                   {.min = 1, .max = kLargestPool})
            .field(&SelfPlaySettings::every, "every", "Updates between two past selves.",
                   {.unit = "updates", .min = 1, .max = 1e9})
            .field(&SelfPlaySettings::scripted, "scripted",
                   "Scripted player that is an opponent, such as random; empty: none.")
            .field(&SelfPlaySettings::scripted_share, "scripted_share",
                   "Share of episodes against the scripted player.", {.min = 0, .max = 1})
            .field(&SelfPlaySettings::rivals, "rivals",
                   "Policies that are opponents and do not change, separated by commas: RUN, RUN:best, "
                   "RUN:STEP, league:LEAGUE/MEMBER or a folder; their network must be that of this run.")
            .field(&SelfPlaySettings::rival_share, "rival_share", "Share of episodes against rivals.",
                   {.min = 0, .max = 1})
            .field(&SelfPlaySettings::opening, "opening",
                   "Random decisions of all seats at the start of an episode, which do not teach: their "
                   "number is drawn from 0 to this one, so that the learner meets many positions.",
                   {.unit = "decisions", .min = 0, .max = 1000, .level = Level::recipe});
    return description;
}

std::vector<std::string> SelfPlaySettings::rivalNames() const {
    std::vector<std::string> names;
    for (const std::string& name : split(rivals, ','))
        if (!trimmed(name).empty()) names.emplace_back(trimmed(name));
    return names;
}

namespace {

Result<> checkRivals(const SelfPlaySettings& settings) {
    const std::size_t names = settings.rivalNames().size();
    if (names == 0 && settings.rival_share > 0)
        return fail(ErrorCode::config, "self_play.rival_share is " + formatNumber(settings.rival_share) +
                                           ", but self_play.rivals names no policy");
    if (names > 0 && settings.rival_share == 0)
        return fail(ErrorCode::config,
                    "self_play.rivals=" + settings.rivals + " needs self_play.rival_share above 0");
    if (names <= kMostRivals) return {};
    return fail(ErrorCode::config, "self_play.rivals names " + std::to_string(names) + " policies; at most " +
                                       std::to_string(kMostRivals) + " are possible");
}

}  // namespace

Result<> checkSelfPlay(const SelfPlaySettings& settings, const EnvEntry& env, const EnvSpec& spec) {
    if (settings.scripted.empty() && settings.scripted_share > 0)
        return fail(ErrorCode::config,
                    "self_play.scripted_share is " + formatNumber(settings.scripted_share) +
                        ", but self_play.scripted names no player; players: " + scriptedPlayerForms());
    if (!settings.scripted.empty()) {
        auto player = makeScriptedPlayer(settings.scripted, env, spec);
        if (!player)
            return tl::unexpected<Error>(
                std::move(player).error().withContext("checking self_play.scripted"));
        if (settings.scripted_share == 0)
            return fail(ErrorCode::config, "self_play.scripted=" + settings.scripted +
                                               " needs self_play.scripted_share above 0");
    }
    SEEDBED_TRY(checkRivals(settings));
    const double shares = settings.past + settings.scripted_share + settings.rival_share;
    if (shares > 1)
        return fail(ErrorCode::config,
                    "self_play.past, self_play.scripted_share and self_play.rival_share add up to " +
                        formatNumber(shares) + "; at most 1 is possible");
    if (!settings.isUsed() || spec.agents > 1) return {};
    return fail(ErrorCode::config, "'" + env.id + "' has one seat; self_play needs a second");
}

SeatAssignment assignSeats(const Opponents& opponents, std::uint64_t seed, std::uint32_t env,
                           std::uint64_t episode, int agents) {
    SeatAssignment assignment;
    assignment.seat = static_cast<std::uint32_t>((env + episode) % static_cast<std::uint64_t>(agents));
    Rng rng(seed, RngPurpose::action, kRouterLanes + env, episode * kWordsPerEpisode);
    using Opponent = SeatAssignment::Opponent;
    const double past_end = opponents.scripted_share + opponents.past_share;
    const double kind = rng.uniform();
    if (kind < opponents.scripted_share) {
        assignment.opponent = Opponent::scripted;
    } else if (kind < past_end) {
        if (!opponents.past.empty()) assignment.opponent = Opponent::past;
    } else if (kind < past_end + opponents.rival_share) {
        if (!opponents.rivals.empty()) assignment.opponent = Opponent::rival;
    }
    if (assignment.opponent != Opponent::past && assignment.opponent != Opponent::rival) return assignment;
    const auto& slots = assignment.opponent == Opponent::past ? opponents.past : opponents.rivals;
    assignment.slot = drawSlot(slots, rng.uniform());
    assignment.snapshot = slots[assignment.slot].snapshot;
    return assignment;
}

int openingOf(int most, std::uint64_t seed, std::uint32_t env, std::uint64_t episode) {
    Rng rng(seed, RngPurpose::action, kRouterLanes + env, episode * kWordsPerEpisode + kWordsPerEpisode / 2);
    return static_cast<int>(rng.below(static_cast<std::uint32_t>(most) + 1));
}

void PastSelves::Counts::add(Outcome outcome) {
    wins += outcome == Outcome::win ? 1 : 0;
    draws += outcome == Outcome::draw ? 1 : 0;
    losses += outcome == Outcome::loss ? 1 : 0;
}

void PastSelves::Counts::add(const Counts& other) {
    wins += other.wins;
    draws += other.draws;
    losses += other.losses;
}

void PastSelves::Counts::archive(Archive& archive) {
    constexpr std::uint64_t most = std::uint64_t{1} << 50;
    for (std::uint64_t* count : {&wins, &draws, &losses})
        archive.field("games against an opponent", *count, range(std::uint64_t{0}, most));
}

void PastSelves::Slot::countRecent() {
    games = std::min(kMostGames, games + recent.games());
    score = std::min(games, score + recent.score());
    recent = {};
}

void PastSelves::setRivals(std::vector<Params> rivals) {
    const MutexLock lock(mutex_);
    rivals_.clear();
    for (Params& params : rivals) rivals_.push_back(Slot{.params = std::move(params), .recent = {}});
}

void PastSelves::takeSnapshot(std::uint64_t updates, const Params& params) {
    const auto index = static_cast<std::size_t>(taken_ % static_cast<std::uint64_t>(settings_.pool));
    if (index == slots_.size()) slots_.emplace_back();
    slots_[index] = Slot{.params = params, .snapshot = updates, .recent = {}};
    ++taken_;
}

void PastSelves::choose() {
    auto table = std::make_shared<Opponents>();
    table->past_share = settings_.past;
    table->scripted_share = settings_.scripted_share;
    table->rival_share = settings_.rival_share;
    const auto add = [this](const Slots& slots, std::vector<Opponents::Past>& to) {
        std::uint64_t newest = 0;
        for (const Slot& slot : slots) newest = std::max(newest, slot.snapshot);
        for (const Slot& slot : slots) {
            double weight = 1;
            if (settings_.choice == "newest") weight = slot.snapshot == newest ? 1 : 0;
            if (settings_.choice == "prioritised") weight = priorityOf(slot.games, slot.score);
            to.push_back({slot.params, slot.snapshot, weight});
        }
    };
    add(slots_, table->past);
    add(rivals_, table->rivals);
    opponents_ = std::move(table);
}

void PastSelves::advance(std::uint64_t updates, const Params& params) {
    const MutexLock lock(mutex_);
    if (advanced_ > updates) return;
    advanced_ = updates + 1;
    scripted_ = {};
    const bool is_due = updates % static_cast<std::uint64_t>(settings_.every) == 0;
    for (Slots* slots : {&slots_, &rivals_})
        for (Slot& slot : *slots) {
            slot.countRecent();
            if (!is_due) continue;
            // Older results count half.
            slot.games *= 0.5;
            slot.score *= 0.5;
        }
    if (settings_.past > 0 && is_due) takeSnapshot(updates, params);
    choose();
}

void PastSelves::finished(const SeatAssignment& assignment, Outcome outcome) {
    const MutexLock lock(mutex_);
    using Opponent = SeatAssignment::Opponent;
    if (assignment.opponent == Opponent::scripted) scripted_.add(outcome);
    if (assignment.opponent != Opponent::past && assignment.opponent != Opponent::rival) return;
    Slots& slots = assignment.opponent == Opponent::past ? slots_ : rivals_;
    if (assignment.slot >= slots.size()) return;
    // An episode that outlives its past self does not count for the one that replaced it.
    Slot& slot = slots[assignment.slot];
    if (slot.snapshot == assignment.snapshot) slot.recent.add(outcome);
}

void PastSelves::appendMetrics(std::vector<std::pair<std::string, double>>& metrics) const {
    const MutexLock lock(mutex_);
    metrics.emplace_back("self_play/pool", static_cast<double>(slots_.size()));
    const auto add = [&](const std::string& name, const Counts& counts) {
        if (counts.games() > 0)
            metrics.emplace_back("self_play/score_" + name, counts.score() / counts.games());
    };
    add("past", recentOf(slots_));
    add("scripted", scripted_);
    add("rivals", recentOf(rivals_));
    for (std::size_t i = 0; i < rivals_.size(); ++i) add("rival_" + std::to_string(i + 1), rivals_[i].recent);
}

PastSelves::Counts PastSelves::recentOf(const Slots& slots) {
    Counts sum;
    for (const Slot& slot : slots) sum.add(slot.recent);
    return sum;
}

void PastSelves::Slot::archive(Archive& archive, std::size_t parameters) {
    std::vector<float> blob(parameters);
    std::uint64_t version = params.empty() ? 0 : params.version();
    if (!archive.isLoading()) blob.assign(params.blob().begin(), params.blob().end());
    archive.any(version, snapshot).fixed("an opponent", blob, kFinite<float>);
    archive.field("games against an opponent", games, range(0.0, kMostGames));
    archive.field("score against an opponent", score, range(0.0, kMostGames));
    recent.archive(archive);
    if (archive.failed()) return;
    archive.require(score <= games, "the score against an opponent is too large");
    if (archive.isLoading()) params = Params(std::move(blob), version);
}

void PastSelves::archive(Archive& archive, std::size_t parameters) {
    const MutexLock lock(mutex_);
    std::uint64_t count = slots_.size();
    archive.any(taken_, advanced_).field("past selves", count, range(0, settings_.pool));
    archive.require(count == std::min(taken_, static_cast<std::uint64_t>(settings_.pool)),
                    "the number of past selves is wrong");
    if (archive.failed()) return;
    if (archive.isLoading()) {
        slots_.assign(count, Slot{});
        rivals_.assign(settings_.rivalNames().size(), Slot{});
    }
    for (Slots* slots : {&slots_, &rivals_})
        for (Slot& slot : *slots) {
            slot.archive(archive, parameters);
            if (archive.failed()) return;
        }
    scripted_.archive(archive);
    if (archive.isLoading() && !archive.failed()) choose();
}

}  // namespace seedbed
