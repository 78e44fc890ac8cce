// SPDX-License-Identifier: Apache-2.0
// A trained agent, independent of any run: network, parameters, spaces and provenance. Checkpoints and
// exported folders contain one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/os/files.hpp"
#include "core/nn/net_spec.hpp"
#include "core/nn/params.hpp"
#include "core/rollout/reward_view.hpp"
#include "core/rollout/seat_policies.hpp"

namespace seedbed {

// A network with a name. The first network of a checkpoint selects actions.
struct NamedNetwork {
    std::string name;  // [a-z0-9_]+: policy, target, critic
    NetSpec spec;
    Params params;
};

// The origin of a policy, from policy.json. For information only.
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
    NamedNetwork network;  // selects actions; its spec contains the spaces
    bool squash = false;   // box actions are tanh-squashed (ActionDistribution)
    RewardView reward{};   // scaling of rewards in training; previous rewards must be scaled in the same way
    Provenance provenance{};
    SeatPolicies policies{};       // of a run with several; `network` is that of the first policy
    std::vector<Params> others{};  // parameters of the other policies, which have the same network

    const Spaces& spaces() const { return network.spec.spaces; }
};

// The bundle of one policy. `name`: of a policy of a run with several; "": the only one. error: config, names
// the policies.
Result<PolicyBundle> onePolicy(PolicyBundle bundle, const std::string& name = "");

// Writes a bundle of one policy as a folder with policy.json, params.safetensors and manifest.json. The
// folder must not exist; it is created complete or not at all.
Result<> savePolicy(FileSystem& files, const Path& folder, const PolicyBundle& bundle);
// Loads an exported folder or a checkpoint. Checks sizes and SHA-256 before using any value. error: names the
// file and the reason.
Result<PolicyBundle> loadPolicy(FileSystem& files, const Path& folder);

}  // namespace seedbed
