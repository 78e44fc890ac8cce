// SPDX-License-Identifier: Apache-2.0
#include "core/play/duel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "core/play/inspector.hpp"
#include "core/play/seats/seat_actor.hpp"

namespace seedbed {
namespace {

// One environment and the player of its seats.
class Duellist {
public:
    static Result<std::unique_ptr<Duellist>> create(const DuelRequest& request, const SeatPlayer& player) {
        std::unique_ptr<Duellist> made(new Duellist(request, player));
        const EnvSpec& env = request.env_spec;
        RingSpec ring{.spaces = env.spaces, .columns = env.agents};
        ring.rows = ring.history() + 3;
        ring.policy_words = player.net ? player.distribution.words() : 0;
        SEEDBED_ASSIGN(made->ring_, Ring::create(ring));
        SEEDBED_ASSIGN(auto batch, request.env->make(request.env_params, 1));
        made->env_ = std::make_unique<VectorEnv>(
            std::move(batch), *made->ring_,
            VectorEnvOptions{.seed = request.seed, .purpose = RngPurpose::play, .horizon = env.horizon});
        SEEDBED_ASSIGN(made->actor_, SeatActor::create(player, *request.env, *made->env_, *made->ring_,
                                                       {.seed = request.seed}));
        SEEDBED_TRY(made->env_->reset());
        return made;
    }

    // Chooses the actions of the current row.
    Result<> decide() { return actor_->act(params_); }
    Result<> step() {
        std::vector<EpisodeEnd> ended;
        ++side_.length;
        SEEDBED_TRY(env_->step(ended));
        const auto first =
            std::find_if(ended.begin(), ended.end(), [](const EpisodeEnd& end) { return end.column == 0; });
        if (first == ended.end()) return {};
        side_.has_ended = true;
        side_.terminated = first->terminated;
        side_.episode_return = first->episode_return;
        return {};
    }
    // The decision of a seat in the current row.
    DuelSide decision(int agent) const {
        const std::uint64_t t = ring_->head();
        const auto column = static_cast<std::size_t>(agent);
        DuelSide side = side_;
        const float* action = ring_->action(t) + column * words();
        side.action.assign(action, action + words());
        side.value = std::numeric_limits<double>::quiet_NaN();
        if (player_.net == nullptr) return side;
        const auto policy = static_cast<std::size_t>(player_.distribution.words());
        side.shown = shownOf(player_.distribution, ring_->policy(t) + column * policy, maskOf(column));
        if (player_.net->plan().head("value") != nullptr)
            side.value = static_cast<double>(ring_->value(t)[column]);
        return side;
    }
    bool decides(int agent) const { return ring_->valid(ring_->head())[agent] != 0; }
    const DuelSide& side() const { return side_; }

private:
    Duellist(const DuelRequest& request, const SeatPlayer& player)
        : request_(request), player_(player), params_(SeatActor::paramsOf(player)) {}
    std::size_t words() const { return static_cast<std::size_t>(ring_->spec().spaces.actionWords()); }
    const std::uint8_t* maskOf(std::size_t agent) const {
        const Spaces& spaces = ring_->spec().spaces;
        return spaces.has_mask
                   ? ring_->mask(ring_->head()) + agent * static_cast<std::size_t>(spaces.maskBytes())
                   : nullptr;
    }

    const DuelRequest& request_;
    const SeatPlayer& player_;
    Params params_;
    std::unique_ptr<Ring> ring_;
    std::unique_ptr<VectorEnv> env_;
    std::unique_ptr<SeatActor> actor_;
    DuelSide side_;
};

bool differ(const std::vector<float>& a, const std::vector<float>& b, const DuelRequest& request) {
    std::size_t word = 0;
    for (const ActionLeaf& leaf : request.env_spec.spaces.actions) {
        const bool is_box = leaf.kind == ActionLeaf::Kind::box;
        for (int i = 0; i < leaf.words(); ++i, ++word)
            if (std::abs(static_cast<double>(a[word]) - static_cast<double>(b[word])) >
                (is_box ? request.tolerance : 0))
                return true;
    }
    return false;
}

// Stores the decisions of the first seat whose actions differ.
bool findDifference(const DuelRequest& request, const Duellist& a, const Duellist& b, DuelResult& result) {
    for (int agent = 0; agent < request.env_spec.agents; ++agent) {
        if (!a.decides(agent)) continue;
        const DuelSide one = a.decision(agent), other = b.decision(agent);
        if (!differ(one.action, other.action, request)) continue;
        result.differs = true;
        result.agent = agent;
        result.a = one;
        result.b = other;
        return true;
    }
    return false;
}

void addEpisode(const DuelSide& from, DuelSide& to) {
    to.episode_return = from.episode_return;
    to.length = from.length;
    to.has_ended = from.has_ended;
    to.terminated = from.terminated;
}

}  // namespace

Result<DuelResult> playDuel(const DuelRequest& request, const std::stop_token& stop) {
    SEEDBED_ASSIGN(const auto a, Duellist::create(request, request.a));
    SEEDBED_ASSIGN(const auto b, Duellist::create(request, request.b));
    DuelResult result;
    const std::int64_t most = request.rows > 0 ? request.rows : request.max_steps;
    while (!a->side().has_ended && !b->side().has_ended && a->side().length < most) {
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "the duel was stopped");
        for (Duellist* side : {a.get(), b.get()}) SEEDBED_TRY(side->decide());
        if (findDifference(request, *a, *b, result)) break;
        for (Duellist* side : {a.get(), b.get()}) SEEDBED_TRY(side->step());
    }
    result.step = a->side().length;
    for (Duellist* side : {a.get(), b.get()}) {
        bool has_decided = result.differs;
        while (result.differs && request.plays_on && !side->side().has_ended &&
               side->side().length < request.max_steps) {
            if (stop.stop_requested()) return fail(ErrorCode::interrupted, "the duel was stopped");
            if (!std::exchange(has_decided, false)) SEEDBED_TRY(side->decide());
            SEEDBED_TRY(side->step());
        }
    }
    addEpisode(a->side(), result.a);
    addEpisode(b->side(), result.b);
    return result;
}

}  // namespace seedbed
