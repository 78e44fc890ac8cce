// SPDX-License-Identifier: Apache-2.0
// seedbed duel: plays the same episode with two players and shows the first decision in which they differ.
#include <cmath>
#include <cstdio>

#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "app/match_players.hpp"
#include "app/policy_options.hpp"
#include "core/base/text.hpp"
#include "core/play/duel.hpp"
#include "core/play/player_action.hpp"

namespace seedbed::app {
namespace {

struct DuelOptions {
    std::string a, b, env;
    bool greedy = false, sample = false, stops = false;
    std::uint64_t seed = 1;
    double tolerance = 0;
    std::string engine = "auto", device = "cpu";
};

Json sideJson(const DuelSide& side, const std::string& name, const DuelResult& result, const Spaces& spaces) {
    Json json{{"player", name},
              {"return", side.has_ended ? Json(side.episode_return) : Json()},
              {"length", side.length},
              {"end", !side.has_ended ? Json() : Json(side.terminated ? "terminated" : "truncated")}};
    if (!result.differs) return json;
    json["action"] = side.action;
    json["action_text"] = actionText(side.action, spaces);
    json["policy"] = side.shown;
    json["value"] = std::isfinite(side.value) ? Json(side.value) : Json();
    return json;
}

std::string shortReal(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return std::isfinite(value) ? text : "-";
}

// The probability of the action, if there is one discrete choice.
std::string probabilityText(const DuelSide& side, const Spaces& spaces) {
    if (spaces.actions.size() != 1 || spaces.actions[0].kind != ActionLeaf::Kind::discrete ||
        side.shown.empty())
        return "-";
    return shortReal(static_cast<double>(side.shown[static_cast<std::size_t>(side.action[0])]));
}

std::string endText(const std::string& name, const DuelSide& side) {
    if (!side.has_ended) return name + ": not finished after " + countText(side.length, "step");
    return name + ": return " + shortReal(side.episode_return) + " after " + countText(side.length, "step");
}

void printDuel(const DuelOptions& options, const DuelRequest& request, const DuelResult& result) {
    const Spaces& spaces = request.env_spec.spaces;
    if (!result.differs) {
        std::printf("%s, seed %llu: the same actions in all %s\n%s\n", request.env->id.c_str(),
                    static_cast<unsigned long long>(request.seed), countText(result.step, "step").c_str(),
                    endText("both", result.a).c_str());
        return;
    }
    std::printf("%s, seed %llu: the same actions for %s, then%s\n", request.env->id.c_str(),
                static_cast<unsigned long long>(request.seed), countText(result.step, "step").c_str(),
                request.env_spec.agents > 1 ? (" in seat " + std::to_string(result.agent + 1)).c_str() : "");
    std::vector<std::vector<std::string>> rows{{"player", "action", "probability", "value"}};
    const std::pair<std::string, const DuelSide*> sides[] = {{options.a, &result.a}, {options.b, &result.b}};
    for (const auto& [name, side] : sides)
        rows.push_back(
            {name, actionText(side->action, spaces), probabilityText(*side, spaces), shortReal(side->value)});
    printTable(rows);
    if (!request.plays_on) return;
    for (const auto& [name, side] : sides) std::printf("%s\n", endText(name, *side).c_str());
}

Result<int> duel(const DuelOptions& options, const Context& context) {
    SEEDBED_ASSIGN(const Side a, openSide(options.a, context));
    SEEDBED_ASSIGN(const Side b, openSide(options.b, context));
    SEEDBED_ASSIGN(BundleEnv env, chooseEnv(options.env, a, b));
    const PlayerOptions players{.engine = options.engine,
                                .device = options.device,
                                .selection = options.sample ? Selection::sample : Selection::greedy};
    DuelRequest request;
    SEEDBED_ASSIGN(request.a, playerOf(a, env, players));
    SEEDBED_ASSIGN(request.b, playerOf(b, env, players));
    request.env = env.entry;
    request.env_params = std::move(env.params);
    request.env_spec = std::move(env.spec);
    request.seed = options.seed;
    request.tolerance = options.tolerance;
    request.plays_on = !options.stops;
    if (!request.env_spec.repeats && !context.quiet)
        std::fprintf(stderr, "%s\n", doesNotRepeatText(request.env->id).c_str());
    Interrupt interrupt("");
    SEEDBED_ASSIGN(const DuelResult result, playDuel(request, interrupt.token()));
    if (!context.json) {
        printDuel(options, request, result);
        return kOk;
    }
    printJson({{"env", request.env->id},
               {"seed", request.seed},
               {"greedy", !options.sample},
               {"differs", result.differs},
               {"step", result.step},
               {"seat", result.agent},
               {"a", sideJson(result.a, options.a, result, request.env_spec.spaces)},
               {"b", sideJson(result.b, options.b, result, request.env_spec.spaces)}});
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    duel, {.id = "duel",
           .summary = "Show the first decision in which two players differ in the same episode",
           .examples = {"seedbed duel 3 3:best", "seedbed duel 3 2 --seed 7 --json",
                        "seedbed duel 5 tracker --env pong"},
           .define = [](CLI::App& cli) -> Action {
               auto options = std::make_shared<DuelOptions>();
               const std::string help = ": " + playerForms();
               cli.add_option("A", options->a, "First player" + help)->required()->check(notEmpty());
               cli.add_option("B", options->b, "Second player" + help)->required()->check(notEmpty());
               cli.add_option("--env", options->env, "Environment (default: that of the policies)");
               addActionOptions(cli, options->greedy, options->sample, options->seed);
               cli.add_option("--tolerance", options->tolerance,
                              "Continuous actions differ if a number differs by more than this")
                   ->check(CLI::Range(0.0, 1e6))
                   ->capture_default_str();
               cli.add_flag("--stop", options->stops,
                            "Stop at the difference (default: play both episodes to their end)");
               addEngineOption(cli, options->engine);
               addDeviceOption(cli, options->device);
               return [options](const Context& context) { return duel(*options, context); };
           }});

}  // namespace
}  // namespace seedbed::app
