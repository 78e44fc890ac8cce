// SPDX-License-Identifier: Apache-2.0
#include "core/session/seats.hpp"

#include <algorithm>
#include <utility>

#include "core/env/random_policy.hpp"

namespace seedbed {
namespace {

// Lanes of the purpose evaluation_action; networks use the lanes from 0 on, one per column.
constexpr std::uint32_t kScriptedLanes = 1u << 30, kOpeningLanes = 1u << 31;

std::vector<Rng> streams(std::uint64_t seed, std::uint32_t lanes, int first, int count) {
    std::vector<Rng> rngs;
    for (int i = 0; i < count; ++i)
        rngs.emplace_back(seed, RngPurpose::evaluation_action, lanes + static_cast<std::uint32_t>(first + i));
    return rngs;
}

}  // namespace

Result<> checkSeats(const EnvEntry& env, const EnvSpec& spec, const std::string& name) {
    SEEDBED_ASSIGN([[maybe_unused]] const auto player, makeScriptedPlayer(name, env, spec));
    if (spec.agents > 1) return {};
    return fail(ErrorCode::config, "'" + env.id + "' has one seat; an opponent needs a second");
}

std::optional<SeatPlayer> scriptedOpponent(const std::string& name) {
    if (name.empty()) return std::nullopt;
    SeatPlayer player;
    player.scripted = name;
    return player;
}

Result<Seats> Seats::create(const EvaluationRequest& request, ActorGroup& group, int first_env) {
    Seats seats(group);
    const EnvSpec& env = group.env().spec();
    const int columns = group.ring().columns();
    seats.agents_ = env.agents;
    seats.first_env_ = first_env;
    seats.opening_ = request.opening;
    seats.swap_ = request.swap;
    seats.has_network_ = request.scripted.empty();
    seats.has_opponent_ = request.opponent.has_value();
    if (request.policies.isUsed())
        seats.own_policies_ = std::make_shared<Opponents>(Opponents{.policies = request.policies.params});
    if (!seats.has_network_) {
        SEEDBED_ASSIGN(seats.own_, makeScriptedPlayer(request.scripted, *request.env, env));
    }
    if (seats.has_opponent_) {
        const SeatPlayer& other = *request.opponent;
        if (other.net == nullptr) {
            SEEDBED_ASSIGN(seats.other_, makeScriptedPlayer(other.scripted, *request.env, env));
        } else {
            if (other.distribution.words() != group.ring().spec().policy_words ||
                withoutLabels(other.distribution.spaces()) != withoutLabels(env.spaces))
                return fail(ErrorCode::config, "the opponent's network has other observations or actions");
            seats.other_acting_.params = other.params;
            if (other.policies.isUsed()) {
                seats.other_policies_ = other.policies.params;
                seats.other_mix_ =
                    std::make_unique<SeatMix>(*other.net, group.ring().columns(), other.policies.of_seat);
            }
            seats.other_network_ = std::make_unique<SpanInference>(
                *other.net, other.distribution, group.ring(),
                SpanInferenceOptions{.seed = request.seed,
                                     .purpose = RngPurpose::evaluation_action,
                                     .first_lane = static_cast<std::uint32_t>(first_env * env.agents),
                                     .selection = other.selection,
                                     .reward = other.reward,
                                     .stores_state = false});
        }
    }
    if (seats.own_ || seats.other_)
        seats.rngs_ = streams(request.seed, kScriptedLanes, first_env * env.agents, columns);
    if (seats.opening_ > 0)
        seats.opening_rngs_ = streams(request.seed, kOpeningLanes, first_env, group.envs());
    return seats;
}

int Seats::evaluated(std::size_t env, int episode) const {
    if (!has_opponent_ || !swap_) return 0;
    return (first_env_ + static_cast<int>(env) + episode) % agents_;
}

Result<> Seats::act(const Params& params, const std::vector<int>& episodes, const std::vector<int>& left,
                    ThreadTimes& times) {
    Ring& ring = group_.ring();
    const auto words = static_cast<std::size_t>(ring.spec().spaces.actionWords());
    float* actions = ring.action(ring.head());
    if (has_network_) SEEDBED_TRY(group_.act({params, {}, own_policies_}, times));
    if (other_network_) {
        actions_.assign(actions, actions + static_cast<std::size_t>(ring.columns()) * words);
        SEEDBED_TRY(other_mix_ ? other_mix_->act(*other_network_, ring, other_acting_, other_policies_, times)
                               : other_network_->act(other_acting_.params, times));
    }
    if (!own_ && !has_opponent_ && opening_ == 0) return {};
    const bool needs_state = (own_ && own_->needsState()) || (other_ && other_->needsState());
    for (std::size_t env = 0; env < episodes.size(); ++env) {
        const int seat = evaluated(env, episodes[env] - left[env]);
        const Json state = needs_state ? group_.env().batch().state(static_cast<int>(env)) : Json();
        for (int agent = 0; agent < agents_; ++agent) {
            const std::size_t column =
                env * static_cast<std::size_t>(agents_) + static_cast<std::size_t>(agent);
            const bool is_own = !has_opponent_ || agent == seat;
            if (const ScriptedPlayer* player = is_own ? own_.get() : other_.get())
                actScripted(*player, column, state);
            else if (is_own && other_network_)
                std::copy_n(actions_.data() + column * words, words, actions + column * words);
        }
    }
    if (opening_ > 0) playOpenings();
    return {};
}

void Seats::actScripted(const ScriptedPlayer& player, std::size_t column, const Json& state) {
    Ring& ring = group_.ring();
    const std::uint64_t t = ring.head();
    if (ring.valid(t)[column] == 0) return;
    const Spaces& spaces = ring.spec().spaces;
    leaves_.clear();
    for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf)
        leaves_.push_back(ring.obs(static_cast<int>(leaf), t) + column * spaces.obs[leaf].bytes());
    const auto mask_bytes = static_cast<std::size_t>(spaces.maskBytes());
    player.act({.seat = static_cast<int>(column) % agents_,
                .leaves = leaves_.data(),
                .mask = spaces.has_mask ? ring.mask(t) + column * mask_bytes : nullptr,
                .state = &state},
               rngs_[column], ring.action(t) + column * static_cast<std::size_t>(spaces.actionWords()));
}

void Seats::playOpenings() {
    Ring& ring = group_.ring();
    const std::uint64_t t = ring.head();
    const Spaces& spaces = ring.spec().spaces;
    const auto agents = static_cast<std::size_t>(agents_);
    for (std::size_t env = 0; env < opening_rngs_.size(); ++env) {
        const std::size_t column = env * agents;
        if (ring.valid(t)[column] == 0 || ring.episodeStep(t)[column] >= opening_) continue;
        const auto mask_bytes = static_cast<std::size_t>(spaces.maskBytes());
        randomActions(spaces, agents_, spaces.has_mask ? ring.mask(t) + column * mask_bytes : nullptr,
                      opening_rngs_[env],
                      ring.action(t) + column * static_cast<std::size_t>(spaces.actionWords()));
    }
}

}  // namespace seedbed
