// SPDX-License-Identifier: Apache-2.0
// Common parts of the two card memory tasks (RepeatPrevious, RepeatFirst): a shuffled pile dealt one card at
// a time; its suit is observed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/env/env.hpp"

namespace seedbed {

// A subclass defines the task: queriedCard() returns the index of the card whose suit is the correct answer
// after `seen` cards (-1 for none), and the constructor sets the reward of an answer and how episodes end.
class RepeatCardEnv : public Env {
public:
    void reset(Rng& rng) final {
        // Sorted, then shuffled (Fisher-Yates), so that the previous episode's order has no influence.
        for (std::size_t i = 0; i < suits_.size(); ++i) suits_[i] = static_cast<std::uint8_t>(i % 4);
        for (std::size_t i = suits_.size() - 1; i > 0; --i)
            std::swap(suits_[i], suits_[rng.below(static_cast<std::uint32_t>(i + 1))]);
        seen_ = 1;
        reward_ = 0;
    }
    StepResult step(const float* actions, float* rewards, Rng&) final {
        StepResult result;
        const int asked = queriedCard(seen_);
        if (asked >= 0)
            result.reward = suits_[static_cast<std::size_t>(asked)] == static_cast<std::uint8_t>(actions[0])
                                ? worth_
                                : -worth_;
        const auto cards = static_cast<int>(suits_.size());
        seen_ = std::min(seen_ + 1, cards);
        const bool over = seen_ == cards;
        result.terminated = over && !ends_by_truncation_;
        result.truncated = over && ends_by_truncation_;
        reward_ = rewards[0] = result.reward;
        return result;
    }
    void observe(int, ObsOut out) const final {
        *out.leaf<std::int32_t>(0) = suits_[static_cast<std::size_t>(seen_ - 1)];
    }
    void draw(Scene& scene) const final;
    void archive(Archive& archive) final {
        for (std::uint8_t& suit : suits_) archive.field("suit", suit, range(0, 3));
        archive.field("seen", seen_, range(1, static_cast<int>(suits_.size())));
        archive.field("reward", reward_, kFinite<float>);
    }
    // As in the traces: all suits in dealing order, and the number of steps.
    Json state() const final { return {{"obs", suits_}, {"t", seen_ - 1}}; }
    Result<> setState(const Json& state) final;

protected:
    RepeatCardEnv(int cards, double worth, bool ends_by_truncation)
        : worth_(static_cast<float>(worth)),
          ends_by_truncation_(ends_by_truncation),
          suits_(static_cast<std::size_t>(cards)) {
        for (std::size_t i = 0; i < suits_.size(); ++i) suits_[i] = static_cast<std::uint8_t>(i % 4);
    }
    virtual int queriedCard(int seen) const = 0;

private:
    float worth_;
    bool ends_by_truncation_;
    std::vector<std::uint8_t> suits_;
    int seen_ = 1;      // cards dealt so far, at least one
    float reward_ = 0;  // reward of the last answer, for the picture
};

// Spaces, bounds and the exact score of the random policy, which is right one time in four.
EnvSpec repeatCardSpec();

}  // namespace seedbed
