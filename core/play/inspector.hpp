// SPDX-License-Identifier: Apache-2.0
// Computes what a network receives and computes for one column of a player's current row, with the saliency
// of its inputs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/control/frame_stream.hpp"
#include "core/control/inspection.hpp"
#include "core/nn/distribution.hpp"
#include "core/nn/engine.hpp"
#include "core/play/player_history.hpp"
#include "core/rollout/reward_view.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed {

// A plan with the same operations and parameters that reads every observation as the numbers that its input
// operations would produce. Engines then compute gradients of images and discrete values, too.
NetPlan planOnNumbers(const NetPlan& plan);
// The numbers that an input operation produces from the bytes of a leaf, all frames of its stack.
std::vector<float> networkNumbers(const ObsLeaf& leaf, const std::uint8_t* bytes);

// Has its own context, so that the player's decisions do not depend on it. Thread: one at a time.
class Inspector {
public:
    // error: config or device, if no engine runs the plan on numbers.
    static Result<std::unique_ptr<Inspector>> create(const NetPlan& plan, ActionDistribution distribution,
                                                     RewardView reward);
    // Reads the head row, whose actions must have been chosen. `state`: the recurrent state of the network
    // before the row, [columns, state words]; null: the ring's. error: from the engine.
    Result<Inspection> look(const Params& params, Ring& ring, int column, const float* state = nullptr);

private:
    Inspector(std::unique_ptr<EngineNet> net, ActionDistribution distribution, RewardView reward);
    void readInputs(Ring& ring, int column, const float* state);
    void readOutputs(const float* heads, const std::uint8_t* mask, Inspection& to) const;
    Result<> addSaliency(const std::vector<float>& head_gradients, bool of_value, const Params& params,
                         Inspection& to);
    std::vector<float> actionGradient(const Inspection& from) const;
    void addLeaves(const Params& params, const Spaces& spaces, Inspection& to) const;
    void addRow(Ring& ring, int column, Inspection& to) const;

    std::unique_ptr<EngineNet> net_;
    std::unique_ptr<NetContext> context_;
    ActionDistribution distribution_;
    RewardView reward_;
    std::vector<std::vector<float>> numbers_;  // per leaf
    std::vector<float> state_, previous_action_, previous_reward_;
    std::uint8_t first_ = 0;
};

// Per action leaf: probabilities of its choices, or means and then standard deviations of its dimensions, in
// units of the action; as in PlayerRecord::shown. `mask` may be null.
std::vector<float> shownOf(const ActionDistribution& distribution, const float* policy,
                           const std::uint8_t* mask);

// Inspections of the rows of a player session, published for viewers.
// Computes nothing unless a viewer follows. Thread: the player's; the stream's as in FrameStream.
class RowInspections {
public:
    FrameStream& stream() { return stream_; }
    bool wanted() const { return stream_.wanted(); }
    std::uint64_t count() const { return count_; }  // rows so far

    // A cell and agent, and the generation of the rows.
    struct Subject {
        int cell = 0, agent = 0;
        std::uint32_t generation = 0;
    };
    // The inspection of the current row; `params` are those that the stage plays with.
    std::vector<std::byte> inspect(Stage& stage, const Params& params, const Subject& subject) {
        return inspect(stage.playerOf(subject.cell), stage.columnOf(subject.cell, subject.agent), params,
                       subject);
    }
    // Publishes the inspection of the row shown, and computes it unless it is stored. An earlier row needs
    // its state and its weights.
    Result<> show(Stage& stage, const Params& params, PlayerHistory& history, const Subject& subject);

private:
    // Of one player's network.
    struct Network {
        std::unique_ptr<Inspector> inspector;  // created with the first inspection
        std::string problem;                   // why it could not be created
    };
    static void prepare(const SeatPlayer& player, Network& network);
    std::vector<std::byte> inspect(Player& game, int column, const Params& params, const Subject& subject);

    FrameStream stream_{kInspectionSegment};
    Network networks_[2];  // of the player and of its rival
    std::uint64_t count_ = 0;
};

}  // namespace seedbed
