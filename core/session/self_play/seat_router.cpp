// SPDX-License-Identifier: Apache-2.0
#include "core/session/self_play/seat_router.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <string>
#include <utility>

#include "core/algo/forced_rows.hpp"
#include "core/env/random_policy.hpp"

namespace seedbed {
namespace {

// Lanes of the purpose `action` for scripted players and openings; those of the router are higher, those of
// networks lower. Each row has its own numbers, so that no state needs to be saved.
constexpr std::uint32_t kPlayerLanes = 1U << 30, kOpeningLanes = 3U << 29;
constexpr std::uint64_t kWordsPerDecision = 1U << 12;

}  // namespace

SeatRouter::SeatRouter(std::shared_ptr<PastSelves> selves, EngineNet& net, VectorEnv& env, Place place)
    : selves_(std::move(selves)),
      env_(env),
      place_(place),
      agents_(static_cast<std::size_t>(env.spec().agents)),
      rivals_(selves_->settings().rivalNames().size()),
      mix_(net, env.batch().count() * env.spec().agents,
           selves_->settings().pool + static_cast<int>(rivals_)),
      is_recurrent_(net.plan().state_words > 0) {
    const auto envs = static_cast<std::size_t>(env.batch().count());
    seats_.resize(envs);
    policies_.assign(envs * agents_, 0);
}

Result<std::unique_ptr<SeatRouter>> SeatRouter::create(std::shared_ptr<PastSelves> selves,
                                                       const EnvEntry& entry, EngineNet& net, VectorEnv& env,
                                                       Place place) {
    std::unique_ptr<SeatRouter> router(new SeatRouter(std::move(selves), net, env, place));
    const std::string& name = router->selves_->settings().scripted;
    if (!name.empty()) {
        SEEDBED_ASSIGN(router->scripted_, makeScriptedPlayer(name, entry, env.spec()));
    }
    return router;
}

bool SeatRouter::isLearners(const Seats& seats, std::size_t agent) const {
    return seats.assignment.opponent == SeatAssignment::Opponent::self || seats.assignment.seat == agent;
}

std::uint16_t SeatRouter::policyOf(const Seats& seats, std::size_t agent) const {
    if (isLearners(seats, agent)) return 0;
    if (seats.assignment.opponent == SeatAssignment::Opponent::scripted) return PolicyMix::kNoNetwork;
    const std::size_t first = seats.assignment.opponent == SeatAssignment::Opponent::rival ? 0 : rivals_;
    return static_cast<std::uint16_t>(first + seats.assignment.slot + 1);
}

void SeatRouter::beginEpisodes(const Opponents& opponents, Ring& ring) {
    const std::uint64_t t = ring.head();
    for (std::size_t env = 0; env < seats_.size(); ++env) {
        const std::size_t column = env * agents_;
        if (ring.first(t)[column] == 0 || ring.episodeStep(t)[column] != 0) continue;
        Seats& seats = seats_[env];
        seats.opening = openingOf(selves_->settings().opening, place_.seed, numberOf(env), seats.episodes);
        seats.assignment =
            assignSeats(opponents, place_.seed, numberOf(env), seats.episodes++, static_cast<int>(agents_));
        for (std::size_t agent = 0; agent < agents_; ++agent)
            policies_[column + agent] = policyOf(seats, agent);
    }
}

Result<> SeatRouter::act(const Acting& acting, SpanInference& span, Ring& ring, ThreadTimes& times) {
    const Opponents& opponents = *acting.opponents;
    if (opponents.rivals.size() != rivals_)
        return fail(ErrorCode::config,
                    "self_play.rivals needs a recorded run, such as 'seedbed train' makes");
    beginEpisodes(opponents, ring);
    others_.clear();
    for (const auto* slots : {&opponents.rivals, &opponents.past})
        for (const Opponents::Past& each : *slots) others_.push_back(&each.params);
    chooseNetworks(ring);
    SEEDBED_TRY(mix_.act(span, acting, others_, networks_, times));
    std::copy(policies_.begin(), policies_.end(), ring.policyId(ring.head()));
    if (scripted_ != nullptr) SEEDBED_TRY(actScripted(ring));
    if (selves_->settings().opening > 0) playOpenings(ring);
    times.lap(Phase::inference_sample);
    return {};
}

std::uint32_t SeatRouter::numberOf(std::size_t env) const {
    return static_cast<std::uint32_t>(place_.first_env) + static_cast<std::uint32_t>(env);
}

bool SeatRouter::isOpening(Ring& ring, std::size_t env) const {
    return ring.episodeStep(ring.head())[env * agents_] < seats_[env].opening;
}

// Without a network, a forced row gets its only action and the value 0.
void SeatRouter::chooseNetworks(Ring& ring) {
    networks_ = policies_;
    if (is_recurrent_) return;
    const std::uint64_t t = ring.head();
    const Spaces& spaces = ring.spec().spaces;
    const auto mask_bytes = static_cast<std::size_t>(spaces.maskBytes());
    for (std::size_t column = 0; column < networks_.size(); ++column)
        if (isOpening(ring, column / agents_) ||
            (place_.skips_forced && allowsOneAction(spaces, ring.mask(t) + column * mask_bytes)))
            networks_[column] = PolicyMix::kNoNetwork;
}

void SeatRouter::playOpenings(Ring& ring) const {
    const std::uint64_t t = ring.head();
    const Spaces& spaces = ring.spec().spaces;
    const auto mask_bytes = static_cast<std::size_t>(spaces.maskBytes()),
               words = static_cast<std::size_t>(spaces.actionWords());
    for (std::size_t env = 0; env < seats_.size(); ++env) {
        const std::size_t column = env * agents_;
        if (!isOpening(ring, env)) continue;
        Rng rng(place_.seed, RngPurpose::action, kOpeningLanes + numberOf(env), t * kWordsPerDecision);
        randomActions(spaces, static_cast<int>(agents_),
                      spaces.has_mask ? ring.mask(t) + column * mask_bytes : nullptr, rng,
                      ring.action(t) + column * words);
        std::fill_n(ring.policyId(t) + column, agents_, PolicyMix::kNoNetwork);
    }
}

Result<> SeatRouter::actScripted(Ring& ring) try {
    const std::uint64_t t = ring.head();
    const Spaces& spaces = ring.spec().spaces;
    const auto mask_bytes = static_cast<std::size_t>(spaces.maskBytes()),
               words = static_cast<std::size_t>(spaces.actionWords());
    for (std::size_t column = 0; column < policies_.size(); ++column) {
        if (policies_[column] != PolicyMix::kNoNetwork || ring.valid(t)[column] == 0) continue;
        if (isOpening(ring, column / agents_)) continue;
        const auto env = static_cast<int>(column / agents_);
        const Json state = scripted_->needsState() ? env_.batch().state(env) : Json();
        leaves_.clear();
        for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf)
            leaves_.push_back(ring.obs(static_cast<int>(leaf), t) + column * spaces.obs[leaf].bytes());
        const std::uint32_t lane =
            kPlayerLanes +
            static_cast<std::uint32_t>(place_.first_env) * static_cast<std::uint32_t>(agents_) +
            static_cast<std::uint32_t>(column);
        Rng rng(place_.seed, RngPurpose::action, lane, t * kWordsPerDecision);
        scripted_->act({.seat = static_cast<int>(column % agents_),
                        .leaves = leaves_.data(),
                        .mask = spaces.has_mask ? ring.mask(t) + column * mask_bytes : nullptr,
                        .state = &state},
                       rng, ring.action(t) + column * words);
    }
    return {};
} catch (const std::exception& error) {
    return fail("the scripted player '" + selves_->settings().scripted + "' failed: " + error.what());
}

// The result of the seat in `column`, against the best other seat. Absent seats have no EpisodeEnd.
Outcome SeatRouter::outcomeOf(const std::vector<EpisodeEnd>& ended, std::size_t begin, std::size_t end,
                              std::size_t column) const {
    constexpr double kAbsent = -std::numeric_limits<double>::infinity();
    double own = kAbsent, other = kAbsent;
    for (std::size_t i = begin; i < end; ++i) {
        double& value = static_cast<std::size_t>(ended[i].column) == column ? own : other;
        value = std::max(value, ended[i].episode_return);
    }
    if (own == other) return Outcome::draw;
    return own > other ? Outcome::win : Outcome::loss;
}

void SeatRouter::finish(std::vector<EpisodeEnd>& ended, std::size_t begin) {
    const auto envOf = [&](std::size_t i) { return static_cast<std::size_t>(ended[i].column) / agents_; };
    std::size_t kept = begin;
    for (std::size_t i = begin; i < ended.size();) {
        const std::size_t env = envOf(i);
        std::size_t end = i;
        while (end < ended.size() && envOf(end) == env) ++end;
        const Seats& seats = seats_[env];
        // Who wins during the opening says nothing about the players.
        if (seats.assignment.opponent != SeatAssignment::Opponent::self && ended[i].length > seats.opening)
            selves_->finished(seats.assignment,
                              outcomeOf(ended, i, end, env * agents_ + seats.assignment.seat));
        for (; i < end; ++i)
            if (isLearners(seats, static_cast<std::size_t>(ended[i].column) % agents_))
                ended[kept++] = ended[i];
    }
    ended.resize(kept);
}

void SeatRouter::archive(Archive& archive) {
    using Opponent = SeatAssignment::Opponent;
    const auto most_agents = static_cast<std::uint32_t>(agents_ - 1),
               most_slots = static_cast<std::uint32_t>(selves_->settings().pool - 1),
               most_rivals = static_cast<std::uint32_t>(std::max<std::size_t>(rivals_, 1) - 1);
    for (std::size_t env = 0; env < seats_.size(); ++env) {
        SeatAssignment& assignment = seats_[env].assignment;
        archive.any(seats_[env].episodes, assignment.snapshot);
        if (seats_[env].episodes > 0)
            seats_[env].opening =
                openingOf(selves_->settings().opening, place_.seed, numberOf(env), seats_[env].episodes - 1);
        archive.field("opponent", assignment.opponent, range(Opponent::self, Opponent::rival));
        const bool is_rival = assignment.opponent == Opponent::rival;
        archive.require(!is_rival || rivals_ > 0, "there are no rivals");
        archive.field("slot of the opponent", assignment.slot,
                      range(0U, is_rival ? most_rivals : most_slots));
        archive.field("seat of the learner", assignment.seat, range(0U, most_agents));
        for (std::size_t agent = 0; agent < agents_; ++agent)
            policies_[env * agents_ + agent] = policyOf(seats_[env], agent);
    }
}

}  // namespace seedbed
