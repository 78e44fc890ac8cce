// SPDX-License-Identifier: Apache-2.0
#include "core/session/group.hpp"

#include <algorithm>

#include "core/env/reward_view_of.hpp"

namespace seedbed {

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
    const EnvSpec env = spec.env->spec(spec.env_params);
    std::unique_ptr<ActorGroup> group(new ActorGroup);
    group->envs_ = spec.envs;
    SEEDBED_ASSIGN(group->ring_, Ring::create(ringSpec(spec, env, spec.net->plan().state_words)));
    SEEDBED_ASSIGN(auto batch, spec.env->make(spec.env_params, spec.envs));
    SEEDBED_ASSIGN(const RewardView view, rewardViewOf(*spec.env, spec.env_params));
    // The ring holds what the learner sees, or the environment's own rewards; the network sees the same in
    // both.
    const RewardView in_ring = spec.learner_rewards ? view : RewardView{},
                     on_top = spec.learner_rewards ? RewardView{} : view;
    const VectorEnvOptions options{.seed = spec.seed,
                                   .purpose = spec.env_purpose,
                                   .first_lane = spec.first_env,
                                   .horizon = env.horizon,
                                   .reward_scale = in_ring.scale,
                                   .reward_clip = in_ring.clip};
    group->env_ = std::make_unique<VectorEnv>(std::move(batch), *group->ring_, options);
    group->inference_ = std::make_unique<SpanInference>(
        *spec.net, spec.distribution, *group->ring_,
        SpanInferenceOptions{spec.seed, spec.action_purpose,
                             static_cast<std::uint32_t>(spec.first_env * env.agents), spec.selection,
                             on_top});
    SEEDBED_TRY(group->env_->reset());
    return group;
}

Result<> ActorGroup::tick(const Params& params, std::vector<EpisodeEnd>& ended, ThreadTimes& times) {
    if (!inference_->acted()) SEEDBED_TRY(inference_->act(params, times));
    return step(ended, times);
}

Result<> ActorGroup::step(std::vector<EpisodeEnd>& ended, ThreadTimes& times) try {
    SEEDBED_TRY(env_->step(ended));
    times.lap(Phase::env);
    return {};
} catch (...) {
    return tl::unexpected<Error>(currentException());
}

Result<> ActorGroup::restart() try {
    SEEDBED_TRY(env_->restart());
    needs_restart_ = false;
    return {};
} catch (...) {
    return tl::unexpected<Error>(currentException());
}

Result<> ActorGroup::archive(Archive& archive, std::uint64_t from, bool lost) {
    std::uint8_t without_env = lost || needs_restart_ ? 1 : 0;
    archive(without_env);
    SEEDBED_TRY(ring_->archive(archive, from));
    inference_->archive(archive);
    if (without_env == 0) {
        SEEDBED_TRY(env_->archive(archive));
    } else if (archive.isLoading()) {
        env_->skipStreams();
        needs_restart_ = true;
    }
    return {};
}

}  // namespace seedbed
