// SPDX-License-Identifier: Apache-2.0
#include "core/run/weights/rivals.hpp"

#include <utility>

#include "core/run/weights/init_weights.hpp"
#include "core/store/league/named_member.hpp"

namespace seedbed {
namespace {

Result<LoadedPolicy> loadRival(FileSystem& files, const Path& data_folder, const std::string& name,
                               const RunResolver& resolve) {
    if (!namesLeagueMember(name)) return loadPolicy(files, data_folder, name, resolve);
    SEEDBED_ASSIGN(const NamedMember found, findLeagueMember(data_folder, name));
    if (found.member.params_sha256.empty())
        return fail(ErrorCode::config, "'" + name + "' is the scripted player '" + found.member.player +
                                           "'; use self_play.scripted for it");
    const Path folder = data_folder / found.member.player;
    SEEDBED_ASSIGN(const auto exists, files.info(folder));
    if (!exists) return fail(ErrorCode::config, "the policy of '" + name + "' was removed");
    SEEDBED_ASSIGN(LoadedPolicy loaded, loadPolicy(files, data_folder, folder.string(), resolve));
    if (loaded.bundle.network.params.sha256() != found.member.params_sha256)
        return fail(ErrorCode::config, "the policy of '" + name + "' has changed since it joined the league");
    return loaded;
}

}  // namespace

Result<Rivals> loadRivals(FileSystem& files, const Path& data_folder, const std::vector<std::string>& names,
                          const NetSpec& net, const RunResolver& resolve) {
    Rivals rivals;
    for (const std::string& name : names) {
        Result<LoadedPolicy> loaded = loadRival(files, data_folder, name, resolve);
        Result<> fits = loaded ? checkInitWeights(*loaded, name, net)
                               : Result<>(tl::unexpected<Error>(std::move(loaded).error()));
        if (!fits)
            return tl::unexpected<Error>(
                std::move(fits).error().withContext("loading '" + name + "' of self_play.rivals"));
        rivals.params.push_back(loaded->bundle.network.params);
        for (std::string& notice : loaded->notices) rivals.notices.push_back(std::move(notice));
    }
    return rivals;
}

}  // namespace seedbed
