// SPDX-License-Identifier: Apache-2.0
#include "core/play/seats/seat_actor.hpp"

#include <algorithm>
#include <utility>

#include "core/infer/joined_params.hpp"

namespace seedbed {

Result<std::unique_ptr<SeatActor>> SeatActor::create(const SeatPlayer& player, const EnvEntry& entry,
                                                     VectorEnv& env, Ring& ring, SeatActorOptions options) {
    const std::uint64_t seed = options.seed;
    std::unique_ptr<SeatActor> actor(new SeatActor(env, ring, std::move(options)));
    if (player.net == nullptr) {
        SEEDBED_ASSIGN(actor->scripted_, makeScriptedPlayer(player.scripted, entry, env.spec()));
        for (int column = 0; column < ring.columns(); ++column)
            actor->rngs_.emplace_back(seed, RngPurpose::play,
                                      kFirstLane + static_cast<std::uint32_t>(column));
        return actor;
    }
    if (player.distribution.words() != ring.spec().policy_words ||
        withoutLabels(player.distribution.spaces()) != withoutLabels(env.spec().spaces))
        return fail(ErrorCode::config, "a player's network has other observations or actions than '" +
                                           entry.id + "' or than the other player's network");
    actor->inference_ = std::make_unique<SpanInference>(
        *player.net, player.distribution, ring,
        SpanInferenceOptions{seed, RngPurpose::play, kFirstLane, player.selection, player.reward,
                             actor->options_.stores_state});
    actor->state_before_ = actor->inference_->state();
    const std::vector<std::uint16_t>& of_seat = player.policies.of_seat;
    if (!of_seat.empty()) {
        if (of_seat.size() != static_cast<std::size_t>(env.spec().agents))
            return fail(ErrorCode::config, "a player has policies for " + std::to_string(of_seat.size()) +
                                               " seats; '" + entry.id + "' has " +
                                               std::to_string(env.spec().agents));
        actor->policies_ = std::size_t{1} + *std::ranges::max_element(of_seat);
        actor->mix_ = std::make_unique<SeatMix>(*player.net, ring.columns(), of_seat);
    }
    return actor;
}

Params SeatActor::paramsOf(const SeatPlayer& player) {
    return joinParams(player.params, player.policies.params);
}

bool SeatActor::plays(int column) const {
    const std::vector<bool>& seats = options_.seats;
    return seats.empty() || seats[static_cast<std::size_t>(column) % seats.size()];
}

Result<> SeatActor::act(const Params& params) {
    if (inference_) return actByNetwork(params);
    actByScript();
    return {};
}

// Calls body(field of the head row, its words per column) for all that a network writes.
template <class Body>
void SeatActor::forOutputs(const Body& body) {
    const std::uint64_t t = ring_.head();
    body(ring_.action(t), static_cast<std::size_t>(ring_.spec().spaces.actionWords()));
    body(ring_.policy(t), static_cast<std::size_t>(ring_.spec().policy_words));
    body(ring_.value(t), std::size_t{1});
    body(ring_.logProb(t), std::size_t{1});
}

Result<> SeatActor::runNetwork(const Params& params) {
    if (mix_ == nullptr) return inference_->act(params, times_);
    if (parts_.empty() || parts_version_ != params.version()) {
        parts_.clear();
        for (std::size_t policy = 0; policy < policies_; ++policy)
            parts_.push_back(partOf(params, policy, policies_));
        parts_version_ = params.version();
    }
    return mix_->act(*inference_, ring_, {.params = parts_.front()}, std::span(parts_).subspan(1), times_);
}

// A network acts on all columns; those of other players are restored.
Result<> SeatActor::actByNetwork(const Params& params) {
    state_before_ = inference_->state();
    if (options_.seats.empty()) return runNetwork(params);
    const int columns = ring_.columns();
    others_.clear();
    forOutputs([&](const float* field, std::size_t words) {
        others_.insert(others_.end(), field, field + static_cast<std::size_t>(columns) * words);
    });
    SEEDBED_TRY(runNetwork(params));
    const float* from = others_.data();
    forOutputs([&](float* field, std::size_t words) {
        for (int column = 0; column < columns; ++column, field += words, from += words)
            if (!plays(column)) std::copy_n(from, words, field);
    });
    return {};
}

void SeatActor::actByScript() {
    const int agents = env_.spec().agents;
    for (int env = 0; env < ring_.columns() / agents; ++env) {
        const Json state = scripted_->needsState() ? env_.batch().state(env) : Json();
        for (int column = env * agents; column < (env + 1) * agents; ++column)
            if (plays(column)) actByScript(column, state);
    }
}

void SeatActor::actByScript(int column, const Json& state) {
    const std::uint64_t t = ring_.head();
    const Spaces& spaces = ring_.spec().spaces;
    const auto at = static_cast<std::size_t>(column), words = static_cast<std::size_t>(spaces.actionWords());
    float* action = ring_.action(t) + at * words;
    if (ring_.valid(t)[column] == 0) {
        std::fill_n(action, words, 0.0F);
        return;
    }
    leaves_.clear();
    for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf)
        leaves_.push_back(ring_.obs(static_cast<int>(leaf), t) + at * spaces.obs[leaf].bytes());
    const auto mask_bytes = static_cast<std::size_t>(spaces.maskBytes());
    scripted_->act({.seat = column % env_.spec().agents,
                    .leaves = leaves_.data(),
                    .mask = spaces.has_mask ? ring_.mask(t) + at * mask_bytes : nullptr,
                    .state = scripted_->needsState() ? &state : nullptr},
                   rngs_[at], action);
}

void SeatActor::select(Selection selection) {
    if (inference_) inference_->select(selection);
}

void SeatActor::archive(Archive& archive) {
    if (inference_) {
        inference_->archive(archive);
        archive.fixed("recurrent state before the row", state_before_, kFinite<float>);
    }
    for (Rng& rng : rngs_) {
        std::uint64_t position = rng.position();
        archive.any(position);
        rng.seek(position);
    }
}

}  // namespace seedbed
