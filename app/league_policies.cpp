// SPDX-License-Identifier: Apache-2.0
#include "app/league_policies.hpp"

#include "core/export/policy_model.hpp"
#include "core/policy/bundle.hpp"
#include "core/store/league/league_store.hpp"

namespace seedbed::app {
namespace {

// Names of the folders in `folder`, without temporary ones. Links are included, so that they are reported.
Result<std::vector<std::string>> foldersIn(FileSystem& files, const Path& folder) {
    std::vector<std::string> names;
    SEEDBED_ASSIGN(const auto info, files.info(folder));
    if (!info || info->is_link || info->kind != FileInfo::Kind::folder) return names;
    SEEDBED_ASSIGN(const auto entries, files.list(folder));
    for (const FileInfo& entry : entries)
        if ((entry.kind == FileInfo::Kind::folder || entry.is_link) && !entry.name.starts_with('.'))
            names.push_back(entry.name);
    return names;
}

// `policy` is relative to the data folder and has three parts; each of them and each file could be a link.
Result<> refuseLinks(FileSystem& files, const Path& data_folder, const Path& policy) {
    Path folder = data_folder;
    for (const Path& part : policy) {
        folder /= part;
        SEEDBED_ASSIGN(const auto info, files.info(folder));
        if (!info) return fail("'" + folder.string() + "' does not exist");
        if (info->is_link) return fail("'" + folder.string() + "' is a link, which is not followed");
    }
    SEEDBED_ASSIGN(const auto entries, files.list(folder));
    for (const FileInfo& entry : entries)
        if (entry.is_link)
            return fail("'" + (folder / entry.name).string() + "' is a link, which is not followed");
    return {};
}

// `params_sha256` may be the first digits only.
Result<> copyMemberPolicy(FileSystem& files, const Path& from, const Path& to,
                          const std::string& params_sha256) {
    SEEDBED_ASSIGN(const PolicyBundle bundle, loadPolicy(files, from));
    if (!bundle.network.params.sha256().starts_with(params_sha256))
        return fail("'" + from.string() + "' is not the policy of this member");
    // Checks that the policy can act before it is stored.
    SEEDBED_ASSIGN([[maybe_unused]] const PolicyModel model, makePolicyModel(bundle));
    SEEDBED_TRY(makeFolders(files, to.parent_path()));
    return savePolicy(files, to, bundle);
}

tl::unexpected<Error> policiesInterrupted() {
    return fail(ErrorCode::interrupted, "interrupted while policies of leagues were copied");
}

}  // namespace

Result<> exportLeaguePolicies(FileSystem& files, const Path& from, const Path& to,
                              const std::stop_token& stop, std::vector<std::string>& not_copied) {
    const auto leagues = foldersIn(files, from / kLeaguesFolder);
    if (!leagues) {
        not_copied.push_back("policies of leagues: " + leagues.error().text());
        return {};
    }
    for (const std::string& league : *leagues) {
        const auto policies = foldersIn(files, from / kLeaguesFolder / league);
        if (!policies)
            not_copied.push_back("policies of league '" + league + "': " + policies.error().text());
        for (const std::string& name : policies.value_or(std::vector<std::string>())) {
            if (stop.stop_requested()) return policiesInterrupted();
            const Path policy = Path(kLeaguesFolder) / league / name;
            Result<> copied = refuseLinks(files, from, policy);
            if (copied) copied = copyMemberPolicy(files, from / policy, to / policy, name);
            if (!copied)
                not_copied.push_back("a policy of league '" + league + "': " + copied.error().text());
        }
    }
    return {};
}

Result<> importLeaguePolicies(FileSystem& files, const Path& from, const Path& to,
                              const std::vector<ImportedLeague>& leagues, const std::stop_token& stop,
                              std::vector<std::string>& not_copied) {
    for (const ImportedLeague& league : leagues) {
        for (const std::string& sha256 : league.policies) {
            if (stop.stop_requested()) return policiesInterrupted();
            const Path source = leaguePolicyFolder(league.source_name, sha256);
            const Path target = to / leaguePolicyFolder(league.name, sha256);
            SEEDBED_ASSIGN(const auto existing, files.info(target));
            if (existing) continue;
            Result<> copied = refuseLinks(files, from, source);
            if (copied) copied = copyMemberPolicy(files, from / source, target, sha256);
            if (!copied)
                not_copied.push_back("a policy of league '" + league.name + "': " + copied.error().text());
        }
    }
    return {};
}

}  // namespace seedbed::app
