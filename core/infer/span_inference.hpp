// SPDX-License-Identifier: Apache-2.0
// The actions of one actor group: inputs of the acting network from the head row of its ring, and its outputs
// back into that row. Inline inference runs the network in between on the actor's own thread; central
// inference runs it on the rows of several groups.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/rng.hpp"
#include "core/nn/distribution.hpp"
#include "core/nn/engine.hpp"
#include "core/rollout/reward_view.hpp"
#include "core/rollout/ring.hpp"
#include "core/rollout/thread_times.hpp"

namespace seedbed {

struct SpanInferenceOptions {
    std::uint64_t seed = 0;
    RngPurpose purpose = RngPurpose::action;
    std::uint32_t first_lane = 0;  // column n draws from lane first_lane + n
    Selection selection = Selection::sample;
    RewardView reward{};  // how the network sees the ring's rewards, where those are the environment's own
};

// Thread: one at a time (the actor's). Without stacks the network reads the ring's row in place; results
// depend on (seed, lane, row) only.
class SpanInference {
public:
    // `net` has a head named policy, and may have one named value.
    SpanInference(EngineNet& net, ActionDistribution distribution, Ring& ring, SpanInferenceOptions options);

    // Fills action, log_prob, policy, value, version (and at state rows the recurrent state before the row)
    // of the ring's head row and advances the recurrent state. Rows with valid = 0 get their value too; their
    // action is not applied by anyone. error: from the engine, or not-a-number outputs (names group-local
    // column and head column).
    Result<> act(const Params& params, ThreadTimes& times);

    // The same in parts, for whoever runs the network himself. Inputs of the head row, in place where that is
    // possible: valid until the ring moves on.
    const Rows& inputs();
    // The same as copies, into rows [begin, begin + columns()) of a panel of several groups; one copy per
    // observation.
    struct Panel {
        std::vector<std::vector<std::uint8_t>> obs;  // per leaf: [B, stack * leaf bytes]
        std::vector<std::uint8_t> first;             // [B]
        std::vector<float> state;                    // [B, state_words]
        std::vector<float> previous_action;          // [B, A] where the network wants it
        std::vector<float> previous_reward;          // [B]
    };
    void inputsInto(Panel& panel, std::size_t begin);
    // What the network gave for the head row: heads [columns, head_words], state [columns, state_words].
    // error: not-a-number, as act().
    Result<> outputs(const float* heads, const float* state, std::uint64_t version);
    // For the rows to come.
    void select(Selection selection) { options_.selection = selection; }
    // Whether the head row has its actions.
    bool acted() const { return acted_rows_ == ring_.head() + 1; }
    int columns() const { return ring_.columns(); }

    // Recurrent state of all columns, and whether the head row has its actions.
    void archive(Archive& archive);

private:
    Result<> checkOutputs(const float* heads, std::uint64_t t) const;
    // References to the head row's elements, the recurrent state saved where the ring keeps it.
    std::uint64_t beginRow();
    void showRewards(float* rewards, std::size_t count) const;

    Ring& ring_;
    ActionDistribution distribution_;
    SpanInferenceOptions options_;
    std::unique_ptr<NetContext> context_;
    int head_words_ = 0, policy_begin_ = 0, policy_words_ = 0, value_begin_ = -1;
    bool wants_previous_ = false, wants_refs_ = false;
    std::vector<Ring*> rings_;  // this ring only, for the gather functions
    std::vector<RowRef> row_refs_;
    Rows rows_;
    std::vector<std::vector<std::uint8_t>> stacked_;  // per leaf; empty where the ring's row is used in place
    std::vector<float> heads_, state_, next_state_, previous_action_, previous_reward_;
    std::uint64_t acted_rows_ = 0;  // rows below have their actions
};

}  // namespace seedbed
