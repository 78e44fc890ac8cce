// SPDX-License-Identifier: Apache-2.0
#include "core/policy/bundle.hpp"

#include "core/policy/networks.hpp"

namespace seedbed {

Result<> savePolicy(FileSystem& files, const Path& folder, const PolicyBundle& bundle) {
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
