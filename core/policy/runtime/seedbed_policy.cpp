// SPDX-License-Identifier: Apache-2.0
// Implements the C API with the bundle, the native engine and the action distribution. No exceptions or C++
// types cross the interface.
#include "core/policy/runtime/seedbed_policy.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

#include "core/base/rng.hpp"
#include "core/nn/acting_head.hpp"
#include "core/nn/engine.hpp"
#include "core/policy/runtime/policy_handle.hpp"

using namespace seedbed;

struct seedbed_actor {
    const seedbed_policy* policy = nullptr;
    std::unique_ptr<NetContext> context;
    Rows rows;
    std::vector<std::uint8_t> first;
    std::vector<float> heads, state, state_after, action, log_prob, reward;
    bool sampled = false;
    std::uint64_t seed = 0, step = 0;
    std::string error;
};

namespace {

void writeError(const std::string& text, char* error, size_t error_bytes) {
    if (error != nullptr && error_bytes > 0) std::snprintf(error, error_bytes, "%s", text.c_str());
}

Result<std::unique_ptr<seedbed_policy>> load(const char* folder) {
    RealFileSystem files;
    SEEDBED_ASSIGN(PolicyBundle bundle, loadPolicy(files, Path(folder)));
    SEEDBED_ASSIGN(bundle, onePolicy(std::move(bundle)));
    return policyHandle(std::move(bundle));
}

constexpr const char* kNonFiniteOutput =
    "the network returned NaN; an observation is not finite or far outside the training range";

Result<> act(seedbed_actor& actor, const void* const* observations, const unsigned char* mask,
             const float* rewards, float* actions) {
    const seedbed_policy& policy = *actor.policy;
    Rows& rows = actor.rows;
    for (std::size_t leaf = 0; leaf < rows.obs.size(); ++leaf)
        rows.obs[leaf] = static_cast<const std::uint8_t*>(observations[leaf]);
    if (policy.wants_reward) {
        for (std::size_t row = 0; row < actor.reward.size(); ++row)
            actor.reward[row] = rewards == nullptr ? 0.0f : policy.bundle.reward.apply(rewards[row]);
    }
    SEEDBED_TRY(actor.context->run(
        policy.bundle.network.params, rows,
        {actor.heads.data(), actor.state.empty() ? nullptr : actor.state_after.data()}, Keep::nothing));
    for (const float x : actor.heads)
        if (!std::isfinite(x)) return fail(kNonFiniteOutput);
    std::swap(actor.state, actor.state_after);
    rows.state = actor.state.data();
    // As in training, the random numbers of a row depend only on the seed, the row and the decision.
    const SampleKey key{.seed = actor.seed, .purpose = RngPurpose::play, .lane = 0, .step = actor.step++};
    policy.distribution.sample(rows.sequences, actor.heads.data(),
                               policy.bundle.spaces().has_mask ? mask : nullptr,
                               actor.sampled ? Selection::sample : Selection::greedy, key,
                               actor.action.data(), actor.log_prob.data());
    policy.distribution.envAction(rows.sequences, actor.action.data(), actions);
    std::fill(actor.first.begin(), actor.first.end(), std::uint8_t{0});
    return {};
}

int leafCount(const seedbed_policy& policy) { return static_cast<int>(policy.bundle.spaces().obs.size()); }
const ObsLeaf* leafOf(const seedbed_policy* policy, int leaf) {
    return policy == nullptr || leaf < 0 || leaf >= leafCount(*policy)
               ? nullptr
               : &policy->bundle.spaces().obs[static_cast<std::size_t>(leaf)];
}
std::size_t stateWords(const seedbed_policy& policy) {
    return static_cast<std::size_t>(policy.plan.state_words);
}
std::size_t actionWords(const seedbed_policy& policy) {
    return static_cast<std::size_t>(policy.bundle.spaces().actionWords());
}
bool hasRow(const seedbed_actor* actor, int row) {
    return actor != nullptr && row >= 0 && row < actor->rows.sequences;
}

// The parts of a row's memory after its first float: recurrent state, previous action.
template <class Actor, class Move>
void forMemory(Actor& actor, int row, const Move& move) {
    const auto at = static_cast<std::size_t>(row);
    const std::size_t state = stateWords(*actor.policy);
    const std::size_t action = actionWords(*actor.policy);
    move(actor.state.data() + at * state, state);
    move(actor.action.data() + at * action, action);
}

}  // namespace

extern "C" {

int seedbed_policy_api_version(void) { return SEEDBED_POLICY_API_VERSION; }

seedbed_policy* seedbed_policy_load(const char* folder, char* error, size_t error_bytes) try {
    if (folder == nullptr) {
        writeError("the folder is NULL", error, error_bytes);
        return nullptr;
    }
    auto policy = load(folder);
    if (policy) {
        writeError("", error, error_bytes);
        return policy->release();
    }
    writeError(policy.error().text(), error, error_bytes);
    return nullptr;
} catch (...) {
    writeError(currentException().text(), error, error_bytes);
    return nullptr;
}

void seedbed_policy_free(seedbed_policy* policy) { delete policy; }

int seedbed_policy_leaves(const seedbed_policy* policy) { return policy == nullptr ? 0 : leafCount(*policy); }

const char* seedbed_policy_leaf_name(const seedbed_policy* policy, int leaf) {
    const ObsLeaf* spec = leafOf(policy, leaf);
    return spec == nullptr ? nullptr : spec->name.c_str();
}

size_t seedbed_policy_leaf_elements(const seedbed_policy* policy, int leaf) {
    const ObsLeaf* spec = leafOf(policy, leaf);
    return spec == nullptr ? 0 : spec->elements() * static_cast<std::size_t>(spec->stack);
}

enum seedbed_type seedbed_policy_leaf_type(const seedbed_policy* policy, int leaf) {
    const ObsLeaf* spec = leafOf(policy, leaf);
    return spec == nullptr ? SEEDBED_NO_TYPE : static_cast<seedbed_type>(spec->dtype);
}

int seedbed_policy_action_words(const seedbed_policy* policy) {
    return policy == nullptr ? 0 : policy->bundle.spaces().actionWords();
}
int seedbed_policy_mask_bytes(const seedbed_policy* policy) {
    return policy == nullptr ? 0 : policy->bundle.spaces().maskBytes();
}
int seedbed_policy_wants_reward(const seedbed_policy* policy) {
    return policy != nullptr && policy->wants_reward ? 1 : 0;
}
const char* seedbed_policy_environment(const seedbed_policy* policy) {
    return policy == nullptr ? nullptr : policy->bundle.provenance.env.c_str();
}
const char* seedbed_policy_weights_sha256(const seedbed_policy* policy) {
    return policy == nullptr ? nullptr : policy->sha256.c_str();
}
size_t seedbed_policy_memory_words(const seedbed_policy* policy) {
    return policy == nullptr ? 0 : 1 + stateWords(*policy) + actionWords(*policy);
}

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
    actor->log_prob.resize(count);
    actor->reward.assign(count, 0.0f);
    if (policy->wants_previous_action) actor->rows.previous_action = actor->action.data();
    if (policy->wants_reward) actor->rows.previous_reward = actor->reward.data();
    return actor.release();
} catch (...) {
    return nullptr;
}

void seedbed_actor_free(seedbed_actor* actor) { delete actor; }

int seedbed_actor_reset(seedbed_actor* actor, int row) {
    if (actor == nullptr || (row != -1 && !hasRow(actor, row))) return SEEDBED_BAD_ARGUMENT;
    // Engines clear the state of rows marked as first, and ignore their previous action and reward.
    if (row < 0) std::fill(actor->first.begin(), actor->first.end(), std::uint8_t{1});
    else actor->first[static_cast<std::size_t>(row)] = 1;
    return SEEDBED_OK;
}

int seedbed_actor_save(const seedbed_actor* actor, int row, float* memory) {
    if (!hasRow(actor, row) || memory == nullptr) return SEEDBED_BAD_ARGUMENT;
    *memory++ = actor->first[static_cast<std::size_t>(row)];
    forMemory(*actor, row,
              [&](const float* words, std::size_t count) { memory = std::copy_n(words, count, memory); });
    return SEEDBED_OK;
}

int seedbed_actor_restore(seedbed_actor* actor, int row, const float* memory) {
    if (!hasRow(actor, row) || memory == nullptr) return SEEDBED_BAD_ARGUMENT;
    actor->first[static_cast<std::size_t>(row)] = *memory++ != 0 ? 1 : 0;
    forMemory(*actor, row, [&](float* words, std::size_t count) {
        std::copy_n(memory, count, words);
        memory += count;
    });
    return SEEDBED_OK;
}

int seedbed_actor_sample(seedbed_actor* actor, unsigned long long seed) {
    if (actor == nullptr) return SEEDBED_BAD_ARGUMENT;
    actor->sampled = true;
    actor->seed = seed;
    actor->step = 0;
    return SEEDBED_OK;
}

int seedbed_actor_act(seedbed_actor* actor, const void* const* observations, const unsigned char* mask,
                      const float* rewards, float* actions) try {
    if (actor == nullptr) return SEEDBED_BAD_ARGUMENT;
    actor->error.clear();
    const int leaves = leafCount(*actor->policy);
    if (observations == nullptr || actions == nullptr ||
        std::find(observations, observations + leaves, nullptr) != observations + leaves) {
        actor->error = "observations, one of its elements, or actions is NULL";
        return SEEDBED_BAD_ARGUMENT;
    }
    const auto done = act(*actor, observations, mask, rewards, actions);
    if (done) return SEEDBED_OK;
    actor->error = done.error().text();
    return done.error().message == kNonFiniteOutput ? SEEDBED_NOT_A_NUMBER : SEEDBED_FAILED;
} catch (...) {
    actor->error = "out of memory, or an internal error";
    return SEEDBED_FAILED;
}

const char* seedbed_actor_error(const seedbed_actor* actor) {
    return actor == nullptr ? "the actor is NULL" : actor->error.c_str();
}

}  // extern "C"
