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
constexpr double kMostGames = 1e15;
// Lanes of the purpose `action`; networks use the lanes from 0 on, one per column.
constexpr std::uint32_t kRouterLanes = 1U << 31;
constexpr std::uint64_t kWordsPerEpisode = 8;

// Prioritised fictitious self-play: the weight of an opponent that the learner beats with probability p is
// (1 - p)^2 (Vinyals et al. 2019, "Grandmaster level in StarCraft II", f_hard), with p estimated from the
// results and one win and one loss more, so that it is never 0 or 1.
double priorityOf(double games, double score) {
    const double hard = 1 - (score + 1) / (games + 2);
    return hard * hard;
}

std::uint32_t drawSlot(const std::vector<Opponents::Past>& past, double uniform) {
    double total = 0;
    for (const Opponents::Past& self : past) total += self.weight;
    double rest = uniform * total;
    std::uint32_t chosen = 0;
    for (std::uint32_t slot = 0; slot < past.size(); ++slot) {
        if (past[slot].weight <= 0) continue;
        chosen = slot;
        rest -= past[slot].weight;
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
                   "uniform: each with the same probability; newest: the last one.",
                   {.choices = {"prioritised", "uniform", "newest"}})
            .field(&SelfPlaySettings::pool, "pool",
                   "Maximum number of past selves; a new one replaces the oldest.",
                   {.min = 1, .max = kLargestPool})
            .field(&SelfPlaySettings::every, "every", "Updates between two past selves.",
                   {.unit = "updates", .min = 1, .max = 1e9})
            .field(&SelfPlaySettings::scripted, "scripted",
                   "Scripted player that is an opponent, such as random; empty: none.")
            .field(&SelfPlaySettings::scripted_share, "scripted_share",
                   "Share of episodes against the scripted player.", {.min = 0, .max = 1});
    return description;
}

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
    if (settings.past + settings.scripted_share > 1)
        return fail(ErrorCode::config, "self_play.past and self_play.scripted_share add up to " +
                                           formatNumber(settings.past + settings.scripted_share) +
                                           "; at most 1 is possible");
    if (!settings.isUsed() || spec.agents > 1) return {};
    return fail(ErrorCode::config, "'" + env.id + "' has one seat; self_play needs a second");
}

SeatAssignment assignSeats(const Opponents& opponents, std::uint64_t seed, std::uint32_t env,
                           std::uint64_t episode, int agents) {
    SeatAssignment assignment;
    assignment.seat = static_cast<std::uint32_t>((env + episode) % static_cast<std::uint64_t>(agents));
    Rng rng(seed, RngPurpose::action, kRouterLanes + env, episode * kWordsPerEpisode);
    const double kind = rng.uniform();
    if (kind < opponents.scripted_share) {
        assignment.opponent = SeatAssignment::Opponent::scripted;
    } else if (kind < opponents.scripted_share + opponents.past_share && !opponents.past.empty()) {
        assignment.opponent = SeatAssignment::Opponent::past;
        assignment.slot = drawSlot(opponents.past, rng.uniform());
        assignment.snapshot = opponents.past[assignment.slot].snapshot;
    }
    return assignment;
}

void PastSelves::Counts::add(Outcome outcome) {
    wins += outcome == Outcome::win ? 1 : 0;
    draws += outcome == Outcome::draw ? 1 : 0;
    losses += outcome == Outcome::loss ? 1 : 0;
}

void PastSelves::Counts::archive(Archive& archive) {
    constexpr std::uint64_t most = std::uint64_t{1} << 50;
    for (std::uint64_t* count : {&wins, &draws, &losses})
        archive.field("games against an opponent", *count, range(std::uint64_t{0}, most));
}

void PastSelves::takeSnapshot(std::uint64_t updates, const Params& params) {
    for (Slot& slot : slots_) {
        slot.games *= 0.5;
        slot.score *= 0.5;
    }
    const auto index = static_cast<std::size_t>(taken_ % static_cast<std::uint64_t>(settings_.pool));
    if (index == slots_.size()) slots_.emplace_back();
    slots_[index] = Slot{.params = params, .snapshot = updates, .recent = {}};
    ++taken_;
}

void PastSelves::choose() {
    auto table = std::make_shared<Opponents>();
    table->past_share = settings_.past;
    table->scripted_share = settings_.scripted_share;
    std::uint64_t newest = 0;
    for (const Slot& slot : slots_) newest = std::max(newest, slot.snapshot);
    for (const Slot& slot : slots_) {
        double weight = 1;
        if (settings_.choice == "newest") weight = slot.snapshot == newest ? 1 : 0;
        if (settings_.choice == "prioritised") weight = priorityOf(slot.games, slot.score);
        table->past.push_back({slot.params, slot.snapshot, weight});
    }
    opponents_ = std::move(table);
}

void PastSelves::advance(std::uint64_t updates, const Params& params) {
    const MutexLock lock(mutex_);
    if (advanced_ > updates) return;
    advanced_ = updates + 1;
    for (Slot& slot : slots_) {
        slot.games = std::min(kMostGames, slot.games + slot.recent.games());
        slot.score = std::min(slot.games, slot.score + slot.recent.score());
        slot.recent = {};
    }
    scripted_ = {};
    const auto every = static_cast<std::uint64_t>(settings_.every);
    if (settings_.past > 0 && updates % every == 0) takeSnapshot(updates, params);
    choose();
}

void PastSelves::finished(const SeatAssignment& assignment, Outcome outcome) {
    const MutexLock lock(mutex_);
    if (assignment.opponent == SeatAssignment::Opponent::scripted) scripted_.add(outcome);
    if (assignment.opponent != SeatAssignment::Opponent::past || assignment.slot >= slots_.size()) return;
    // An episode that outlives its past self does not count for the one that replaced it.
    Slot& slot = slots_[assignment.slot];
    if (slot.snapshot == assignment.snapshot) slot.recent.add(outcome);
}

void PastSelves::appendMetrics(std::vector<std::pair<std::string, double>>& metrics) const {
    const MutexLock lock(mutex_);
    double games = 0, score = 0;
    for (const Slot& slot : slots_) {
        games += slot.recent.games();
        score += slot.recent.score();
    }
    metrics.emplace_back("self_play/pool", static_cast<double>(slots_.size()));
    if (games > 0) metrics.emplace_back("self_play/score_past", score / games);
    if (scripted_.games() > 0)
        metrics.emplace_back("self_play/score_scripted", scripted_.score() / scripted_.games());
}

void PastSelves::archive(Archive& archive, std::size_t parameters) {
    const MutexLock lock(mutex_);
    std::uint64_t count = slots_.size();
    archive.any(taken_, advanced_).field("past selves", count, range(0, settings_.pool));
    archive.require(count == std::min(taken_, static_cast<std::uint64_t>(settings_.pool)),
                    "the number of past selves is wrong");
    if (archive.failed()) return;
    if (archive.isLoading()) slots_.assign(count, Slot{});
    for (Slot& slot : slots_) {
        std::vector<float> blob(parameters);
        std::uint64_t version = slot.params.empty() ? 0 : slot.params.version();
        if (!archive.isLoading()) blob.assign(slot.params.blob().begin(), slot.params.blob().end());
        archive.any(version, slot.snapshot).fixed("a past self", blob, kFinite<float>);
        archive.field("games against a past self", slot.games, range(0.0, kMostGames));
        archive.field("score against a past self", slot.score, range(0.0, kMostGames));
        slot.recent.archive(archive);
        if (archive.failed()) return;
        archive.require(slot.score <= slot.games, "the score against a past self is too large");
        if (archive.isLoading()) slot.params = Params(std::move(blob), version);
    }
    scripted_.archive(archive);
    if (archive.isLoading() && !archive.failed()) choose();
}

}  // namespace seedbed
