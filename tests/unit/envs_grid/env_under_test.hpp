// SPDX-License-Identifier: Apache-2.0
// One registered environment controlled by a test: chosen actions, state as JSON, and observations as
// numbers.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/env/env_registry.hpp"

namespace seedbed {

class EnvUnderTest {
public:
    explicit EnvUnderTest(const std::string& id, const Json& params = Json::object(), std::uint64_t seed = 7)
        : rng_(seed, RngPurpose::test) {
        auto made = envRegistry().find(id)->makeLocal(params, 1);
        SEEDBED_CHECK(made.has_value(), made.error().text());
        batch_ = std::move(*made);
        const auto agents = static_cast<std::size_t>(spec().agents);
        for (const ObsLeaf& leaf : spec().spaces.obs) {
            leaves_.emplace_back((leaf.bytes() * agents + 7) / 8);
            pointers_.push_back(reinterpret_cast<std::uint8_t*>(leaves_.back().data()));
        }
        mask_.resize(agents * static_cast<std::size_t>(spec().spaces.maskBytes()));
        rewards_.resize(agents);
        reset();
    }

    const EnvSpec& spec() const { return batch_->spec(); }
    LocalBatch& batch() { return *batch_; }
    Rng& rng() { return rng_; }
    void reset() {
        batch_->reset(0, rng_);
        observe();
    }
    // Takes one action per agent and word; returns true while the episode continues.
    bool step(const std::vector<float>& actions) {
        SEEDBED_CHECK(actions.size() ==
                      rewards_.size() * static_cast<std::size_t>(spec().spaces.actionWords()));
        const std::uint8_t active = 1;
        const auto stepped =
            batch_->step(actions.data(), &active, &rng_, rewards_.data(), &terminated_, &truncated_);
        SEEDBED_CHECK(stepped.has_value(), stepped.error().text());
        observe();
        return !terminated_ && !truncated_;
    }
    bool step(float action) { return step(std::vector<float>{action}); }

    float reward(int agent = 0) const { return rewards_[static_cast<std::size_t>(agent)]; }
    bool terminated() const { return terminated_ != 0; }
    bool truncated() const { return truncated_ != 0; }
    Json state() const { return batch_->state(0); }
    void setState(const Json& state) {
        const auto set = batch_->setState(0, state);
        ASSERT_TRUE(set.has_value()) << set.error().text();
        observe();
    }

    const std::uint8_t* bytes(int leaf, int agent = 0) const {
        const std::size_t index = static_cast<std::size_t>(leaf);
        return pointers_[index] + static_cast<std::size_t>(agent) * spec().spaces.obs[index].bytes();
    }
    float real(int leaf, int element, int agent = 0) const {
        return reinterpret_cast<const float*>(bytes(leaf, agent))[element];
    }
    int choice(int leaf, int agent = 0) const {
        return *reinterpret_cast<const std::int32_t*>(bytes(leaf, agent));
    }
    // The cell of an image leaf.
    int pixel(int leaf, int channel, int y, int x, int agent = 0) const {
        const std::vector<int>& shape = spec().spaces.obs[static_cast<std::size_t>(leaf)].shape;
        return bytes(leaf, agent)[(channel * shape[1] + y) * shape[2] + x];
    }
    std::vector<std::uint8_t> mask(int agent) const {
        const auto size = static_cast<std::ptrdiff_t>(spec().spaces.maskBytes());
        return {mask_.begin() + agent * size, mask_.begin() + (agent + 1) * size};
    }

private:
    void observe() { batch_->observe(pointers_.data(), mask_.empty() ? nullptr : mask_.data()); }

    Rng rng_;
    std::unique_ptr<LocalBatch> batch_;
    std::vector<std::vector<std::uint64_t>> leaves_;
    std::vector<std::uint8_t*> pointers_;
    std::vector<std::uint8_t> mask_;
    std::vector<float> rewards_;
    std::uint8_t terminated_ = 0, truncated_ = 0;
};

}  // namespace seedbed
