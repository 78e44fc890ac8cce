// SPDX-License-Identifier: Apache-2.0
// Networks and their parameters inside a checkpoint or exported folder: policy.json and params.safetensors.
// Inner part of core/policy.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/policy/bundle.hpp"
#include "core/policy/manifest.hpp"

namespace seedbed {

inline constexpr const char* kPolicyName = "policy.json";
inline constexpr const char* kParamsName = "params.safetensors";
inline constexpr int kPolicyVersion = 1;
// The same two files in exported folders, under the names that other tools look for.
inline constexpr const char* kExportedPolicyName = "config.json";
inline constexpr const char* kExportedParamsName = "model.safetensors";

struct NetworkFiles {
    std::string policy = kPolicyName;
    std::string params = kParamsName;
};

struct StoredNetworks {
    std::vector<NamedNetwork> networks;  // the first one acts
    bool squash = false;
    RewardView reward{};
    Provenance provenance;

    // The acting network as a bundle; the others are dropped. error: config, when it cannot act.
    Result<PolicyBundle> acting() &&;
};

// Adds both files. error: a name twice or not allowed, or parameters that do not fit their network.
Result<> addNetworks(FolderWriter& folder, std::span<const NamedNetwork> networks, bool squash,
                     const RewardView& reward, const Provenance& provenance, const NetworkFiles& names = {});
// Under the names of checkpoints or, where those are missing, of exported folders. Checks hashes, names,
// shapes and that all numbers are finite. `acting_only`: the others are checked but not kept.
Result<StoredNetworks> readNetworks(FileSystem& files, const Path& folder, const Manifest& manifest,
                                    bool acting_only);
// The same under given names; for import.
Result<StoredNetworks> readNetworks(FileSystem& files, const Path& folder, const Manifest& manifest,
                                    bool acting_only, const NetworkFiles& names);

}  // namespace seedbed
