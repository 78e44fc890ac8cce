// SPDX-License-Identifier: Apache-2.0
// A delay, sticky actions, action repeat and no-op starts, applied in this order: as in the ALE, every
// repetition of an action may stick.
#include "core/env/wrappers.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/env/batch_decorator.hpp"
#include "core/env/several_agents/central_critic.hpp"

namespace seedbed {
namespace {

// Sleeps for the time that slow environments would take if stepped one after another.
class StepDelay final : public BatchDecorator {
public:
    StepDelay(std::unique_ptr<LocalBatch> inner, double step_ms)
        : BatchDecorator(std::move(inner), {}), step_(step_ms) {
        spec_ = inner_->spec();
    }

    Result<> step(const float* actions, const std::uint8_t* active, Rng* rngs, float* rewards,
                  std::uint8_t* terminated, std::uint8_t* truncated) override {
        std::this_thread::sleep_for(step_ *
                                    static_cast<double>(count() - std::count(active, active + count(), 0)));
        return inner_->step(actions, active, rngs, rewards, terminated, truncated);
    }

private:
    std::chrono::duration<double, std::milli> step_;
};

// Executes the previous action again with probability p. After a reset the previous action is 0.
class StickyActions final : public BatchDecorator {
public:
    StickyActions(std::unique_ptr<LocalBatch> inner, double probability)
        : BatchDecorator(std::move(inner), {}), probability_(probability) {
        spec_ = inner_->spec();
        words_ = static_cast<std::size_t>(spec_.spaces.actionWords());
        agents_ = static_cast<std::size_t>(spec_.agents);
        executed_.assign(static_cast<std::size_t>(count()) * agents_ * words_, 0.0F);
    }

    void reset(int env, Rng& rng) override {
        std::fill_n(executedOf(env), agents_ * words_, 0.0F);
        inner_->reset(env, rng);
    }

    Result<> step(const float* actions, const std::uint8_t* active, Rng* rngs, float* rewards,
                  std::uint8_t* terminated, std::uint8_t* truncated) override {
        for (std::size_t env = 0; env < static_cast<std::size_t>(count()); ++env) {
            if (active[env] == 0) continue;
            for (std::size_t column = env * agents_; column < (env + 1) * agents_; ++column)
                if (!rngs[env].bernoulli(probability_))
                    std::copy_n(actions + column * words_, words_, executed_.data() + column * words_);
        }
        return inner_->step(executed_.data(), active, rngs, rewards, terminated, truncated);
    }

    void archive(int env, Archive& archive) override {
        float* executed = executedOf(env);
        archive.unchecked(executed, agents_ * words_ * sizeof(float));
        for (std::size_t agent = 0; agent < agents_; ++agent)
            archive.require(isAction(spec_.spaces, executed + agent * words_),
                            "the repeated action is not valid");
        inner_->archive(env, archive);
    }

private:
    float* executedOf(int env) { return executed_.data() + static_cast<std::size_t>(env) * agents_ * words_; }

    double probability_;
    std::size_t words_ = 0, agents_ = 0;
    std::vector<float> executed_;  // [columns, A]
};

// Makes `repeat` environment steps per decision, fewer at the end of an episode, and sums the rewards.
class ActionRepeat final : public BatchDecorator {
public:
    ActionRepeat(std::unique_ptr<LocalBatch> inner, int repeat)
        : BatchDecorator(std::move(inner), {}), repeat_(repeat) {
        WrapperParams params;
        params.action_repeat = repeat;
        spec_ = wrapSpec(inner_->spec(), params);
        const auto envs = static_cast<std::size_t>(count());
        running_.resize(envs);
        terminated_.resize(envs);
        truncated_.resize(envs);
        rewards_.resize(envs * static_cast<std::size_t>(spec_.agents));
    }

    Result<> step(const float* actions, const std::uint8_t* active, Rng* rngs, float* rewards,
                  std::uint8_t* terminated, std::uint8_t* truncated) override {
        SEEDBED_TRY(inner_->step(actions, active, rngs, rewards, terminated, truncated));
        for (int i = 1; i < repeat_; ++i) {
            bool any = false;
            for (std::size_t env = 0; env < running_.size(); ++env) {
                running_[env] = active[env] != 0 && terminated[env] == 0 && truncated[env] == 0 ? 1 : 0;
                any = any || running_[env] != 0;
            }
            if (!any) break;
            SEEDBED_TRY(inner_->step(actions, running_.data(), rngs, rewards_.data(), terminated_.data(),
                                     truncated_.data()));
            addRunning(rewards, terminated, truncated);
        }
        return {};
    }

private:
    void addRunning(float* rewards, std::uint8_t* terminated, std::uint8_t* truncated) const {
        const auto agents = static_cast<std::size_t>(spec_.agents);
        for (std::size_t env = 0; env < running_.size(); ++env) {
            if (running_[env] == 0) continue;
            terminated[env] = terminated_[env];
            truncated[env] = truncated_[env];
            for (std::size_t column = env * agents; column < (env + 1) * agents; ++column)
                rewards[column] += rewards_[column];
        }
    }

    int repeat_;
    std::vector<std::uint8_t> running_, terminated_, truncated_;  // [count]
    std::vector<float> rewards_;                                  // [columns]
};

// Executes action 0 between 1 and `most` times (uniformly random) after a reset; resets again if the episode
// ends. The rewards of these steps are discarded.
class NoopStarts final : public BatchDecorator {
public:
    NoopStarts(std::unique_ptr<LocalBatch> inner, int most)
        : BatchDecorator(std::move(inner), {}), most_(most) {
        spec_ = inner_->spec();
        const auto envs = static_cast<std::size_t>(count());
        const std::size_t columns = envs * static_cast<std::size_t>(spec_.agents);
        active_.assign(envs, 0);
        terminated_.resize(envs);
        truncated_.resize(envs);
        rngs_.resize(envs);
        rewards_.resize(columns);
        actions_.assign(columns * static_cast<std::size_t>(spec_.spaces.actionWords()), 0.0F);
    }

    void reset(int env, Rng& rng) override {
        const auto e = static_cast<std::size_t>(env);
        inner_->reset(env, rng);
        const std::uint32_t steps = 1 + rng.below(static_cast<std::uint32_t>(most_));
        active_[e] = 1;
        for (std::uint32_t i = 0; i < steps; ++i) {
            rngs_[e] = rng;
            const Result<> stepped = inner_->step(actions_.data(), active_.data(), rngs_.data(),
                                                  rewards_.data(), terminated_.data(), truncated_.data());
            rng = rngs_[e];
            // Ignored here: the environment fails again in the next step, which reports the error.
            if (!stepped) break;
            if (terminated_[e] != 0 || truncated_[e] != 0) inner_->reset(env, rng);
        }
        active_[e] = 0;
    }

private:
    int most_;
    std::vector<std::uint8_t> active_, terminated_, truncated_;  // [count]
    std::vector<Rng> rngs_;                                      // [count]; used one at a time
    std::vector<float> rewards_, actions_;                       // [columns], [columns, A]
};

}  // namespace

const Description<WrapperParams>& WrapperParams::describe() {
    static const Description<WrapperParams> description =
        Description<WrapperParams>("wrap", "Modifications of the task, available for every environment.")
            .field(&WrapperParams::sticky_actions, "sticky_actions",
                   "Probability that the previous action is executed again.",
                   {.unit = {}, .min = 0, .max = 1, .level = Level::recipe})
            .field(&WrapperParams::action_repeat, "action_repeat",
                   "Environment steps per decision; their rewards are summed.",
                   {.unit = "steps", .min = 1, .max = 1000, .level = Level::recipe})
            .field(&WrapperParams::noop_starts, "noop_starts",
                   "Maximum number of no-ops (action 0) after a reset; 0 disables them.",
                   {.unit = "steps", .min = 0, .max = 10000, .level = Level::recipe})
            .field(&WrapperParams::reward_clip, "reward_clip",
                   "Clips rewards for the learner to plus and minus this value; 0: no limit. Reported "
                   "returns are not clipped.",
                   {.unit = {}, .min = 0, .level = Level::recipe})
            .field(&WrapperParams::reward_scale, "reward_scale",
                   "Factor applied to the learner's (clipped) rewards. Reported returns are not scaled.",
                   {.unit = {}, .level = Level::recipe})
            .field(&WrapperParams::time_limit, "time_limit",
                   "Decisions after which an episode is truncated; -1: the environment's limit, 0: no limit.",
                   {.unit = "decisions", .min = -1, .max = 2'000'000'000, .level = Level::recipe})
            .field(&WrapperParams::step_ms, "step_ms",
                   "Additional time of every environment step, to test how training copes with slow "
                   "environments. Does not change the task.",
                   {.unit = "ms", .min = 0, .max = 100})
            .field(&WrapperParams::central_critic, "central_critic",
                   "For several agents: the value estimate also sees what the other agents observe (MAPPO); "
                   "actions depend on the agent's own observations only.",
                   {.level = Level::recipe});
    return description;
}

Result<> checkWrappers(const EnvSpec& spec, const WrapperParams& params) {
    return params.central_critic ? checkCentralCritic(spec) : Result<>();
}

EnvSpec wrapSpec(EnvSpec spec, const WrapperParams& params) {
    const int repeat = params.action_repeat;
    spec.frames_per_step *= repeat;
    // A sum of rewards is not a function of the goal achieved last.
    if (repeat > 1) spec.goal.reset();
    // Rounded up: the last decision of an episode may exceed the environment's own limit by less than one
    // repetition.
    spec.horizon = (spec.horizon + repeat - 1) / repeat;
    if (params.time_limit >= 0) spec.horizon = params.time_limit;
    spec.reward_low = std::min(spec.reward_low, spec.reward_low * repeat);
    spec.reward_high = std::max(spec.reward_high, spec.reward_high * repeat);
    return params.central_critic ? withCentralCritic(std::move(spec)) : spec;
}

std::unique_ptr<LocalBatch> wrapBatch(std::unique_ptr<LocalBatch> batch, const WrapperParams& params) {
    EnvSpec spec = wrapSpec(batch->spec(), params);
    const bool none = params.sticky_actions <= 0 && params.action_repeat <= 1 && params.noop_starts <= 0 &&
                      params.time_limit < 0 && params.step_ms <= 0 && !params.central_critic;
    if (none) return batch;
    if (params.step_ms > 0) batch = std::make_unique<StepDelay>(std::move(batch), params.step_ms);
    if (params.sticky_actions > 0)
        batch = std::make_unique<StickyActions>(std::move(batch), params.sticky_actions);
    if (params.action_repeat > 1)
        batch = std::make_unique<ActionRepeat>(std::move(batch), params.action_repeat);
    if (params.noop_starts > 0) batch = std::make_unique<NoopStarts>(std::move(batch), params.noop_starts);
    if (params.central_critic) batch = withCentralCritic(std::move(batch));
    return std::make_unique<BatchDecorator>(std::move(batch), std::move(spec));
}

VectorEnvOptions vectorOptions(const EnvSpec& spec, const WrapperParams& params) {
    VectorEnvOptions options;
    options.horizon = spec.horizon;
    options.reward_clip = static_cast<float>(params.reward_clip);
    options.reward_scale = static_cast<float>(params.reward_scale);
    return options;
}

}  // namespace seedbed
