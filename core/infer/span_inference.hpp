// SPDX-License-Identifier: Apache-2.0
// Inline inference: chooses the actions of one actor group by running the acting network on the head row of its ring, on the actor's own
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/rng.hpp"
#include "core/nn/distribution.hpp"
#include "core/nn/engine.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {

struct SpanInferenceOptions {
    std::uint64_t seed = 0;
    RngPurpose purpose = RngPurpose::action;
    std::uint32_t first_lane = 0;  // column n draws from lane first_lane + n
    Selection selection = Selection::sample;
};

// Thread: one at a time (the actor's). Without stacks the network reads the ring's row in place; results depend on (seed, lane, row) only.
class SpanInference {
public:
    // `net` has a head named policy, and may have one named value.
    SpanInference(EngineNet& net, ActionDistribution distribution, Ring& ring, SpanInferenceOptions options);

    // Fills action, log_prob, policy, value, version (and at state rows the recurrent state before the row) of the ring's head row and
    // advances the recurrent state. Rows with valid = 0 get their value too; their action is not applied by anyone. error: from the engine,
    // or not-a-number outputs (names group-local column and head column).
    Result<> act(const Params& params);

    // Recurrent state of all columns.
    void archive(Archive& archive);

private:
    Result<> checkOutputs(std::uint64_t t) const;

    Ring& ring_;
    ActionDistribution distribution_;
    SpanInferenceOptions options_;
    std::unique_ptr<NetContext> context_;
    int head_words_ = 0, policy_begin_ = 0, policy_words_ = 0, value_begin_ = -1;
    bool wants_previous_ = false;
    std::vector<Ring*> rings_;  // this ring only, for the gather functions
    std::vector<RowRef> row_refs_;
    Rows rows_;
    std::vector<std::vector<std::uint8_t>> stacked_;  // per leaf; empty where the ring's row is used in place
    std::vector<float> heads_, state_, next_state_, previous_action_, previous_reward_;
};

}  // namespace seedbed
