// SPDX-License-Identifier: Apache-2.0
#include "app/league_members.hpp"

#include <filesystem>
#include <limits>
#include <utility>

#include "core/base/os/files.hpp"
#include "core/base/text.hpp"

namespace seedbed::app {

Result<BundleEnv> leagueEnv(const LeagueRecord& league) {
    SEEDBED_ASSIGN(const EnvEntry* entry, findEnv(league.env));
    SEEDBED_ASSIGN(Json params, entry->params->complete(league.env_params, "env"));
    SEEDBED_ASSIGN(EnvSpec spec, entry->spec(params));
    return BundleEnv{.entry = entry, .params = std::move(params), .spec = std::move(spec)};
}

Result<Side> openLeagueMember(const std::string& player, const Context& context) {
    SEEDBED_ASSIGN(const NamedMember found, findLeagueMember(context.data_folder, player));
    SEEDBED_ASSIGN(Side side, openMember(found.member, context));
    if (side.bundle) side.name = player;
    side.env = found.league.env;
    return side;
}

RunId trainingLock(const LeagueRecord& league) { return std::numeric_limits<RunId>::min() + league.id; }

std::string memberProblem(const LeagueMember& member, const Context& context) {
    if (member.params_sha256.empty()) return {};
    const std::filesystem::path folder = context.data_folder / member.player;
    std::error_code unreadable;
    if (std::filesystem::exists(folder, unreadable)) return {};
    return "the policy of member '" + member.name + "' was removed: '" + folder.string() + "' does not exist";
}

Result<Side> openMember(const LeagueMember& member, const Context& context) {
    if (member.params_sha256.empty()) return Side{member.player, std::nullopt};
    const std::string problem = memberProblem(member, context);
    if (!problem.empty()) return fail(ErrorCode::config, problem);
    const std::filesystem::path folder = context.data_folder / member.player;
    SEEDBED_ASSIGN(Side side, openSide(folder.string(), context));
    if (side.bundle->network.params.sha256() != member.params_sha256)
        return fail(ErrorCode::config, "the policy of member '" + member.name +
                                           "' has changed: the hash of '" + folder.string() +
                                           "' differs from the recorded one");
    side.name = member.name;
    return side;
}

Result<std::int64_t> addLeagueMember(LeagueStore& store, const LeagueRecord& league, const Side& side,
                                     const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(const BundleEnv env, leagueEnv(league));
    SEEDBED_ASSIGN([[maybe_unused]] const SeatPlayer player, playerOf(side, env, {}));
    LeagueMember member;
    member.name = name;
    member.player = member.origin = side.name;
    if (side.bundle) {
        member.params_sha256 = side.bundle->network.params.sha256();
        const std::filesystem::path relative = leaguePolicyFolder(league.name, member.params_sha256);
        member.player = relative.string();
        RealFileSystem files;
        if (!std::filesystem::exists(context.data_folder / relative)) {
            SEEDBED_TRY(makeFolders(files, context.data_folder / relative.parent_path()));
            SEEDBED_TRY(savePolicy(files, context.data_folder / relative, *side.bundle));
        }
    }
    return store.addMember(league.id, member);
}

}  // namespace seedbed::app
