// SPDX-License-Identifier: Apache-2.0
// What a trained agent is outside a run: network, parameters, spaces, provenance. Checkpoints and exported
// folders hold one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/nn/net_spec.hpp"
#include "core/nn/params.hpp"
#include "core/rollout/reward_view.hpp"

namespace seedbed {

// One network by name. The first one of a checkpoint acts.
struct NamedNetwork {
    std::string name;  // [a-z0-9_]+: policy, target, critic
    NetSpec spec;
    Params params;
};

// Where a policy comes from; written into policy.json, nothing depends on it but what is shown to people.
struct Provenance {
    std::string env;
    Json env_params = Json::object();
    std::string algo;
    Json config = Json::object();
    std::string run;  // unique id of the run, or its number
    std::int64_t steps = 0;
    std::int64_t updates = 0;
    std::string build;  // version and commit
    Json evaluation;    // null, or the evaluation of these parameters

    bool operator==(const Provenance&) const = default;
};

struct PolicyBundle {
    NamedNetwork network;  // the one that acts; its spec holds the spaces
    bool squash = false;   // box actions are tanh-squashed (ActionDistribution)
    RewardView
        reward{};  // what it saw of rewards in training; whoever shows it previous rewards shows them so
    Provenance provenance;

    const Spaces& spaces() const { return network.spec.spaces; }
};

// A bundle as a folder: policy.json, params.safetensors, manifest.json. The folder must not exist; it appears
// complete or not at all.
Result<> savePolicy(FileSystem& files, const Path& folder, const PolicyBundle& bundle);
// Of an exported folder or a checkpoint. Sizes and SHA-256 are checked before a value is used. error: names
// file and reason.
Result<PolicyBundle> loadPolicy(FileSystem& files, const Path& folder);

}  // namespace seedbed
