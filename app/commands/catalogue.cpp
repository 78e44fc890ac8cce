// SPDX-License-Identifier: Apache-2.0
// seedbed env list, env show, algos: the environments and algorithms.
#include <cstdio>

#include "app/command.hpp"
#include "core/algo/algorithm.hpp"
#include "core/base/text.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/task_traits.hpp"

namespace seedbed::app {
namespace {

// Four digits, because further ones are smaller than the error of a measured mean.
std::string meanText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

std::string describeLeaf(const ObsLeaf& leaf) {
    std::string shape;
    for (const int extent : leaf.shape) shape += (shape.empty() ? "" : "x") + std::to_string(extent);
    const char* kind = leaf.kind == ObsLeaf::Kind::vector  ? "vector"
                       : leaf.kind == ObsLeaf::Kind::image ? "image"
                                                           : "discrete";
    std::string text = leaf.name + ": " + kind + " " + nameOf(leaf.dtype) + "[" + shape + "]";
    if (leaf.kind == ObsLeaf::Kind::discrete) text += " of " + std::to_string(leaf.cardinality);
    if (leaf.stack > 1) text += ", " + std::to_string(leaf.stack) + " frames stacked";
    if (leaf.critic_only) text += ", for the value estimate only";
    if (!leaf.labels.empty()) text += " (" + join(leaf.labels, ", ") + ")";
    return text;
}

std::string describeLeaf(const ActionLeaf& leaf) {
    std::string text = leaf.name + ": ";
    if (leaf.kind == ActionLeaf::Kind::discrete) {
        text += "one of " + std::to_string(leaf.n);
    } else {
        text += "box";
        for (std::size_t i = 0; i < leaf.low.size(); ++i)
            text += " [" + formatNumber(leaf.low[i]) + ", " + formatNumber(leaf.high[i]) + "]";
    }
    if (!leaf.labels.empty()) text += " (" + join(leaf.labels, ", ") + ")";
    return text;
}

bool statesReward(const EnvSpec& spec) { return spec.reward_low != 0 || spec.reward_high != 0; }

Json toJson(const EnvEntry& entry, const EnvSpec& spec) {
    Json references = Json::array(), arguments = Json::array();
    for (const EnvArgument& argument : spec.arguments)
        arguments.push_back({{"name", argument.name},
                             {"type", argument.type},
                             {"default", argument.default_value},
                             {"choices", argument.choices},
                             {"required", argument.required}});
    for (const ReferenceScore& r : spec.references)
        references.push_back(
            {{"agent", r.agent}, {"score", r.score}, {"steps", r.steps}, {"source", r.source}});
    const TaskTraits traits = taskTraits(entry.id, entry.params->defaults());
    return {{"id", spec.id},
            {"aliases", entry.aliases},
            {"title", spec.title},
            {"sentence", spec.sentence},
            {"upstream", spec.upstream},
            {"difficulty", spec.difficulty},
            {"spaces", seedbed::toJson(spec.spaces)},
            {"agents", spec.agents},
            {"horizon", spec.horizon},
            {"frames_per_step", spec.frames_per_step},
            {"needs_memory", traits.needs_memory},
            {"sparse_reward", traits.sparse_reward},
            {"reward_range", statesReward(spec) ? Json{spec.reward_low, spec.reward_high} : Json()},
            {"solved", spec.solved ? Json(*spec.solved) : Json()},
            {"random_return", spec.random_return ? Json(*spec.random_return) : Json()},
            {"random_return_error", spec.random_return_error},
            {"references", references},
            {"arguments", arguments},
            {"params", entry.params->defaults()}};
}

Result<int> listEnvs(const Context& context) {
    Json json = Json::array();
    std::vector<std::vector<std::string>> rows{
        {"ID", "ALIAS", "DIFFICULTY", "RANDOM", "SOLVED", "DESCRIPTION"}};
    for (const std::string& id : envRegistry().ids()) {
        const EnvEntry& entry = *envRegistry().find(id);
        SEEDBED_ASSIGN(const EnvSpec spec, entry.spec(entry.params->defaults()));
        json.push_back(toJson(entry, spec));
        rows.push_back({id, entry.aliases.empty() ? "" : entry.aliases.front(), spec.difficulty,
                        spec.random_return ? meanText(*spec.random_return) : "-",
                        spec.solved ? formatNumber(*spec.solved) : "-", spec.sentence});
    }
    if (context.json) printJson(json);
    else printTable(rows);
    return kOk;
}

std::string defaultText(const EnvArgument& argument) {
    if (argument.required) return "required";
    return argument.default_value.is_null() ? "none" : printableText(argument.default_value.dump());
}

// "Argument of the constructor: choice or None. Choices: low, high, none."
std::string argumentHelp(const EnvArgument& argument) {
    std::string text = "Argument of the constructor";
    if (!argument.type.empty()) text += ": " + argument.type;
    return text + "." + (argument.choices.empty() ? "" : " Choices: " + join(argument.choices, ", ") + ".");
}

void printFields(const Schema& schema, const std::vector<EnvArgument>& arguments = {}) {
    std::vector<std::vector<std::string>> rows;
    rows.push_back({"PARAMETER", "DEFAULT", "HELP"});
    for (const EnvArgument& argument : arguments)
        rows.push_back({argument.name, defaultText(argument), argumentHelp(argument)});
    for (const FieldInfo& field : schema.fields)
        rows.push_back({field.name, field.default_value.dump(), field.help});
    if (rows.size() > 1) printTable(rows);
}

Result<int> showEnv(const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(const EnvEntry* entry, findEnv(name));
    SEEDBED_ASSIGN(const EnvSpec spec, entry->spec(entry->params->defaults()));
    if (context.json) {
        printJson(toJson(*entry, spec));
        return kOk;
    }
    constexpr const char* not_stated = "not stated";
    std::printf("%s (%s)\n%s\n", spec.title.c_str(), spec.id.c_str(), spec.sentence.c_str());
    std::printf(spec.sentence.empty() ? "" : "\n");
    std::printf("original     %s\n", spec.upstream.empty() ? not_stated : spec.upstream.c_str());
    for (const ObsLeaf& leaf : spec.spaces.obs) std::printf("observation  %s\n", describeLeaf(leaf).c_str());
    for (const ActionLeaf& leaf : spec.spaces.actions)
        std::printf("action       %s\n", describeLeaf(leaf).c_str());
    const std::string reward = formatNumber(spec.reward_low) + " to " + formatNumber(spec.reward_high);
    // External environments may not declare a time limit.
    const char* const no_horizon = entry->params->open ? not_stated : "none";
    std::printf("agents       %d\nhorizon      %s\nreward       %s\n", spec.agents,
                spec.horizon > 0 ? std::to_string(spec.horizon).c_str() : no_horizon,
                statesReward(spec) ? reward.c_str() : not_stated);
    if (spec.random_return)
        std::printf("random       %s +- %s\n", meanText(*spec.random_return).c_str(),
                    meanText(spec.random_return_error).c_str());
    if (spec.solved) std::printf("solved       %s\n", formatNumber(*spec.solved).c_str());
    for (const ReferenceScore& r : spec.references)
        std::printf("reference    %s: %s%s (%s)\n", r.agent.c_str(), formatNumber(r.score).c_str(),
                    r.steps > 0 ? (" after " + formatCount(r.steps) + " steps").c_str() : "",
                    r.source.c_str());
    std::printf("\n");
    printFields(*entry->params, spec.arguments);
    return kOk;
}

Result<int> listAlgorithms(const Context& context) {
    Json json = Json::array();
    for (const std::string& id : algorithmRegistry().ids()) {
        const AlgorithmEntry& entry = *algorithmRegistry().find(id);
        if (context.json) {
            json.push_back({{"id", id},
                            {"aliases", entry.aliases},
                            {"help", entry.help},
                            {"params", entry.params->defaults()},
                            {"defaults", entry.defaults.settings},
                            {"steps", entry.defaults.steps}});
            continue;
        }
        std::printf("%s  %s\n\n", id.c_str(), entry.help.c_str());
        printFields(*entry.params);
    }
    if (context.json) printJson(json);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(env_list, {.id = "env list",
                                    .summary = "List the environments",
                                    .examples = {"seedbed env list", "seedbed env list --json"},
                                    .define = [](CLI::App&) -> Action { return listEnvs; }});

SEEDBED_REGISTER_COMMAND(env_show,
                         {.id = "env show",
                          .summary = "Show the spaces, parameters and reference scores of an environment",
                          .examples = {"seedbed env show cartpole"},
                          .define = [](CLI::App& cli) -> Action {
                              auto name = std::make_shared<std::string>();
                              cli.add_option("ENV", *name, "Environment or alias")->required();
                              return [name](const Context& context) { return showEnv(*name, context); };
                          }});

SEEDBED_REGISTER_COMMAND(algos, {.id = "algos",
                                 .summary = "List the algorithms and their parameters",
                                 .examples = {"seedbed algos"},
                                 .define = [](CLI::App&) -> Action { return listAlgorithms; }});

}  // namespace
}  // namespace seedbed::app
