// SPDX-License-Identifier: Apache-2.0
// Actions of a row whose columns are played by different parameters of one network, such as past selves.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/infer/span_inference.hpp"

namespace seedbed {

// Runs the network once for each set of parameters, on the columns that it plays. Results of a column do not
// depend on the other columns if the engine computes rows independently. Thread: the actor's.
class PolicyMix {
public:
    // Marks a column whose action the caller writes; no network runs on it.
    static constexpr std::uint16_t kNoNetwork = 0xFFFF;

    // `others`: the largest number of sets of parameters in addition to the learner's. `net` must outlive
    // this object.
    PolicyMix(EngineNet& net, int columns, int others);

    // Bytes of the buffers, excluding the engine's.
    static std::size_t bytes(const NetPlan& plan, std::size_t columns);

    // Like SpanInference::act(). policies[n] is the player of column n: 0 is acting.params, p > 0 is
    // others[p - 1]. All columns act by acting.rule and get the version of acting.params. error: from the
    // engine; kNonFinite.
    Result<> act(SpanInference& span, const Acting& acting, std::span<const Params* const> others,
                 std::span<const std::uint16_t> policies, ThreadTimes& times);

private:
    void gather(const Rows& all);
    Result<> run(std::size_t policy, const Params& params);
    void scatter();

    EngineNet& net_;
    std::vector<std::unique_ptr<NetContext>> contexts_;  // per set of parameters; each packs its weights once
    std::vector<std::size_t> leaf_bytes_;                // per leaf, with its frame stack
    std::size_t head_words_ = 0, state_words_ = 0, action_words_ = 0;
    std::vector<std::size_t> columns_;  // those of the current set of parameters
    // Inputs and outputs of these columns, and outputs of all columns.
    std::vector<std::vector<std::uint8_t>> obs_;
    std::vector<std::uint8_t> first_;
    std::vector<float> state_, previous_action_, previous_reward_, heads_, next_state_;
    std::vector<float> all_heads_, all_state_;
    Rows rows_;
};

}  // namespace seedbed
