// SPDX-License-Identifier: Apache-2.0
// The actions of one actor group: prepares the network's inputs from the head row of the group's ring and
// writes its outputs back into that row. Inline inference runs the network on the actor's thread; central
// inference runs it on rows of several groups.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/rng.hpp"
#include "core/nn/distribution.hpp"
#include "core/nn/engine.hpp"
#include "core/rollout/gather.hpp"
#include "core/rollout/reward_view.hpp"
#include "core/rollout/ring.hpp"
#include "core/rollout/thread_times.hpp"

namespace seedbed {

struct Opponents;

// The parameters and the rule that actors use, as one value, so that behaviour does not depend on timing.
struct Acting {
    Params params;
    ActingRule rule{};
    std::shared_ptr<const Opponents> opponents{};  // with self-play; else null
    std::uint64_t publication = 0;  // number of the publication of `params`; lag is counted in these
};

struct SpanInferenceOptions {
    std::uint64_t seed = 0;
    RngPurpose purpose = RngPurpose::action;
    std::uint32_t first_lane = 0;  // column n uses the random stream of lane first_lane + n
    Selection selection = Selection::sample;
    RewardView reward{};       // applied to the ring's rewards if they are raw
    bool stores_state = true;  // this network computes the ring's states
};

// Chooses the actions of one ring's columns. Without frame stacks the network reads the ring's row in place.
// Results depend on (seed, lane, row) only. Thread: one at a time (the actor's).
class SpanInference {
public:
    // `net` has an acting head and may have a head "value". With a head of kind q, the choice with the
    // highest value is selected unless the rule explores.
    SpanInference(EngineNet& net, ActionDistribution distribution, Ring& ring, SpanInferenceOptions options);

    // The size in bytes of the buffers for `columns` columns, excluding the engine's buffers.
    static std::size_t bytes(const NetPlan& plan, std::size_t columns);

    // Writes action, log_prob, policy, value and version of the ring's head row (at rows that store states,
    // also the recurrent state before the row), and advances the recurrent state. Rows with valid = 0 also
    // get a value. With ActingRule::members, `policy` contains the values of the episode's member. error:
    // from the engine; kNonFinite for outputs (names column and head column).
    Result<> act(const Params& params, ThreadTimes& times, const ActingRule& rule = {});

    // The parts of act(), for callers that run the network themselves. inputs() returns the inputs of the
    // head row, in place if possible: valid until the ring advances.
    const Rows& inputs();
    // Copies the inputs to rows [begin, begin + columns()) of a panel for several groups; one copy per
    // observation.
    struct Panel {
        std::vector<std::vector<std::uint8_t>> obs;  // per leaf: [B, stack * leaf bytes]
        std::vector<std::uint8_t> first;             // [B]
        std::vector<float> state;                    // [B, state_words]
        std::vector<float> previous_action;          // [B, A] if the network uses it
        std::vector<float> previous_reward;          // [B]
    };
    void inputsInto(Panel& panel, std::size_t begin);
    // Stores the network's outputs for the head row: heads [columns, head_words], state [columns,
    // state_words]. error: kNonFinite, as for act().
    Result<> outputs(const float* heads, const float* state, std::uint64_t version,
                     const ActingRule& rule = {});
    // Applies to subsequent rows.
    void select(Selection selection) { options_.selection = selection; }
    // The recurrent state after the latest row whose actions were chosen, [columns, state words].
    const std::vector<float>& state() const { return state_; }
    // Whether the actions of the head row have been chosen.
    bool acted() const { return acted_rows_ == ring_.head() + 1; }
    // The caller has written the actions of the head row and everything that outputs() writes.
    void markActed() { acted_rows_ = ring_.head() + 1; }
    int columns() const { return ring_.columns(); }

    // Saves or loads the recurrent state and acted().
    void archive(Archive& archive);

private:
    Result<> checkOutputs(const float* heads, std::uint64_t t) const;
    // Updates the references to the head row's elements and stores the recurrent state in the ring where
    // needed. Returns the head row.
    std::uint64_t beginRow();
    void showRewards(float* rewards, std::size_t count) const;
    void choose(std::uint64_t t, const ActingRule& rule);
    // The member of an ensemble that the current episode of a column follows.
    int memberOf(int column, std::uint64_t t, int members) const;

    Ring& ring_;
    ActionDistribution distribution_;
    SpanInferenceOptions options_;
    std::unique_ptr<NetContext> context_;
    int head_words_ = 0, policy_begin_ = 0, policy_words_ = 0, value_begin_ = -1;
    int parts_begin_ = -1, parts_words_ = 0;  // columns of an ensemble's values; -1: none
    bool wants_previous_ = false, wants_refs_ = false, is_q_ = false;
    ActingRule rule_;             // the rule from which epsilon_ was computed
    std::vector<float> epsilon_;  // per column
    std::vector<Ring*> rings_;    // this ring only, for the gather functions
    std::vector<RowRef> row_refs_;
    Rows rows_;
    std::vector<std::vector<std::uint8_t>> stacked_;  // per leaf; empty if the ring's row is used in place
    std::vector<float> heads_, state_, next_state_, previous_action_, previous_reward_;
    std::uint64_t acted_rows_ = 0;  // the actions of all rows below this one have been chosen
};

}  // namespace seedbed
