// SPDX-License-Identifier: Apache-2.0
#include "core/export/provenance_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/sha256.hpp"
#include "core/base/text.hpp"
#include "core/export/usage_text.hpp"
#include "core/nn/acting_head.hpp"
#include "core/nn/operation.hpp"
#include "core/policy/bundle_env.hpp"

namespace seedbed {

namespace {

constexpr const char* kActivationNames[] = {"none", "tanh", "relu", "elu"};

Json opToJson(const PolicyModel& model, const PlanOp& op) {
    Json params = Json::array();
    for (const int index : op.params)
        params.push_back(model.plan.params[static_cast<std::size_t>(index)].name);
    Json json = {{"op", op.kind}, {"inputs", op.inputs}, {"output", op.output}};
    if (!params.empty()) json["params"] = params;
    if (op.activation != Activation::none)
        json["activation"] = kActivationNames[static_cast<std::size_t>(op.activation)];
    for (const OpField field : operationOf(op).fields) {
        switch (field) {
            case OpField::leaf: json["leaf"] = op.leaf; break;
            case OpField::window:
                json["kernel"] = op.kernel;
                json["stride"] = op.stride;
                json["pad"] = op.pad;
                break;
            case OpField::state_offset: json["state_offset"] = op.state_offset; break;
            case OpField::clip: json["clip"] = op.clip; break;
        }
    }
    return json;
}

std::string envTitle(const PolicyModel& model) {
    const auto env = environmentOf(model.bundle);
    return env ? env->spec.title : publicId(model.bundle.provenance.env);
}

int longestStack(const PolicyModel& model) {
    int stack = 1;
    for (const ObsLeaf& leaf : model.spaces().obs) stack = std::max(stack, leaf.stack);
    return stack;
}

std::string rounded(const Json& value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.4g", value.is_number() ? value.get<double>() : NAN);
    return text;
}

// A member of the evaluation, or null if it is missing.
Json evaluated(const PolicyModel& model, const char* key) {
    const Json& evaluation = model.bundle.provenance.evaluation;
    return evaluation.is_object() ? evaluation.value(key, Json()) : Json();
}

}  // namespace

std::string publicId(const std::string& env) {
    const auto slash = env.rfind('/'), colon = env.find(':');
    return colon == std::string::npos || env.compare(colon + 1, 1, "/") != 0
               ? env
               : env.substr(0, colon + 1) + "." + env.substr(slash);
}

Provenance publicProvenance(const Provenance& provenance) {
    Provenance result = provenance;
    result.env = publicId(provenance.env);
    if (const auto env = result.config.find("env"); env != result.config.end() && env->is_object())
        (*env)["id"] = result.env;
    if (const Json::json_pointer folder("/run/tensorboard"); result.config.contains(folder))
        result.config[folder] = "";
    return result;
}

std::string configHash(const PolicyModel& model) {
    return sha256Hex(publicProvenance(model.bundle.provenance).config.dump());
}

std::map<std::string, std::string> metadataOf(const PolicyModel& model, const TargetOptions& options) {
    const Provenance& from = model.bundle.provenance;
    std::map<std::string, std::string> text{
        {"format", "seedbed-policy"},
        {"seedbed_version", options.written_by},
        {"run", from.run},
        {"algorithm", from.algo},
        {"config_sha256", configHash(model)},
        {"environment", publicId(from.env)},
        {"environment_version", options.environment_version},
        {"environment_params", from.env_params.dump()},
        {"spaces", toJson(model.spaces()).dump()},
        {"frame_stack", std::to_string(longestStack(model))},
        {"training_steps", std::to_string(from.steps)},
        {"evaluation", from.evaluation.is_null() ? "none" : from.evaluation.dump()},
        {"licence", options.licence},
        {"weights_sha256", model.params().sha256()},
        {"profile", options.profile},
        {"squashed_actions", model.bundle.squash ? "true" : "false"},
        {"scaled_actions",
         std::ranges::any_of(model.spaces().actions, &ActionLeaf::scaled) ? "true" : "false"},
    };
    if (model.stateWords() > 0)
        text["state"] = std::to_string(model.stateWords()) + " floats, zeros at the start of an episode";
    std::map<std::string, std::string> result;
    for (const auto& [key, value] : text) result["seedbed." + key] = value;
    return result;
}

namespace {

Json inputsOf(const PolicyModel& model) {
    Json leaves = Json::array();
    for (std::size_t leaf = 0; leaf < model.spaces().obs.size(); ++leaf) {
        const ObsLeaf& spec = model.spaces().obs[leaf];
        leaves.push_back({{"name", spec.name}, {"words", model.obsWords(leaf)}, {"frames", spec.stack}});
    }
    return {{"observations", leaves},
            {"mask_words", model.spaces().maskBytes()},
            {"previous_action_words", model.wants_previous_action ? model.spaces().actionWords() : 0},
            {"previous_reward", model.wants_previous_reward},
            {"state_words", model.stateWords()},
            {"at_the_start_of_an_episode",
             "state 0, previous reward 0, previous action -1 for a choice and 0 for a box; frames before the "
             "first repeat it"}};
}

}  // namespace

Json specOf(const PolicyModel& model) {
    Json params = Json::object();
    for (const ParamEntry& entry : model.plan.params) params[entry.name] = entry.shape;
    Json values = Json::array(), ops = Json::array();
    for (const PlanValue& value : model.plan.values)
        values.push_back({value.channels, value.height, value.width});
    for (const PlanOp& op : model.plan.ops) ops.push_back(opToJson(model, op));
    int policy_value = 0, critic_value = -1;
    for (const PlanHead& head : model.plan.heads) {
        if (head.begin == model.policy_begin) policy_value = head.value;
        else if (model.value_words > 0 && head.begin == model.value_begin) critic_value = head.value;
    }
    return {{"format", "seedbed-spec"},
            {"version", 1},
            {"spaces", toJson(model.spaces())},
            {"inputs", inputsOf(model)},
            {"outputs",
             {{"policy_words", model.policy_words},
              {"value_words", model.value_words},
              {"action_words", model.spaces().actionWords()},
              {"state_words", model.stateWords()},
              {"forbidden_logit", kForbiddenLogit}}},
            {"squash", model.bundle.squash},
            {"reward", {{"scale", model.bundle.reward.scale}, {"clip", model.bundle.reward.clip}}},
            {"network",
             {{"tensor_prefix", model.bundle.network.name + "/"},
              {"tensors", params},
              {"values", values},
              {"operations", ops},
              {"policy_value", policy_value},
              {"critic_value", critic_value}}}};
}

namespace {

std::string evaluationText(const PolicyModel& model) {
    if (!model.bundle.provenance.evaluation.is_object()) return "These parameters were not evaluated.\n\n";
    const Json interval = evaluated(model, "ci95");
    return "| episodes | mean | std | interquartile mean | 95 % interval |\n|---|---|---|---|---|\n| " +
           evaluated(model, "n").dump() + " | " + rounded(evaluated(model, "mean")) + " | " +
           rounded(evaluated(model, "std")) + " | " + rounded(evaluated(model, "iqm")) + " | " +
           (interval.is_array() && interval.size() == 2 ? rounded(interval[0]) + " to " + rounded(interval[1])
                                                        : "") +
           " |\n\nWhole episodes, raw rewards, not counted as training.\n\n";
}

// Labels are text of the environment, which may contain line breaks.
std::string labelsText(const std::vector<std::string>& labels) {
    std::string text = printableText(join(labels, ", "));
    std::replace_if(
        text.begin(), text.end(), [](char letter) { return letter == '\n' || letter == '\t'; }, ' ');
    return text;
}

std::string spacesText(const PolicyModel& model) {
    std::string text;
    for (const ObsLeaf& leaf : model.spaces().obs) {
        text += "- observation `" + leaf.name + "`, " + std::to_string(leaf.elements()) +
                (leaf.elements() == 1 ? " value" : " values");
        if (leaf.stack > 1) text += ", the last " + std::to_string(leaf.stack) + " frames, oldest first";
        if (!leaf.labels.empty()) text += ": " + labelsText(leaf.labels);
        text += "\n";
    }
    for (const ActionLeaf& leaf : model.spaces().actions) {
        text += "- action `" + leaf.name + "`, " +
                (leaf.kind == ActionLeaf::Kind::discrete
                     ? "one of " + std::to_string(leaf.n)
                     : std::to_string(leaf.words()) + (leaf.words() == 1 ? " number" : " numbers"));
        if (!leaf.labels.empty()) text += ": " + labelsText(leaf.labels);
        text += "\n";
    }
    if (model.stateWords() > 0)
        text += "- memory: " + std::to_string(model.stateWords()) +
                " floats, passed in and returned with every decision; zeros at the start of an episode\n";
    return text;
}

}  // namespace

std::string modelCard(const PolicyModel& model, const TargetOptions& options, const Json& parity,
                      const std::vector<std::string>& files) {
    const Provenance& from = model.bundle.provenance;
    const std::string env = publicId(from.env), title = envTitle(model);
    std::string text = "---\nlibrary_name: seedbed\nlicense: " + options.licence + "\ntags:\n- " + env +
                       "\n- deep-reinforcement-learning\n- reinforcement-learning\n- " + from.algo +
                       "\nmodel-index:\n- name: " + from.algo +
                       "\n  results:\n  - task:\n      type: reinforcement-learning\n      name: "
                       "reinforcement-learning\n    dataset:\n" +
                       "      name: " + env + "\n      type: " + env + "\n";
    if (from.evaluation.is_object())
        text += "    metrics:\n    - type: mean_reward\n      value: " + rounded(evaluated(model, "mean")) +
                " +/- " + rounded(evaluated(model, "std")) +
                "\n      name: mean_reward\n      verified: false\n";
    text += "---\n# " + from.algo + " on " + title + "\n\n";
    text += "A policy trained with Seedbed " + from.build + " for " + formatCount(from.steps) +
            " steps (run " + from.run + ").\n\n";
    for (const std::string& file : files)
        if (file == "replay.gif") text += "![one episode](replay.gif)\n\n";
    text += "## Evaluation\n\n" + evaluationText(model);
    text +=
        "## Verification\n\nBefore this folder was written, every exported target was compared with the "
        "trained "
        "network; the complete "
        "record is `parity.json`.\n`seedbed verify .` repeats it.\n\n| target | executor | largest "
        "difference, "
        "relative to the outputs | "
        "decisions compared | equal |\n|---|---|---|---|---|\n";
    for (const Json& target : parity.value("targets", Json::array())) {
        const Json loop = target.value("closed_loop", Json());
        text += "| " + target.value("target", "") + " | " + target.at("executor").value("id", "") + " " +
                target.at("executor").value("version", "") + " | " +
                rounded(target.value("max_relative_difference", Json())) + " | " +
                (loop.is_object() ? loop.at("compared").dump() + " | " + loop.at("equal").dump()
                                  : std::string("- | -")) +
                " |\n";
    }
    text += usageText(model, options, files) + "\n## Observations and actions\n\n" + spacesText(model);
    text += "\nThe exported targets include normalisation, masks, clipping and scaling. Environment: " +
            options.environment_version + "\n\n## Files\n\n";
    for (const std::string& file : files) text += "- `" + file + "`\n";
    return text;
}

}  // namespace seedbed
