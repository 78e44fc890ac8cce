// SPDX-License-Identifier: Apache-2.0
#include "core/session/group.hpp"

#include <algorithm>
#include <utility>

#include "core/env/reward_view_of.hpp"

namespace seedbed {
namespace {

// 0: no limit.
int shorterHorizon(int a, int b) { return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b); }

// The spaces must match because they determine the sizes of the ring, the network and the caller's arrays.
Result<> checkSpaces(const EnvSpec& made, const GroupSpec& spec) {
    const Spaces spaces = withoutLabels(made.spaces);
    if (made.agents == spec.env_spec.agents && spaces == withoutLabels(spec.env_spec.spaces) &&
        spaces == withoutLabels(spec.distribution.spaces()))
        return {};
    return fail(ErrorCode::config, "the observations, actions or agents of '" + spec.env->id +
                                       "' are not those that the network was made for");
}

}  // namespace

RingSpec ActorGroup::ringSpec(const GroupSpec& spec, const EnvSpec& env, int state_words) {
    int stack = 1;
    for (const ObsLeaf& leaf : env.spaces.obs) stack = std::max(stack, leaf.stack);
    return RingSpec{.spaces = env.spaces,
                    .columns = spec.envs * env.agents,
                    .rows = spec.rows + stack + 1,
                    .policy_words = spec.distribution.words(),
                    .state_words = state_words,
                    .state_every = state_words > 0 ? std::max(1, spec.state_every) : 0};
}

Result<std::unique_ptr<ActorGroup>> ActorGroup::create(const GroupSpec& spec) {
    const EnvSpec& env = spec.env_spec;
    std::unique_ptr<ActorGroup> group(new ActorGroup);
    group->envs_ = spec.envs;
    SEEDBED_ASSIGN(group->ring_,
                   Ring::create(ringSpec(spec, env, spec.net != nullptr ? spec.net->plan().state_words : 0)));
    SEEDBED_ASSIGN(auto batch, spec.make ? spec.make()
                               : spec.env->makeFrom
                                   ? spec.env->makeFrom(spec.env_params, spec.first_env, spec.envs)
                                   : spec.env->make(spec.env_params, spec.envs));
    SEEDBED_TRY(checkSpaces(batch->spec(), spec));
    group->remote_ = dynamic_cast<RemoteActions*>(batch.get());
    SEEDBED_ASSIGN(const RewardView view, rewardViewOf(*spec.env, spec.env_params));
    // The ring contains the learner's rewards or the environment's raw ones; the network's input is the same
    // in both cases.
    const RewardView in_ring = spec.learner_rewards ? view : RewardView{},
                     on_top = spec.learner_rewards ? RewardView{} : view;
    const VectorEnvOptions options{.seed = spec.seed,
                                   .purpose = spec.env_purpose,
                                   .first_lane = spec.first_env,
                                   .horizon = shorterHorizon(env.horizon, spec.horizon),
                                   .reward_scale = in_ring.scale,
                                   .reward_clip = in_ring.clip,
                                   .stop = spec.stop};
    group->env_ = std::make_unique<VectorEnv>(std::move(batch), *group->ring_, options);
    if (spec.net != nullptr)
        group->inference_ = std::make_unique<SpanInference>(
            *spec.net, spec.distribution, *group->ring_,
            SpanInferenceOptions{.seed = spec.seed,
                                 .purpose = spec.action_purpose,
                                 .first_lane = static_cast<std::uint32_t>(spec.first_env * env.agents),
                                 .selection = spec.selection,
                                 .reward = on_top});
    if (spec.selves != nullptr) {
        SEEDBED_ASSIGN(group->router_, SeatRouter::create(spec.selves, *spec.env, *spec.net, *group->env_,
                                                          {.seed = spec.seed,
                                                           .first_env = spec.first_env,
                                                           .skips_forced = spec.skips_forced}));
    }
    if (!spec.policy_of_seat.empty())
        group->policies_ = std::make_unique<SeatMix>(*spec.net, group->ring_->columns(), spec.policy_of_seat);
    if (spec.make) group->needs_restart_ = true;
    else SEEDBED_TRY(group->env_->reset());
    return group;
}

void ActorGroup::follow(const ActingParams& params) {
    if (remote_ != nullptr) remote_->follow(params, *ring_);
}

void ActorGroup::takeRemoteActions() {
    if (remote_ != nullptr && remote_->act()) inference_->markActed();
}

Result<> ActorGroup::act(const Acting& acting, ThreadTimes& times) {
    if (router_ != nullptr) return router_->act(acting, *inference_, *ring_, times);
    if (policies_ != nullptr)
        return policies_->act(*inference_, *ring_, acting, acting.opponents->policies, times);
    return inference_->act(acting.params, times, acting.rule);
}

Result<> ActorGroup::tick(const Acting& acting, std::vector<EpisodeEnd>& ended, ThreadTimes& times) {
    if (!inference_->acted()) SEEDBED_TRY(act(acting, times));
    return step(ended, times);
}

// The owner of the gate seals it and then reads the activity: either it sees `writing` here, or this thread
// sees the seal.
void ActorGroup::holdAt(Gate& gate, std::stop_token stop) {
    env_->onReturned([this, &gate, stop = std::move(stop)] {
        activity_.store(Activity::writing, std::memory_order_seq_cst);
        if (!gate.isSealed()) return;
        activity_.store(Activity::in_environments, std::memory_order_seq_cst);
        gate.passSealed(stop);
        activity_.store(Activity::writing, std::memory_order_seq_cst);
    });
}

// Runs code that may hang in the environments, and turns its exceptions into errors.
template <class Body>
Result<> ActorGroup::guarded(const Body& body) {
    activity_.store(Activity::in_environments, std::memory_order_seq_cst);
    Result<> result;
    try {
        result = body();
    } catch (...) {
        result = tl::unexpected<Error>(currentException());
    }
    activity_.store(Activity::between_rows, std::memory_order_seq_cst);
    return result;
}

Result<> ActorGroup::step(std::vector<EpisodeEnd>& ended, ThreadTimes& times) {
    const std::size_t before = ended.size();
    Result<> stepped = guarded([&] { return env_->step(ended); });
    if (stepped && router_ != nullptr) router_->finish(ended, before);
    if (stepped) takeRemoteActions();
    if (stepped) times.lap(Phase::env);
    return stepped;
}

Result<> ActorGroup::begin(const Acting& acting, ThreadTimes& times) {
    if (!inference_->acted()) SEEDBED_TRY(act(acting, times));
    return guarded([&] { return env_->begin(); });
}

Result<> ActorGroup::finish(std::vector<EpisodeEnd>& ended, ThreadTimes& times) {
    const std::size_t before = ended.size();
    Result<> finished = guarded([&] { return env_->finish(ended); });
    if (finished && router_ != nullptr) router_->finish(ended, before);
    if (finished) takeRemoteActions();
    if (finished) times.lap(Phase::env);
    return finished;
}

Result<> ActorGroup::restart() {
    Result<> restarted = guarded([&] { return env_->restart(); });
    if (restarted) needs_restart_ = false;
    if (restarted) takeRemoteActions();
    return restarted;
}

Result<> ActorGroup::archive(Archive& archive, std::uint64_t from, bool lost) {
    std::uint8_t without_env = lost || needs_restart_ ? 1 : 0;
    archive.field("restarts", without_env, range(std::uint8_t{0}, 1));
    SEEDBED_TRY(ring_->archive(archive, from));
    inference_->archive(archive);
    if (without_env == 0) {
        SEEDBED_TRY(env_->archive(archive));
    } else if (archive.isLoading()) {
        env_->skipStreams();
        needs_restart_ = true;
    }
    if (router_ != nullptr) router_->archive(archive);
    return {};
}

}  // namespace seedbed
