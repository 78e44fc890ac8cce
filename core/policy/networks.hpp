// SPDX-License-Identifier: Apache-2.0
// Networks and their parameters in a checkpoint or exported folder: policy.json and params.safetensors.
// Internal to the core.
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
inline constexpr int kSeatsVersion = 2;  // of policy.json with the policies of seats
// Names of these files in exported folders, as expected by other tools.
inline constexpr const char* kExportedPolicyName = "config.json";
inline constexpr const char* kExportedParamsName = "model.safetensors";

struct NetworkFiles {
    std::string policy = kPolicyName;
    std::string params = kParamsName;
};

struct StoredNetworks {
    std::vector<NamedNetwork> networks;  // the first one selects actions, of the first policy
    bool squash = false;
    RewardView reward{};
    Provenance provenance;
    SeatPolicies policies{};

    // A bundle with only the acting networks, if the others were not read. error: config if it cannot select
    // actions.
    Result<PolicyBundle> acting() &&;
};

// Adds both files. error: a name is used twice or not allowed, or parameters do not match their network.
Result<> addNetworks(FolderWriter& folder, std::span<const NamedNetwork> networks, bool squash,
                     const RewardView& reward, const Provenance& provenance, const NetworkFiles& names = {},
                     const SeatPolicies& policies = {});
// Reads both files by their names in checkpoints or exported folders. Checks hashes, names, shapes, and that
// all numbers are finite. `acting_only`: other networks are checked but not returned.
Result<StoredNetworks> readNetworks(FileSystem& files, const Path& folder, const Manifest& manifest,
                                    bool acting_only);
// As above, but with the given file names; used for imports.
Result<StoredNetworks> readNetworks(FileSystem& files, const Path& folder, const Manifest& manifest,
                                    bool acting_only, const NetworkFiles& names);

// The contents of both files.
struct EncodedNetwork {
    std::string policy;
    std::vector<std::byte> params;
};
Result<EncodedNetwork> encodeNetwork(const PolicyBundle& bundle, const Provenance& provenance);
// Reads what encodeNetwork() returned, without hashes; for programs that received it with their own code.
Result<StoredNetworks> readNetworks(const std::string& policy, std::span<const std::byte> params);

}  // namespace seedbed
