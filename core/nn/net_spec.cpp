// SPDX-License-Identifier: Apache-2.0
// The network settings of users, the NetSpec built from them, and its JSON form.
#include "core/nn/net_spec.hpp"

#include <algorithm>
#include <limits>

#include "core/nn/encoder.hpp"
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

// Whether NetworkParams::describe() has listed the encoders.
bool& encodersDescribed() {
    static bool described = false;
    return described;
}

std::string automaticEncoder(const ObsLeaf& leaf) {
    for (const std::string& id : encoderRegistry().ids())
        if (encoderRegistry().find(id)->automatic(leaf)) return id;
    return "flat";
}

// The encoder for one leaf, given the user's choice.
Result<EncoderSpec> encoderFor(const ObsLeaf& leaf, const EncoderEntry* chosen, const Json& chosen_params) {
    EncoderSpec spec{.leaf = leaf.name, .kind = chosen == nullptr ? automaticEncoder(leaf) : chosen->id};
    if (chosen != nullptr) {
        if (const std::string misfit = chosen->misfit(leaf); misfit.empty()) {
            spec.params = chosen_params;
            return spec;
        } else if (leaf.kind == ObsLeaf::Kind::image) {
            return fail(ErrorCode::config, "encoder '" + chosen->id + "' does not fit observation '" +
                                               leaf.name + "': it " + misfit);
        }
        spec.kind = "flat";
    }
    spec.params = encoderRegistry().find(spec.kind)->params->defaults();
    return spec;
}

Json toJson(const EncoderSpec& spec) {
    return {{"leaf", spec.leaf}, {"kind", spec.kind}, {"params", spec.params}};
}
Json toJson(const HeadSpec& spec) {
    Json json{{"name", spec.name}, {"kind", spec.kind}, {"width", spec.width}, {"dueling", spec.dueling}};
    if (spec.parts != 1) json["parts"] = spec.parts;
    if (spec.prior != 0) json["prior"] = spec.prior;
    if (spec.popart) json["popart"] = true;
    return json;
}
Json toJson(const CoreSpec& spec) {
    return {{"kind", spec.kind},
            {"size", spec.size},
            {"previous_action", spec.previous_action},
            {"previous_reward", spec.previous_reward}};
}

}  // namespace

Registry<EncoderEntry>& encoderRegistry() {
    static Registry<EncoderEntry> registry;
    return registry;
}

bool registerEncoder(EncoderEntry entry) {
    SEEDBED_CHECK(!encodersDescribed(),
                  "encoder " + entry.id + " was registered after the choices were listed");
    encoderRegistry().add(std::move(entry));
    return true;
}

int shorterSide(const ObsLeaf& leaf) {
    return leaf.kind == ObsLeaf::Kind::image ? std::min(leaf.shape[1], leaf.shape[2]) : 0;
}

std::string imageMisfit(const ObsLeaf& leaf, int smallest) {
    if (leaf.kind != ObsLeaf::Kind::image) return "needs an image";
    if (shorterSide(leaf) >= smallest) return "";
    return "needs an image of at least " + std::to_string(smallest) + " x " + std::to_string(smallest) +
           " pixels, not " + std::to_string(leaf.shape[2]) + " x " + std::to_string(leaf.shape[1]);
}

const Description<NetworkParams>& NetworkParams::describe() {
    static const Description<NetworkParams> description = [] {
        encodersDescribed() = true;
        std::vector<std::string> encoders{"auto"};
        for (const std::string& id : encoderRegistry().ids()) encoders.push_back(id);
        std::vector<std::string> cores{"none"};
        for (const std::string& id : coreOperations()) cores.push_back(id);
        using P = NetworkParams;
        Description<P> d("network", "The neural network: encoder, recurrent core and heads.");
        d.field(&P::encoder, "encoder",
                "Encoder of observations; auto chooses by kind and size of the observation.",
                {.choices = encoders, .level = Level::recipe});
        d.field(&P::hidden, "hidden", "Widths of the fully connected layers after the encoder.",
                {.unit = "units", .min = 1, .max = 65536, .level = Level::recipe});
        d.field(&P::activation, "activation", "Activation function of the hidden layers.",
                {.choices = {"tanh", "relu", "elu"}, .level = Level::recipe});
        d.field(&P::layer_norm, "layer_norm",
                "Normalise the features of each hidden layer before its activation.");
        d.field(&P::core, "core",
                "Memory across steps: none, a long short-term memory or a gated recurrent unit.",
                {.choices = cores, .level = Level::recipe});
        d.field(&P::core_size, "core_size", "Width of the recurrent core.",
                {.unit = "units", .min = 1, .max = 65536, .level = Level::recipe});
        d.field(&P::previous_action, "previous_action", "Pass the previous action to the recurrent core.");
        d.field(&P::previous_reward, "previous_reward", "Pass the previous reward to the recurrent core.");
        d.field(&P::separate_critic, "separate_critic",
                "Give the value estimate a separate network instead of sharing the policy's.",
                {.level = Level::recipe});
        d.field(&P::log_std, "log_std",
                "Standard deviation of continuous actions: one learned parameter per dimension, or an output "
                "of the network; sac always uses the network, td3 neither.",
                {.choices = {"parameter", "network"}});
        d.field(&P::initial_log_std, "initial_log_std",
                "Initial logarithm of the standard deviation of continuous actions.", {.min = -20, .max = 5});
        d.field(&P::scale_actions, "scale_actions",
                "Choose continuous actions in units of half the width of their bounds, around the middle, so "
                "that all finite bounds are learned alike; otherwise in the environment's own units.");
        d.field(&P::squash, "squash",
                "Squash continuous actions into their bounds with tanh instead of clipping them; sac and td3 "
                "always do.");
        d.field(&P::normalise_obs, "normalise_obs",
                "Normalise vector observations by their running mean and variance.",
                {.level = Level::recipe});
        return d;
    }();
    return description;
}

Spaces policySpaces(const Spaces& spaces, const NetworkParams& params) {
    return params.scale_actions && !params.squash ? withScaledActions(spaces) : spaces;
}

Result<Spaces> withActionInput(Spaces spaces) {
    for (const ObsLeaf& leaf : spaces.obs)
        if (leaf.name == "action")
            return fail(ErrorCode::config,
                        "an observation is called 'action', which is the name of the action as an input");
    spaces.obs.push_back({.name = "action",
                          .kind = ObsLeaf::Kind::vector,
                          .dtype = DType::f32,
                          .shape = {spaces.actionWords()},
                          .low = -std::numeric_limits<double>::infinity(),
                          .high = std::numeric_limits<double>::infinity()});
    return spaces;
}

Result<NetSpec> makeNetSpec(const Spaces& spaces, const NetworkParams& params, std::vector<HeadSpec> heads,
                            const Json& encoder_params) {
    const EncoderEntry* chosen = nullptr;
    Json chosen_params;
    if (params.encoder != "auto") {
        SEEDBED_ASSIGN(chosen, encoderRegistry().get(params.encoder, "encoder"));
        SEEDBED_ASSIGN(chosen_params, chosen->params->complete(encoder_params, "encoder " + chosen->id));
    }
    NetSpec spec;
    spec.spaces = policySpaces(spaces, params);
    bool used = chosen == nullptr;
    for (const ObsLeaf& leaf : spaces.obs) {
        SEEDBED_ASSIGN(EncoderSpec encoder, encoderFor(leaf, chosen, chosen_params));
        used = used || encoder.kind == chosen->id;
        spec.encoders.push_back(std::move(encoder));
    }
    if (!used)
        return fail(ErrorCode::config, "encoder '" + chosen->id + "' supports none of the observations: it " +
                                           chosen->misfit(spaces.obs[0]));
    spec.hidden = params.hidden;
    spec.activation = params.activation;
    spec.layer_norm = params.layer_norm;
    spec.core = {params.core, params.core_size, params.previous_action, params.previous_reward};
    spec.heads = std::move(heads);
    spec.separate_critic = params.separate_critic;
    spec.log_std = params.log_std;
    spec.initial_log_std = params.initial_log_std;
    spec.squash = params.squash;
    spec.normalise_obs = params.normalise_obs;
    return spec;
}

Json toJson(const NetSpec& spec) {
    Json encoders = Json::array(), heads = Json::array();
    for (const EncoderSpec& encoder : spec.encoders) encoders.push_back(toJson(encoder));
    for (const HeadSpec& head : spec.heads) heads.push_back(toJson(head));
    Json json{{"spaces", toJson(spec.spaces)},
              {"encoders", encoders},
              {"hidden", spec.hidden},
              {"activation", spec.activation},
              {"layer_norm", spec.layer_norm},
              {"core", toJson(spec.core)},
              {"heads", heads},
              {"separate_critic", spec.separate_critic},
              {"log_std", spec.log_std},
              {"initial_log_std", spec.initial_log_std},
              {"squash", spec.squash},
              {"normalise_obs", spec.normalise_obs},
              {"normalise_clip", spec.normalise_clip},
              {"hidden_gain", spec.hidden_gain},
              {"policy_gain", spec.policy_gain},
              {"value_gain", spec.value_gain}};
    if (spec.action_input) json["action_input"] = true;
    return json;
}

Result<NetSpec> netSpecFromJson(const Json& json) try {
    NetSpec spec;
    SEEDBED_ASSIGN(spec.spaces, spacesFromJson(json.at("spaces")));
    spec.encoders.clear();
    spec.heads.clear();
    for (const Json& item : json.at("encoders"))
        spec.encoders.push_back(
            {item.at("leaf").get<std::string>(), item.at("kind").get<std::string>(), item.at("params")});
    for (const Json& item : json.at("heads"))
        spec.heads.push_back({item.at("name").get<std::string>(), item.at("kind").get<std::string>(),
                              item.at("width").get<int>(), item.at("dueling").get<bool>(),
                              item.value("parts", 1), item.value("prior", 0.0), item.value("popart", false)});
    // The names are used for tensors and layers, including those in exported programs.
    for (const HeadSpec& head : spec.heads)
        if (head.name.empty() || head.name.size() > 64 ||
            !std::all_of(head.name.begin(), head.name.end(), [](char letter) {
                return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
            }))
            return fail(ErrorCode::config,
                        "the name of a head is not 1 to 64 lower-case letters, digits and '_'");
    // Written only if an action is an input.
    spec.action_input = json.value("action_input", false);
    const Json& core = json.at("core");
    spec.core = {core.at("kind").get<std::string>(), core.at("size").get<int>(),
                 core.at("previous_action").get<bool>(), core.at("previous_reward").get<bool>()};
    json.at("hidden").get_to(spec.hidden);
    json.at("activation").get_to(spec.activation);
    json.at("layer_norm").get_to(spec.layer_norm);
    json.at("separate_critic").get_to(spec.separate_critic);
    json.at("log_std").get_to(spec.log_std);
    json.at("initial_log_std").get_to(spec.initial_log_std);
    json.at("squash").get_to(spec.squash);
    json.at("normalise_obs").get_to(spec.normalise_obs);
    json.at("normalise_clip").get_to(spec.normalise_clip);
    json.at("hidden_gain").get_to(spec.hidden_gain);
    json.at("policy_gain").get_to(spec.policy_gain);
    json.at("value_gain").get_to(spec.value_gain);
    return spec;
} catch (const Json::exception& exception) {
    return fail(ErrorCode::config, std::string("malformed description of a network: ") + exception.what());
}

}  // namespace seedbed
