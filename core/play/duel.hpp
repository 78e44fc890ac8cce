// SPDX-License-Identifier: Apache-2.0
// Duels: two players play the same episode, each in its own environment, until their actions first differ.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

#include "core/play/match.hpp"

namespace seedbed {

struct DuelRequest {
    const EnvEntry* env = nullptr;
    Json env_params;
    EnvSpec env_spec;
    SeatPlayer a, b;  // each plays all seats of its environment
    std::uint64_t seed = 1;
    double tolerance = 0;   // continuous actions differ if a number differs by more than this
    std::int64_t rows = 0;  // most rows; 0: until the first episode has ended
    bool plays_on = true;   // after the difference, until the end of both episodes
    std::int64_t max_steps = EvaluationLimits{}.episode_decisions;
};

// One player's decision, and its episode.
struct DuelSide {
    std::vector<float> action;
    std::vector<float> shown;  // as in PlayerRecord; empty for scripted players
    double value = 0;          // NaN: unknown
    double episode_return = 0;
    std::int64_t length = 0;  // decisions
    bool has_ended = false, terminated = false;
};

struct DuelResult {
    bool differs = false;
    std::int64_t step = 0;  // decisions before the difference, or in the whole episode
    int agent = 0;          // the seat whose actions differ
    DuelSide a, b;
};

// Blocks. error: config, if a scripted player does not fit; interrupted; from environment or engine.
Result<DuelResult> playDuel(const DuelRequest& request, const std::stop_token& stop);

}  // namespace seedbed
