// SPDX-License-Identifier: Apache-2.0
// A policy as an ONNX graph: the network with its normaliser, masks, and the computation of actions from the
// distribution, with the names of a profile.
#pragma once

#include <string>
#include <vector>

#include "core/export/onnx/model.hpp"
#include "core/export/policy_model.hpp"

namespace seedbed::onnx {

// Names and shapes of inputs and outputs; core/export/README.md lists them.
//   plain   the observation's own names
//   unity   ML-Agents, model version 3: obs_0, action_masks, recurrent_in; continuous_actions, ...
//   godot   Godot RL Agents: obs, state_ins; output, state_outs
enum class Profile : unsigned char { plain, unity, godot };

// error: config, with the known names.
Result<Profile> profileFromName(const std::string& name);

// The part of PolicyModel's interface that an input represents. Values are multiplied by `scale` first
// (Unity's images are 0 to 1).
struct InputBinding {
    enum class Field : unsigned char { obs, all_obs, mask, previous_action, previous_reward, state, ignored };
    std::string name;
    Field field = Field::obs;
    int leaf = 0;  // obs
    float scale = 1;
    std::vector<std::int64_t> dims;  // without the batch
};

// An output that a profile adds; it duplicates part of the plain outputs.
struct OutputBinding {
    enum class Field : unsigned char {
        choices,  // greedy choices of discrete leaves
        boxes,    // greedy words of box leaves
        leaves,   // leaf by leaf: logits of a choice, greedy words of a box
    };
    std::string name;
    Field field = Field::choices;
    int words = 0;
};

// Outputs that have the same names in every profile: "logits" (discrete leaves), "mean" and "log_std" (box
// leaves), "action", "value", "previous_action_out"; the profile defines the name of the state.
struct PolicyGraph {
    Model model;
    std::vector<InputBinding> inputs;
    std::vector<OutputBinding> profile_outputs;
    std::string state_out;  // "" if the network is not recurrent
    bool has_value = false;
};

// If `with_value` is false, the value estimate and its operations are omitted. error: config; names the part
// of the policy that the profile cannot represent.
Result<PolicyGraph> buildPolicyGraph(const PolicyModel& policy, Profile profile, bool with_value);

}  // namespace seedbed::onnx
