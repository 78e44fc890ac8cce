// SPDX-License-Identifier: Apache-2.0
// A network as data: observation leaves, encoders, core and heads. Algorithms declare networks; engines run
// their plans.
#pragma once

#include <string>
#include <vector>

#include "core/base/describe.hpp"
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/spaces.hpp"

namespace seedbed {

// The encoder of one observation leaf.
struct EncoderSpec {
    std::string leaf;  // ObsLeaf::name
    std::string kind;  // a registered encoder: flat, minatar_conv, nature, impala_shallow, impala_deep
    Json params = Json::object();  // parameters of that encoder
    bool operator==(const EncoderSpec&) const = default;
};

struct CoreSpec {
    std::string kind = "none";  // none | an operation with Operation::core: lstm, gru
    int size = 128;
    bool previous_action = false;  // one-hot or raw action of the previous row as additional input
    bool previous_reward = false;
    bool operator==(const CoreSpec&) const = default;
};

// One output of the network: `width` columns of the head panel.
//   policy: parameters of the action distribution (see distribution.hpp); the action space defines the width
//   value:  one estimate (width >= 1)
//   q:      one value per choice of a single discrete leaf
//   parameter: learned numbers without inputs, initially 0
struct HeadSpec {
    std::string name;
    std::string kind;      // policy | value | q
    int width = 0;         // value and parameter only; for other kinds, the space defines the width
    bool dueling = false;  // q only: Q = V + A - mean A
    // q only: Q is the mean of this many values per choice, such as quantiles or the members of an ensemble,
    // which are available as the head "<name>_parts" [choices, parts].
    int parts = 1;
    // q only: scale of a fixed random network of the same shape that is added to these values; 0: none.
    double prior = 0;
    // value only, width 1: the output has the scale of its targets; its statistics are buffers (popart.hpp)
    bool popart = false;
    bool operator==(const HeadSpec&) const = default;
};

struct NetSpec {
    Spaces spaces;
    std::vector<EncoderSpec> encoders;  // one per leaf, in leaf order
    bool action_input = false;          // the last leaf is an action (see withActionInput)
    std::vector<int> hidden{64, 64};    // fully connected layers after the concatenated encoders
    std::string activation = "tanh";    // tanh | relu | elu
    bool layer_norm = false;            // after each hidden layer, before its activation
    CoreSpec core;
    std::vector<HeadSpec> heads{{"policy", "policy", 0, false}, {"value", "value", 1, false}};
    bool separate_critic = false;  // value heads get separate encoders, hidden layers and core, which also
                                   // read the leaves that are critic_only
    std::string log_std =
        "parameter";  // box actions: parameter (learned, state-independent) | network (state-dependent)
    double initial_log_std = 0;
    bool squash = false;  // box actions: tanh-squashed into their bounds (see distribution.hpp); does not
                          // change the plan
    bool normalise_obs = false;  // the input layer normalises vector leaves, except an action, by running
                                 // mean and variance (buffers of Params)
    double normalise_clip = 10;  // normalised values are clipped to [-clip, clip]
    double hidden_gain = 1.4142135623730951;  // orthogonal initialisation gains
    double policy_gain = 0.01;
    double value_gain = 1.0;
    bool operator==(const NetSpec&) const = default;
};

// The user-facing part of a NetSpec: the configuration section `network`; spaces and heads are not included.
struct NetworkParams {
    std::string encoder = "auto";  // a registered encoder; auto chooses by the kind and size of the leaf
    std::vector<int> hidden{64, 64};
    std::string activation = "tanh";
    bool layer_norm = false;
    std::string core = "none";
    int core_size = 128;
    bool previous_action = false;
    bool previous_reward = false;
    bool separate_critic = true;
    std::string log_std = "parameter";
    double initial_log_std = 0;
    bool scale_actions = true;  // ActionLeaf::scaled, unless squash
    bool squash = false;
    bool normalise_obs = false;

    // The choices of `encoder` and `core` are the registered entries, so this function must not be called
    // before main.
    static const Description<NetworkParams>& describe();
};
// The spaces of a policy with these parameters: those of the environment, and whether its actions are scaled.
Spaces policySpaces(const Spaces& spaces, const NetworkParams& params);
// Spaces whose observations end with the words of an action, as a vector leaf "action": the inputs of
// networks that estimate the values of actions. error: config if an observation has that name.
Result<Spaces> withActionInput(Spaces spaces);
// Uses the named encoder for the leaves that it supports (`auto`: chosen per leaf), and flat for other vector
// and discrete leaves. `encoder_params`: parameters of the named encoder; defaults are used for missing ones.
// error: config (names an encoder that does not support an image leaf or any leaf).
Result<NetSpec> makeNetSpec(const Spaces& spaces, const NetworkParams& params, std::vector<HeadSpec> heads,
                            const Json& encoder_params = Json::object());

Json toJson(const NetSpec& spec);
// The document may be untrusted. error: config.
Result<NetSpec> netSpecFromJson(const Json& json);

}  // namespace seedbed
