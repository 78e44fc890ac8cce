// SPDX-License-Identifier: Apache-2.0
// BatchOf<T>: a batch of single environments. If T is a concrete class, the calls are not virtual, so the
// code of small environments can be inlined.
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#include "core/env/env.hpp"

namespace seedbed {

template <class T>
class BatchOf final : public LocalBatch {
public:
    BatchOf(EnvSpec spec, std::vector<std::unique_ptr<T>> envs)
        : spec_(std::move(spec)),
          envs_(std::move(envs)),
          agents_(static_cast<std::size_t>(spec_.agents)),
          action_words_(static_cast<std::size_t>(spec_.spaces.actionWords())),
          mask_bytes_(static_cast<std::size_t>(spec_.spaces.maskBytes())),
          leaves_(spec_.spaces.obs.size()) {
        for (const ObsLeaf& leaf : spec_.spaces.obs) leaf_bytes_.push_back(leaf.bytes());
    }

    int count() const override { return static_cast<int>(envs_.size()); }
    const EnvSpec& spec() const override { return spec_; }
    void reset(int env, Rng& rng) override { at(env).reset(rng); }

    Result<> step(const float* actions, const std::uint8_t* active, Rng* rngs, float* rewards,
                  std::uint8_t* terminated, std::uint8_t* truncated) override {
        for (std::size_t e = 0; e < envs_.size(); ++e) {
            if (active[e] == 0) continue;
            const float* action = actions + e * agents_ * action_words_;
            float* reward = rewards + e * agents_;
            StepResult result;
            if constexpr (std::is_abstract_v<T>) result = envs_[e]->step(action, reward, rngs[e]);
            else result = envs_[e]->T::step(action, reward, rngs[e]);
            terminated[e] = result.terminated ? 1 : 0;
            truncated[e] = result.truncated ? 1 : 0;
        }
        return {};
    }

    void observe(std::uint8_t* const* leaves, std::uint8_t* mask) const override {
        for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) leaves_[leaf] = leaves[leaf];
        for (const std::unique_ptr<T>& env : envs_) {
            for (std::size_t agent = 0; agent < agents_; ++agent) {
                const ObsOut out{leaves_.data(), mask};
                if constexpr (std::is_abstract_v<T>) env->observe(static_cast<int>(agent), out);
                else env->T::observe(static_cast<int>(agent), out);
                for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) leaves_[leaf] += leaf_bytes_[leaf];
                if (mask != nullptr) mask += mask_bytes_;
            }
        }
    }

    void draw(int env, Scene& scene) const override { at(env).draw(scene); }
    void archive(int env, Archive& archive) override { at(env).archive(archive); }
    Json state(int env) const override { return at(env).state(); }
    Result<> setState(int env, const Json& state) override { return at(env).setState(state); }
    Result<> adoptOutcome(int env, const Json& before, const float* action, const Json& after) override {
        return at(env).adoptOutcome(before, action, after);
    }

private:
    T& at(int env) const { return *envs_[static_cast<std::size_t>(env)]; }

    EnvSpec spec_;
    std::vector<std::unique_ptr<T>> envs_;
    std::size_t agents_, action_words_, mask_bytes_;
    std::vector<std::size_t> leaf_bytes_;
    // Scratch memory of observe(): destinations of the next column.
    mutable std::vector<std::uint8_t*> leaves_;
};

}  // namespace seedbed
