// SPDX-License-Identifier: Apache-2.0
#include "core/policy/bundle.hpp"

#include <algorithm>
#include <utility>

#include "core/base/text.hpp"
#include "core/policy/networks.hpp"

namespace seedbed {

Result<PolicyBundle> onePolicy(PolicyBundle bundle, const std::string& name) {
    const std::vector<std::string>& names = bundle.policies.names;
    if (names.empty()) {
        if (name.empty()) return bundle;
        return fail(ErrorCode::config, "there is one policy, without a name, and none named '" + name + "'");
    }
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        return fail(ErrorCode::config, (name.empty() ? std::string("this needs one policy")
                                                     : "there is no policy '" + name + "'") +
                                           "; the run has the policies " + join(names, ", ") +
                                           ", and 'seedbed export --policy NAME' exports one of them");
    const auto policy = static_cast<std::size_t>(found - names.begin());
    const std::string prefix = bundle.policies.networkName(0, "");
    if (bundle.network.name.starts_with(prefix)) bundle.network.name.erase(0, prefix.size());
    if (policy > 0) bundle.network.params = bundle.others[policy - 1];
    // The evaluation is that of all policies together.
    bundle.provenance.evaluation = nullptr;
    bundle.policies = {};
    bundle.others.clear();
    return bundle;
}

Result<> savePolicy(FileSystem& files, const Path& folder, const PolicyBundle& bundle) {
    SEEDBED_TRY(onePolicy(bundle));
    SEEDBED_ASSIGN(const auto existing, files.info(folder));
    if (existing) return fail("'" + folder.string() + "' already exists; it was not changed");
    SEEDBED_ASSIGN(FolderWriter writer, FolderWriter::create(files, folder));
    SEEDBED_TRY(
        addNetworks(writer, std::span(&bundle.network, 1), bundle.squash, bundle.reward, bundle.provenance));
    return writer.finish(
        {{"format", "seedbed-policy"}, {"version", kPolicyVersion}, {"build", bundle.provenance.build}});
}

Result<PolicyBundle> loadPolicy(FileSystem& files, const Path& folder) {
    SEEDBED_ASSIGN(const Manifest manifest, readManifest(files, folder));
    SEEDBED_ASSIGN(StoredNetworks stored, readNetworks(files, folder, manifest, true));
    return std::move(stored).acting();
}

}  // namespace seedbed
