// SPDX-License-Identifier: Apache-2.0
// A batch of environments whose complete state consists of a few real numbers (classic control), stored as
// one array per variable so that loops over environments vectorise. A file in envs/ supplies the model; this
// class supplies the rest of LocalBatch.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "core/env/env.hpp"

namespace seedbed {

// A block of environments to step. Arrays do not overlap and have `count` entries, a multiple of 8; entries
// beyond the batch are unused, so loops have no remainder.
template <int kVariables>
struct SoaBlock {
    int count = 0;
    std::array<double*, kVariables> state{};  // in and out
    const double* action = nullptr;           // the single action word of each environment
    double* reward = nullptr;                 // out
    double* terminated = nullptr;             // out: 1 or 0
};

// Model:
//   static constexpr int kVariables;
//   struct Params (described); static EnvSpec spec(const Params&); explicit Model(const Params&);
//   // One environment, state[kVariables].
//   void reset(double* state, Rng&) const;
//   // Many environments.
//   void step(const SoaBlock<kVariables>&) const;
//   // obs: f32 [count, O].
//   void observe(const double* const* state, int count, float* obs) const;
//   void draw(const double* state, Scene&) const;
template <class Model>
class SoaBatch final : public LocalBatch {
    static constexpr int kVariables = Model::kVariables, kBlock = 256;
    static constexpr double kLargest = 1e12;  // limit for archived variables

public:
    using Params = typename Model::Params;
    static EnvSpec spec(const Params& params) { return Model::spec(params); }

    SoaBatch(const Params& params, int count)
        : model_(params), spec_(Model::spec(params)), count_(count), stride_((count + 7) / 8 * 8) {
        values_.assign(static_cast<std::size_t>(stride_) * kVariables, 0.0);
    }

    int count() const override { return count_; }
    const EnvSpec& spec() const override { return spec_; }

    void reset(int env, Rng& rng) override {
        std::array<double, kVariables> state;
        model_.reset(state.data(), rng);
        for (int k = 0; k < kVariables; ++k) *at(k, env) = state[k];
    }

    Result<> step(const float* actions, const std::uint8_t* active, Rng*, float* rewards,
                  std::uint8_t* terminated, std::uint8_t* truncated) override {
        for (int begin = 0; begin < count_; begin += kBlock)
            stepBlock(begin, std::min(kBlock, count_ - begin), actions, active, rewards, terminated,
                      truncated);
        return {};
    }

    void observe(std::uint8_t* const* leaves, std::uint8_t*) const override {
        std::array<const double*, kVariables> state;
        for (int k = 0; k < kVariables; ++k) state[k] = at(k, 0);
        model_.observe(state.data(), count_, reinterpret_cast<float*>(leaves[0]));
    }

    void draw(int env, Scene& scene) const override { model_.draw(read(env).data(), scene); }

    void archive(int env, Archive& archive) override {
        for (int k = 0; k < kVariables; ++k)
            archive.field("variable", *at(k, env), range(-kLargest, kLargest));
    }

    // An array, as in the originals and their traces.
    Json state(int env) const override {
        Json json = Json::array();
        for (const double value : read(env)) json.push_back(value);
        return json;
    }

    Result<> setState(int env, const Json& state) override {
        const bool numbers =
            state.is_array() && state.size() == kVariables &&
            std::all_of(state.begin(), state.end(), [](const Json& value) { return value.is_number(); });
        if (!numbers)
            return fail("the state of " + spec_.id + " is an array of " + std::to_string(kVariables) +
                        " numbers");
        for (int k = 0; k < kVariables; ++k) *at(k, env) = state[k].template get<double>();
        return {};
    }

private:
    double* at(int variable, int env) {
        return values_.data() + static_cast<std::size_t>(variable) * stride_ + env;
    }
    const double* at(int variable, int env) const {
        return values_.data() + static_cast<std::size_t>(variable) * stride_ + env;
    }
    std::array<double, kVariables> read(int env) const {
        std::array<double, kVariables> state;
        for (int k = 0; k < kVariables; ++k) state[k] = *at(k, env);
        return state;
    }

    // Steps environments [begin, begin + count) with small buffers that stay in the L1 cache.
    // Inactive environments are also stepped and then restored, which keeps branches out of the loop.
    void stepBlock(int begin, int count, const float* actions, const std::uint8_t* active, float* rewards,
                   std::uint8_t* terminated, std::uint8_t* truncated) {
        alignas(64) std::array<double, kBlock> action, reward, done;
        SoaBlock<kVariables> block{.count = (count + 7) / 8 * 8,
                                   .action = action.data(),
                                   .reward = reward.data(),
                                   .terminated = done.data()};
        for (int k = 0; k < kVariables; ++k) block.state[k] = at(k, begin);
        std::copy_n(actions + begin, count, action.begin());
        std::fill(action.begin() + count, action.begin() + block.count, 0.0);

        // Inactive environments, and what a step must not change of them.
        struct Kept {
            int env;
            std::array<double, kVariables> state;
            float reward;
            std::uint8_t terminated, truncated;
        };
        std::array<Kept, kBlock> kept;
        int kept_count = 0;
        for (const std::uint8_t *at = active + begin, *const end = at + count;
             (at = static_cast<const std::uint8_t*>(std::memchr(at, 0, end - at))) != nullptr; ++at) {
            const int env = static_cast<int>(at - active);
            kept[kept_count++] = {env, read(env), rewards[env], terminated[env], truncated[env]};
            action[env - begin] = 0;  // inactive environments have no action
        }
        model_.step(block);
        for (int i = 0; i < count; ++i) rewards[begin + i] = static_cast<float>(reward[i]);
        for (int i = 0; i < count; ++i) terminated[begin + i] = done[i] != 0;
        std::memset(truncated + begin, 0, static_cast<std::size_t>(count));
        for (int k = 0; k < kept_count; ++k) {
            const Kept& values = kept[k];
            for (int variable = 0; variable < kVariables; ++variable)
                *at(variable, values.env) = values.state[variable];
            rewards[values.env] = values.reward;
            terminated[values.env] = values.terminated;
            truncated[values.env] = values.truncated;
        }
    }

    Model model_;
    EnvSpec spec_;
    int count_, stride_;
    std::vector<double> values_;  // [kVariables, stride_]
};

}  // namespace seedbed
