// SPDX-License-Identifier: Apache-2.0
#include "app/match_players.hpp"

#include <cstdio>
#include <utility>

#include "app/league_members.hpp"
#include "app/run_names.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/env/scripted_player.hpp"
#include "core/policy/without_critic_inputs.hpp"
#include "core/session/engine_choice.hpp"

namespace seedbed::app {

std::string playerForms() {
    return "RUN, RUN:best, RUN:STEP, league:LEAGUE/MEMBER, an imported policy, a folder, or a scripted "
           "player (" +
           scriptedPlayerForms() + ")";
}

void addPlayerOptions(CLI::App& cli, std::string& player, RivalOptions& options) {
    cli.add_option("PLAYER", player, playerForms())->required()->check(notEmpty());
    auto* against = cli.add_option("--against", options.against,
                                   "Player of the other seats, named like PLAYER (default: PLAYER)")
                        ->type_name("PLAYER")
                        ->check(notEmpty());
    cli.add_option("--seat", options.seat, "Seat of PLAYER; needs --against")
        ->needs(against)
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    cli.add_option("--env", options.env, "Environment (default: that of the policies)")->check(notEmpty());
    cli.add_option("--env-of", options.env_of,
                   "Play in the environment of this player, with its settings, as 'seedbed duel' does")
        ->type_name("PLAYER")
        ->check(notEmpty());
}

Result<Side> openSide(const std::string& name, const Context& context) {
    if (namesScriptedPlayer(name)) return Side{name, std::nullopt};
    if (namesLeagueMember(name)) return openLeagueMember(name, context);
    RealFileSystem files;
    auto loaded = loadPolicy(files, context.data_folder, name, runResolver(context));
    if (!loaded)
        return tl::unexpected<Error>(std::move(loaded).error().withContext(
            "opening player '" + name + "' (scripted players: " + scriptedPlayerForms() + ")"));
    for (const std::string& notice : loaded->notices)
        if (!context.quiet) std::fprintf(stderr, "%s\n", notice.c_str());
    SEEDBED_ASSIGN(PolicyBundle bundle, withoutCriticInputs(std::move(loaded->bundle)));
    return Side{name, std::move(bundle)};
}

Result<BundleEnv> chooseEnv(const std::string& name, const Side& a, const Side& b) {
    std::string id = name;
    if (!name.empty()) {
        SEEDBED_ASSIGN(const EnvEntry* named, findEnv(name));
        id = named->id;
    }
    const Side* owner = nullptr;
    for (const Side* side : {&a, &b}) {
        if (!side->bundle) continue;
        const std::string& trained = side->bundle->provenance.env;
        if (name.empty() && owner != nullptr && owner->bundle->provenance.env != trained)
            return fail(ErrorCode::config, "'" + a.name + "' was trained in '" +
                                               owner->bundle->provenance.env + "' and '" + b.name + "' in '" +
                                               trained + "'; name the environment with --env");
        if (owner == nullptr && (name.empty() || trained == id)) owner = side;
    }
    if (owner != nullptr) {
        auto env = environmentOf(*owner->bundle);
        if (env) return env;
        return tl::unexpected<Error>(std::move(env).error().withContext("playing '" + owner->name + "'"));
    }
    const std::string wanted = !name.empty() ? name : !a.env.empty() ? a.env : b.env;
    if (wanted.empty())
        return fail(ErrorCode::usage,
                    "no policy determines the environment; name the environment with --env");
    SEEDBED_ASSIGN(const EnvEntry* entry, findEnv(wanted));
    SEEDBED_ASSIGN(Json params, entry->params->complete(Json::object(), "env"));
    SEEDBED_ASSIGN(EnvSpec spec, entry->spec(params));
    return BundleEnv{.entry = entry, .params = std::move(params), .spec = std::move(spec)};
}

Result<> checkFits(const Side& side, const BundleEnv& env) {
    if (!side.bundle) {
        SEEDBED_ASSIGN([[maybe_unused]] const auto fits, makeScriptedPlayer(side.name, *env.entry, env.spec));
        return {};
    }
    const SeatPolicies& policies = side.bundle->policies;
    if (policies.isUsed() && policies.of_seat.size() != static_cast<std::size_t>(env.spec.agents))
        return fail(ErrorCode::config, "the policies of '" + side.name + "' play " +
                                           std::to_string(policies.of_seat.size()) + " seats; '" +
                                           env.entry->id + "' has " + std::to_string(env.spec.agents));
    if (withoutLabels(env.spec.spaces) == withoutLabels(side.bundle->spaces())) return {};
    return fail(ErrorCode::config, "'" + side.name + "' was trained in '" + side.bundle->provenance.env +
                                       "', whose observations or actions differ from those of '" +
                                       env.entry->id + "'");
}

Result<SeatPlayer> playerOf(const Side& side, const BundleEnv& env, const PlayerOptions& options) {
    SEEDBED_TRY(checkFits(side, env));
    SeatPlayer player;
    if (!side.bundle) {
        player.scripted = side.name;
        return player;
    }
    const PolicyBundle& bundle = *side.bundle;
    SEEDBED_ASSIGN(const NetPlan plan, buildPlan(bundle.network.spec));
    SEEDBED_ASSIGN(const EngineChoice engine, chooseEngine(options.engine, options.device));
    SEEDBED_ASSIGN(player.net, compileNet(engine.id, plan, engineOptions(options.device)));
    player.params = bundle.network.params;
    player.policies = {bundle.policies.of_seat, bundle.others};
    player.distribution = ActionDistribution(bundle.spaces(), bundle.squash);
    player.selection = options.selection;
    player.reward = bundle.reward;
    return player;
}

}  // namespace seedbed::app
