// SPDX-License-Identifier: Apache-2.0
#include "app/match_players.hpp"

#include <cstdio>
#include <utility>

#include "app/run_names.hpp"
#include "core/checkpoint/checkpoint.hpp"
#include "core/env/scripted_player.hpp"
#include "core/session/engine_choice.hpp"

namespace seedbed::app {

Result<Side> openSide(const std::string& name, const Context& context) {
    if (namesScriptedPlayer(name)) return Side{name, std::nullopt};
    RealFileSystem files;
    auto loaded = loadPolicy(files, context.data_folder, name, runResolver(context));
    if (!loaded)
        return tl::unexpected<Error>(std::move(loaded).error().withContext(
            "opening player '" + name + "' (scripted players: " + scriptedPlayerForms() + ")"));
    for (const std::string& notice : loaded->notices)
        if (!context.quiet) std::fprintf(stderr, "%s\n", notice.c_str());
    return Side{name, std::move(loaded->bundle)};
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
    if (name.empty()) return fail(ErrorCode::usage, "two scripted players: name the environment with --env");
    SEEDBED_ASSIGN(const EnvEntry* entry, findEnv(name));
    SEEDBED_ASSIGN(Json params, entry->params->complete(Json::object(), "env"));
    SEEDBED_ASSIGN(EnvSpec spec, entry->spec(params));
    return BundleEnv{.entry = entry, .params = std::move(params), .spec = std::move(spec)};
}

Result<SeatPlayer> playerOf(const Side& side, const BundleEnv& env, const PlayerOptions& options) {
    SeatPlayer player;
    if (!side.bundle) {
        SEEDBED_ASSIGN([[maybe_unused]] const auto fits, makeScriptedPlayer(side.name, *env.entry, env.spec));
        player.scripted = side.name;
        return player;
    }
    const PolicyBundle& bundle = *side.bundle;
    if (withoutLabels(env.spec.spaces) != withoutLabels(bundle.spaces()))
        return fail(ErrorCode::config, "'" + side.name + "' was trained in '" + bundle.provenance.env +
                                           "', whose observations or actions differ from those of '" +
                                           env.entry->id + "'");
    SEEDBED_ASSIGN(const NetPlan plan, buildPlan(bundle.network.spec));
    SEEDBED_ASSIGN(const EngineChoice engine, chooseEngine(options.engine, options.device));
    SEEDBED_ASSIGN(player.net, compileNet(engine.id, plan, engineOptions(options.device)));
    player.params = bundle.network.params;
    player.distribution = ActionDistribution(bundle.spaces(), bundle.squash);
    player.selection = options.selection;
    player.reward = bundle.reward;
    return player;
}

}  // namespace seedbed::app
