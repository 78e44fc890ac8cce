// SPDX-License-Identifier: Apache-2.0
// libseedbed_policy as an executor of the matrix, using only its C API.
#pragma once

#include <cstring>
#include <memory>

#include "core/export/executor.hpp"
#include "core/policy/runtime/seedbed_policy.h"

namespace seedbed::testing {

class RuntimeExecutor final : public Executor {
public:
    explicit RuntimeExecutor(const PolicyModel& model, const Path& folder)
        : model_(model), policy_(nullptr, seedbed_policy_free) {
        char error[512];
        policy_.reset(seedbed_policy_load(folder.c_str(), error, sizeof error));
        SEEDBED_CHECK(policy_ != nullptr, error);
        SEEDBED_CHECK(seedbed_policy_leaves(policy_.get()) == static_cast<int>(model.spaces().obs.size()) &&
                          seedbed_policy_action_words(policy_.get()) == model.spaces().actionWords() &&
                          seedbed_policy_mask_bytes(policy_.get()) == model.spaces().maskBytes(),
                      "the library has a different interface");
    }
    std::string id() const override { return "libseedbed_policy"; }
    std::string version() const override { return std::to_string(seedbed_policy_api_version()); }

    // seedbed_actor_restore sets the state and the previous action of the rows to those of the batch;
    // seedbed_actor_save returns the new ones.
    Result<> run(const ModelBatch& batch, ModelResult& result) override {
        const Actor actor = newActor(batch.rows);
        std::vector<float> memory(seedbed_policy_memory_words(policy_.get()));
        const auto state = static_cast<std::size_t>(model_.stateWords()), action = actionWords();
        for (std::size_t row = 0; row < static_cast<std::size_t>(batch.rows); ++row) {
            memory[0] = 0;
            std::copy_n(batch.state.begin() + static_cast<std::ptrdiff_t>(row * state), state,
                        memory.begin() + 1);
            if (!batch.previous_action.empty())
                std::copy_n(batch.previous_action.begin() + static_cast<std::ptrdiff_t>(row * action), action,
                            memory.begin() + 1 + static_cast<std::ptrdiff_t>(state));
            SEEDBED_CHECK(
                seedbed_actor_restore(actor.get(), static_cast<int>(row), memory.data()) == SEEDBED_OK,
                "restore");
        }
        resizeResult(model_, batch.rows, result);
        result.policy.clear();
        result.value.clear();
        SEEDBED_TRY(act(actor.get(), batch, result.action.data()));
        for (std::size_t row = 0; row < static_cast<std::size_t>(batch.rows); ++row) {
            SEEDBED_CHECK(seedbed_actor_save(actor.get(), static_cast<int>(row), memory.data()) == SEEDBED_OK,
                          "save");
            std::copy_n(memory.begin() + 1, state,
                        result.state.begin() + static_cast<std::ptrdiff_t>(row * state));
            if (!result.feedback.empty())
                std::copy_n(memory.begin() + 1 + static_cast<std::ptrdiff_t>(state), action,
                            result.feedback.begin() + static_cast<std::ptrdiff_t>(row * action));
        }
        return {};
    }

    // Uses an actor's own memory, which is reset only at the start.
    Result<> playSequence(const PolicyModel&, const ModelBatch& steps, ModelResult& result) override {
        const Actor actor = newActor(1);
        resizeResult(model_, steps.rows, result);
        result.policy.clear();
        result.value.clear();
        std::vector<float> memory(seedbed_policy_memory_words(policy_.get()));
        const auto state = static_cast<std::size_t>(model_.stateWords()), action = actionWords();
        // The state of an earlier episode must have no effect.
        SEEDBED_TRY(act(actor.get(), rowOf(model_, steps, 0), result.action.data()));
        SEEDBED_CHECK(seedbed_actor_reset(actor.get(), 0) == SEEDBED_OK, "reset");
        for (int step = 0; step < steps.rows; ++step) {
            const auto at = static_cast<std::size_t>(step);
            SEEDBED_TRY(act(actor.get(), rowOf(model_, steps, step), result.action.data() + at * action));
            SEEDBED_CHECK(seedbed_actor_save(actor.get(), 0, memory.data()) == SEEDBED_OK, "save");
            std::copy_n(memory.begin() + 1, state,
                        result.state.begin() + static_cast<std::ptrdiff_t>(at * state));
            if (!result.feedback.empty())
                std::copy_n(memory.begin() + 1 + static_cast<std::ptrdiff_t>(state), action,
                            result.feedback.begin() + static_cast<std::ptrdiff_t>(at * action));
        }
        return {};
    }

private:
    using Actor = std::unique_ptr<seedbed_actor, decltype(&seedbed_actor_free)>;
    Actor newActor(int rows) const { return {seedbed_actor_new(policy_.get(), rows), seedbed_actor_free}; }
    std::size_t actionWords() const { return static_cast<std::size_t>(model_.spaces().actionWords()); }

    Result<> act(seedbed_actor* actor, const ModelBatch& batch, float* actions) {
        std::vector<std::vector<unsigned char>> bytes;
        std::vector<const void*> observations;
        for (std::size_t leaf = 0; leaf < batch.obs.size(); ++leaf)
            bytes.push_back(bytesOf(static_cast<int>(leaf), batch.obs[leaf]));
        for (const auto& leaf : bytes) observations.push_back(leaf.data());
        std::vector<unsigned char> mask;
        for (const float x : batch.mask) mask.push_back(x > 0 ? 1 : 0);
        const int status = seedbed_actor_act(
            actor, observations.data(), mask.empty() ? nullptr : mask.data(),
            batch.previous_reward.empty() ? nullptr : batch.previous_reward.data(), actions);
        if (status != SEEDBED_OK) return fail(seedbed_actor_error(actor));
        return {};
    }
    std::vector<unsigned char> bytesOf(int leaf, const std::vector<float>& values) const {
        const seedbed_type type = seedbed_policy_leaf_type(policy_.get(), leaf);
        std::vector<unsigned char> bytes;
        for (const float x : values) {
            unsigned char word[4] = {static_cast<unsigned char>(x)};
            const auto number = static_cast<std::int32_t>(x);
            if (type == SEEDBED_F32) std::memcpy(word, &x, 4);
            if (type == SEEDBED_I32) std::memcpy(word, &number, 4);
            bytes.insert(bytes.end(), word, word + (type == SEEDBED_U8 ? 1 : 4));
        }
        return bytes;
    }

    const PolicyModel& model_;
    std::unique_ptr<seedbed_policy, decltype(&seedbed_policy_free)> policy_;
};

}  // namespace seedbed::testing
