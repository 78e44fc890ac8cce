// SPDX-License-Identifier: Apache-2.0
// Plays a batch of a registered environment at random, step by step, and gives tests access to all outputs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/env/env_registry.hpp"

namespace seedbed {

class RandomPlay {
public:
    // Random streams are those of lanes first_lane, first_lane + 1, ... If the environment cannot be created,
    // a check fails.
    RandomPlay(const std::string& id, int count, std::uint64_t seed, int first_lane = 0);

    // Draws legal actions for the next step of every environment.
    void drawActions();
    // Makes one random decision in every environment. Environments whose episode ends or reaches the time
    // limit are reset immediately.
    void step();
    // Writes observations and masks of the current states.
    void observe();
    // Appends all outputs of the last step and observation to `record`.
    void appendTo(std::vector<std::uint8_t>& record) const;
    // The complete state, including random streams and time.
    void archive(Archive& archive);

    const EnvSpec& spec() const { return batch_->spec(); }
    LocalBatch& batch() { return *batch_; }
    int columns() const { return columns_; }
    const std::uint8_t* leaf(std::size_t index) const {
        return reinterpret_cast<const std::uint8_t*>(leaves_[index].data());
    }
    const std::vector<std::uint8_t>& mask() const { return mask_; }
    const std::vector<float>& actions() const { return actions_; }
    const std::vector<float>& rewards() const { return rewards_; }
    const std::vector<std::uint8_t>& terminated() const { return terminated_; }
    const std::vector<int>& lengths() const { return lengths_; }
    Rng* rngs() { return rngs_.data(); }
    int episodesEnded() const { return episodes_ended_; }

private:
    std::unique_ptr<LocalBatch> batch_;
    int columns_ = 0, episodes_ended_ = 0;
    std::vector<Rng> rngs_, action_rngs_;             // per environment: independent of batching
    std::vector<std::vector<std::uint64_t>> leaves_;  // aligned for every dtype
    std::vector<std::uint8_t*> pointers_;
    std::vector<std::uint8_t> mask_, active_, terminated_, truncated_;
    std::vector<float> actions_, rewards_;
    std::vector<int> lengths_;
};

}  // namespace seedbed
