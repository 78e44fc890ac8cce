// SPDX-License-Identifier: Apache-2.0
// Default implementations, and batches made of single environments.
#include "core/env/env.hpp"

#include <algorithm>
#include <cstring>

#include "core/env/env_batch_inl.hpp"

namespace seedbed {
namespace {

constexpr std::uint64_t kFirstInEach = 0x0101010101010101ULL * column_flag::first;

// Marks the environments to be stepped; returns whether there are any.
bool activeOf(const EnvCommand* __restrict commands, std::size_t envs, std::uint8_t* __restrict active) {
    std::uint8_t any = 0;
    for (std::size_t env = 0; env < envs; ++env) {
        active[env] = commands[env] == EnvCommand::step ? 1 : 0;
        any |= active[env];
    }
    return any != 0;
}

// An environment that terminated or is commanded to reset begins an episode in this exchange. If there are
// goals, a terminated environment waits for the command.
void flagsOf(std::uint8_t* __restrict flags, const std::uint8_t* __restrict terminated,
             const std::uint8_t* __restrict truncated, const EnvCommand* __restrict commands,
             std::size_t envs, bool goals) {
    using namespace column_flag;
    const std::uint8_t again = goals ? 0 : 1;
    static_assert(column_flag::terminated == 1 && column_flag::truncated == 2 && first == 4);
    for (std::size_t env = 0; env < envs; ++env) {
        const std::uint8_t end = (terminated[env] & again) | (commands[env] == EnvCommand::reset ? 1 : 0);
        flags[env] = static_cast<std::uint8_t>(terminated[env] | truncated[env] << 1 | end << 2);
    }
}

Result<> noEqualOutcome() {
    return fail(ErrorCode::parity, "none of the sampled outcomes matches the recorded one");
}

}  // namespace

Result<> Env::adoptOutcome(const Json& /*before*/, const float* /*action*/, const Json& /*after*/) {
    return noEqualOutcome();
}

Result<> LocalBatch::adoptOutcome(int /*env*/, const Json& /*before*/, const float* /*action*/,
                                  const Json& /*after*/) {
    return noEqualOutcome();
}

// Written for batches of thousands of small environments: loops over bytes that the compiler vectorises, and
// a short path per environment that begins an episode.
Result<> LocalBatch::begin(const Exchange& exchange) {
    const auto envs = static_cast<std::size_t>(count()), agents = static_cast<std::size_t>(spec().agents);
    if (active_.size() != envs) {
        active_.resize(envs);
        terminated_.resize(envs);
        truncated_.resize(envs);
        flags_.resize(envs);
    }
    const bool any = activeOf(exchange.commands, envs, active_.data());
    std::fill(terminated_.begin(), terminated_.end(), std::uint8_t{0});
    std::fill(truncated_.begin(), truncated_.end(), std::uint8_t{0});
    if (any)
        SEEDBED_TRY(step(exchange.actions, active_.data(), exchange.rngs, exchange.rewards,
                         terminated_.data(), truncated_.data()));
    if (exchange.stepped != nullptr) (*exchange.stepped)();
    std::uint8_t* flags = agents == 1 ? exchange.flags : flags_.data();
    flagsOf(flags, terminated_.data(), truncated_.data(), exchange.commands, envs, spec().goal.has_value());
    const auto beginEpisode = [&](std::size_t env) {
        if ((flags[env] & column_flag::first) != 0) reset(static_cast<int>(env), exchange.rngs[env]);
    };
    std::size_t env = 0;
    for (; env + 8 <= envs; env += 8) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, flags + env, 8);
        if ((bits & kFirstInEach) == 0) continue;
        for (std::size_t i = env; i < env + 8; ++i) beginEpisode(i);
    }
    for (; env < envs; ++env) beginEpisode(env);
    if (agents > 1)
        for (env = 0; env < envs; ++env) std::fill_n(exchange.flags + env * agents, agents, flags[env]);
    observe(exchange.leaves, exchange.mask);
    return {};
}

std::unique_ptr<LocalBatch> batchOf(EnvSpec spec, std::vector<std::unique_ptr<Env>> envs) {
    return std::make_unique<BatchOf<Env>>(std::move(spec), std::move(envs));
}

}  // namespace seedbed
