// SPDX-License-Identifier: Apache-2.0
// A batch that wraps another batch and forwards every call; wrappers override individual functions.
#pragma once

#include <memory>
#include <utility>

#include "core/env/env.hpp"

namespace seedbed {

class BatchDecorator : public LocalBatch {
public:
    // `spec` describes the decorated batch, not `inner`.
    BatchDecorator(std::unique_ptr<LocalBatch> inner, EnvSpec spec)
        : inner_(std::move(inner)), spec_(std::move(spec)) {}

    int count() const override { return inner_->count(); }
    const EnvSpec& spec() const override { return spec_; }
    void reset(int env, Rng& rng) override { inner_->reset(env, rng); }
    Result<> step(const float* actions, const std::uint8_t* active, Rng* rngs, float* rewards,
                  std::uint8_t* terminated, std::uint8_t* truncated) override {
        return inner_->step(actions, active, rngs, rewards, terminated, truncated);
    }
    void observe(std::uint8_t* const* leaves, std::uint8_t* mask) const override {
        inner_->observe(leaves, mask);
    }
    void draw(int env, Scene& scene) const override { inner_->draw(env, scene); }
    bool canArchive() const override { return inner_->canArchive(); }
    void archive(int env, Archive& archive) override { inner_->archive(env, archive); }
    Json state(int env) const override { return inner_->state(env); }
    Result<> setState(int env, const Json& state) override { return inner_->setState(env, state); }
    Result<> adoptOutcome(int env, const Json& before, const float* action, const Json& after) override {
        return inner_->adoptOutcome(env, before, action, after);
    }

protected:
    std::unique_ptr<LocalBatch> inner_;
    EnvSpec spec_;
};

}  // namespace seedbed
