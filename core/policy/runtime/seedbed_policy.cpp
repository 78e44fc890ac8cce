// SPDX-License-Identifier: Apache-2.0
// The C API over bundle, native engine and action distribution. Exceptions and C++ types end here.
#include "core/policy/runtime/seedbed_policy.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

#include "core/base/rng.hpp"
#include "core/nn/distribution.hpp"
#include "core/nn/engine.hpp"
#include "core/policy/acting_plan.hpp"
#include "core/policy/bundle.hpp"

using namespace seedbed;

struct seedbed_policy {
    PolicyBundle bundle;
    NetPlan plan;  // only what the actions need
    std::unique_ptr<EngineNet> net;
    ActionDistribution distribution;
    std::string sha256;
    bool wants_previous_action = false, wants_reward = false;
};

struct seedbed_actor {
    const seedbed_policy* policy = nullptr;
    std::unique_ptr<NetContext> context;
    Rows rows;
    std::vector<std::uint8_t> first;
    std::vector<float> heads, state, state_after, action, reward;
    bool sampled = false;
    std::uint64_t seed = 0, step = 0;
    std::string error;
};

namespace {

void tell(const std::string& text, char* error, size_t error_bytes) {
    if (error != nullptr && error_bytes > 0) std::snprintf(error, error_bytes, "%s", text.c_str());
}

Result<std::unique_ptr<seedbed_policy>> load(const char* folder) {
    RealFileSystem files;
    auto policy = std::make_unique<seedbed_policy>();
    SEEDBED_ASSIGN(policy->bundle, loadPolicy(files, Path(folder)));
    SEEDBED_ASSIGN(const NetPlan whole, buildPlan(policy->bundle.network.spec));
    SEEDBED_ASSIGN(policy->plan, actingPlan(whole));
    policy->distribution = ActionDistribution(policy->bundle.spaces(), policy->bundle.squash);
    if (policy->plan.head_words != policy->distribution.words()) return fail("the acting head does not fit the actions");
    for (const PlanOp& op : policy->plan.ops) {
        policy->wants_previous_action |= op.kind == OpKind::previous_action;
        policy->wants_reward |= op.kind == OpKind::previous_reward;
    }
    SEEDBED_ASSIGN(policy->net, compileNet("native", policy->plan, EngineOptions{}));
    policy->sha256 = policy->bundle.network.params.sha256();
    return policy;
}

// One choice among n logits: the first of the largest or, with a random stream, by the softmax. A mask that forbids everything allows
// everything.
int chooseLogit(const float* logits, const unsigned char* mask, int n, Rng* rng) {
    const bool all = mask == nullptr || std::all_of(mask, mask + n, [](unsigned char allowed) { return allowed == 0; });
    int best = -1;
    for (int i = 0; i < n; ++i)
        if ((all || mask[i] != 0) && (best < 0 || logits[i] > logits[best])) best = i;
    if (rng == nullptr) return best;
    const auto weight = [&](int i) {
        return all || mask[i] != 0 ? std::exp(static_cast<double>(logits[i]) - static_cast<double>(logits[best])) : 0.0;
    };
    double total = 0;
    for (int i = 0; i < n; ++i) total += weight(i);
    double rest = rng->uniform() * total;
    for (int i = 0; i < n; ++i) {
        rest -= weight(i);
        if (rest < 0) return i;
    }
    return best;
}

// The words as training stores them (boxes not clipped), without the log-probabilities that only a learner wants.
void choose(seedbed_actor& actor, const unsigned char* mask) {
    const seedbed_policy& policy = *actor.policy;
    const float* heads = actor.heads.data();
    float* action = actor.action.data();
    for (int row = 0; row < actor.rows.sequences; ++row) {
        // A row's numbers depend on seed, row and decision only.
        Rng stream(actor.seed, RngPurpose::play, static_cast<std::uint32_t>(row), actor.step << 16);
        Rng* rng = actor.sampled ? &stream : nullptr;
        for (const ActionLeaf& leaf : policy.bundle.spaces().actions) {
            if (leaf.kind == ActionLeaf::Kind::discrete) {
                *action++ = static_cast<float>(chooseLogit(heads, mask, leaf.n, rng));
                heads += leaf.n;
                if (mask != nullptr) mask += leaf.n;
                continue;
            }
            const int words = leaf.words();
            for (int i = 0; i < words; ++i) {
                const auto at = static_cast<std::size_t>(i);
                double u = static_cast<double>(heads[i]);
                if (rng != nullptr) u += std::exp(static_cast<double>(heads[words + i])) * rng->normal();
                if (policy.bundle.squash) u = (leaf.low[at] + leaf.high[at]) / 2 + (leaf.high[at] - leaf.low[at]) / 2 * std::tanh(u);
                *action++ = static_cast<float>(u);
            }
            heads += 2 * words;
        }
    }
}

Result<> act(seedbed_actor& actor, const void* const* observations, const unsigned char* mask, const float* rewards, float* actions) {
    const seedbed_policy& policy = *actor.policy;
    Rows& rows = actor.rows;
    for (std::size_t leaf = 0; leaf < rows.obs.size(); ++leaf) rows.obs[leaf] = static_cast<const std::uint8_t*>(observations[leaf]);
    if (policy.wants_reward) {
        if (rewards != nullptr) std::copy_n(rewards, rows.sequences, actor.reward.begin());
        else std::fill(actor.reward.begin(), actor.reward.end(), 0.0f);
    }
    SEEDBED_TRY(actor.context->run(policy.bundle.network.params, rows,
                                   {actor.heads.data(), actor.state.empty() ? nullptr : actor.state_after.data()}, Keep::nothing));
    for (const float x : actor.heads)
        if (!std::isfinite(x))
            return fail("the network gave not-a-number; an observation is not finite or far outside of what was trained on");
    std::swap(actor.state, actor.state_after);
    rows.state = actor.state.data();
    choose(actor, policy.bundle.spaces().has_mask ? mask : nullptr);
    ++actor.step;
    policy.distribution.envAction(rows.sequences, actor.action.data(), actions);
    std::fill(actor.first.begin(), actor.first.end(), std::uint8_t{0});
    return {};
}

}  // namespace

extern "C" {

int seedbed_policy_api_version(void) { return SEEDBED_POLICY_API_VERSION; }

seedbed_policy* seedbed_policy_load(const char* folder, char* error, size_t error_bytes) try {
    if (folder == nullptr) {
        tell("no folder was given", error, error_bytes);
        return nullptr;
    }
    auto policy = load(folder);
    if (policy) {
        tell("", error, error_bytes);
        return policy->release();
    }
    tell(policy.error().text(), error, error_bytes);
    return nullptr;
} catch (...) {
    tell(currentException().text(), error, error_bytes);
    return nullptr;
}

void seedbed_policy_free(seedbed_policy* policy) { delete policy; }

int seedbed_policy_leaves(const seedbed_policy* policy) { return static_cast<int>(policy->bundle.spaces().obs.size()); }

const char* seedbed_policy_leaf_name(const seedbed_policy* policy, int leaf) {
    return policy->bundle.spaces().obs[static_cast<std::size_t>(leaf)].name.c_str();
}

size_t seedbed_policy_leaf_elements(const seedbed_policy* policy, int leaf) {
    const ObsLeaf& spec = policy->bundle.spaces().obs[static_cast<std::size_t>(leaf)];
    return spec.elements() * static_cast<std::size_t>(spec.stack);
}

enum seedbed_type seedbed_policy_leaf_type(const seedbed_policy* policy, int leaf) {
    return static_cast<seedbed_type>(policy->bundle.spaces().obs[static_cast<std::size_t>(leaf)].dtype);
}

int seedbed_policy_action_words(const seedbed_policy* policy) { return policy->bundle.spaces().actionWords(); }
int seedbed_policy_mask_bytes(const seedbed_policy* policy) { return policy->bundle.spaces().maskBytes(); }
int seedbed_policy_wants_reward(const seedbed_policy* policy) { return policy->wants_reward ? 1 : 0; }
const char* seedbed_policy_environment(const seedbed_policy* policy) { return policy->bundle.provenance.env.c_str(); }
const char* seedbed_policy_weights_sha256(const seedbed_policy* policy) { return policy->sha256.c_str(); }

seedbed_actor* seedbed_actor_new(const seedbed_policy* policy, int rows) try {
    if (policy == nullptr || rows < 1) return nullptr;
    auto actor = std::make_unique<seedbed_actor>();
    const auto count = static_cast<std::size_t>(rows);
    actor->policy = policy;
    actor->context = policy->net->context();
    actor->rows.sequences = rows;
    actor->rows.obs.resize(policy->bundle.spaces().obs.size());
    actor->first.assign(count, 1);
    actor->rows.first = actor->first.data();
    actor->heads.resize(count * static_cast<std::size_t>(policy->plan.head_words));
    actor->state.assign(count * static_cast<std::size_t>(policy->plan.state_words), 0.0f);
    actor->state_after = actor->state;
    actor->rows.state = actor->state.data();
    actor->action.assign(count * static_cast<std::size_t>(policy->bundle.spaces().actionWords()), 0.0f);
    actor->reward.assign(count, 0.0f);
    if (policy->wants_previous_action) actor->rows.previous_action = actor->action.data();
    if (policy->wants_reward) actor->rows.previous_reward = actor->reward.data();
    return actor.release();
} catch (...) {
    return nullptr;
}

void seedbed_actor_free(seedbed_actor* actor) { delete actor; }

void seedbed_actor_reset(seedbed_actor* actor, int row) {
    // Engines clear the state of rows that are first, and look at no previous action or reward there.
    if (row < 0) std::fill(actor->first.begin(), actor->first.end(), std::uint8_t{1});
    else actor->first[static_cast<std::size_t>(row)] = 1;
}

void seedbed_actor_sample(seedbed_actor* actor, unsigned long long seed) {
    actor->sampled = true;
    actor->seed = seed, actor->step = 0;
}

int seedbed_actor_act(seedbed_actor* actor, const void* const* observations, const unsigned char* mask, const float* rewards,
                      float* actions) try {
    auto done = act(*actor, observations, mask, rewards, actions);
    if (done) {
        actor->error.clear();
        return 0;
    }
    actor->error = done.error().text();
    return exitCode(done.error().code);
} catch (...) {
    actor->error = "out of memory, or another failure inside the library";
    return 1;
}

const char* seedbed_actor_error(const seedbed_actor* actor) { return actor->error.c_str(); }

}  // extern "C"
