// SPDX-License-Identifier: Apache-2.0
// Compiles a NetSpec to a plan: the inputs, then the encoders, hidden layers and core of each trunk, then the
// heads.
#include "core/nn/net_plan.hpp"

#include <algorithm>
#include <cmath>

#include "core/nn/encoder.hpp"
#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

// Input values of all leaves, normalised if requested; trunks share them.
std::vector<int> buildInputs(PlanBuilder& builder) {
    const NetSpec& spec = builder.spec();
    std::vector<int> inputs;
    builder.setScope("normaliser");
    for (std::size_t leaf = 0; leaf < spec.spaces.obs.size(); ++leaf) {
        int x = builder.add("input", {.leaf = static_cast<int>(leaf)});
        const bool is_action = spec.action_input && leaf + 1 == spec.spaces.obs.size();
        if (spec.normalise_obs && spec.spaces.obs[leaf].kind == ObsLeaf::Kind::vector && !is_action)
            x = builder.add("normalise", {.inputs = {x}, .name = spec.spaces.obs[leaf].name});
        inputs.push_back(x);
    }
    return inputs;
}

// Adds the hidden layers "<prefix>0", "<prefix>1" and so on; returns the output of the last one.
int buildHidden(PlanBuilder& builder, int x, const std::string& prefix) {
    const NetSpec& spec = builder.spec();
    const Activation activation = activationFromName(spec.activation);
    for (std::size_t i = 0; i < spec.hidden.size(); ++i) {
        const std::string name = prefix + std::to_string(i);
        x = builder.add("linear", {.inputs = {x},
                                   .name = name,
                                   .width = spec.hidden[i],
                                   .gain = spec.hidden_gain,
                                   .activation = spec.layer_norm ? Activation::none : activation});
        if (spec.layer_norm)
            x = builder.add("layer_norm", {.inputs = {x}, .name = name + ".norm", .activation = activation});
    }
    return x;
}

// Adds encoders, hidden layers and core with names in `scope`; returns the features for the heads. Leaves
// that are critic_only are inputs of a critic only. An action input is added after a core: the memory
// contains the actions that were taken (previous_action), while the current row may be evaluated for any
// action.
Result<int> buildTrunk(PlanBuilder& builder, const std::vector<int>& inputs, const std::string& scope,
                       bool critic) {
    const NetSpec& spec = builder.spec();
    const bool is_recurrent = spec.core.kind != "none";
    const bool adds_action = spec.action_input && is_recurrent;
    std::vector<int> features;
    for (std::size_t leaf = 0; leaf + (adds_action ? 1 : 0) < inputs.size(); ++leaf) {
        if (spec.spaces.obs[leaf].critic_only && !critic) continue;
        const EncoderSpec& encoder = spec.encoders[leaf];
        SEEDBED_ASSIGN(const EncoderEntry* entry, encoderRegistry().get(encoder.kind, "encoder"));
        const std::string misfit = entry->misfit(spec.spaces.obs[leaf]);
        if (!misfit.empty())
            return fail(ErrorCode::config, "encoder '" + entry->id + "' does not fit observation '" +
                                               encoder.leaf + "': it " + misfit);
        SEEDBED_ASSIGN(const Json params, entry->params->complete(encoder.params, "encoder " + entry->id));
        builder.setScope(scope + "." + encoder.leaf);
        features.push_back(entry->build(builder, inputs[leaf], params));
    }
    builder.setScope(scope);
    int x = buildHidden(builder, builder.concat(features), "hidden");
    if (!is_recurrent) return x;
    std::vector<int> seen{x};
    if (spec.core.previous_action) seen.push_back(builder.add("previous_action", {}));
    if (spec.core.previous_reward) seen.push_back(builder.add("previous_reward", {}));
    x = builder.concat(seen);
    x = builder.add(spec.core.kind, {.inputs = {x}, .name = "core", .width = spec.core.size});
    return adds_action ? buildHidden(builder, builder.concat({x, inputs.back()}), "joint") : x;
}

constexpr int kMostValues = 1024;  // values per choice of a q head

// Adds the columns of the action distribution, leaf by leaf. Adjacent leaves whose columns the network
// computes share one linear layer.
int buildPolicy(PlanBuilder& builder, int features, const std::string& name) {
    const NetSpec& spec = builder.spec();
    std::vector<int> parts;
    int width = 0, made = 0;
    const auto linear = [&](const std::string& part, int columns, double bias) {
        parts.push_back(builder.add("linear", {.inputs = {features},
                                               .name = part,
                                               .width = columns,
                                               .gain = spec.policy_gain,
                                               .initial = bias}));
    };
    const auto flush = [&] {
        if (width == 0) return;
        linear(made == 0 ? name : name + "." + std::to_string(made), width, 0);
        ++made;
        width = 0;
    };
    for (const ActionLeaf& leaf : spec.spaces.actions) {
        if (leaf.kind == ActionLeaf::Kind::discrete) {
            width += leaf.n;
            continue;
        }
        width += leaf.words();
        flush();
        const std::string log_std = name + ".log_std." + leaf.name;
        if (spec.log_std != "parameter") linear(log_std, leaf.words(), spec.initial_log_std);
        else
            parts.push_back(builder.add(
                "parameter_rows", {.name = log_std, .width = leaf.words(), .initial = spec.initial_log_std}));
    }
    flush();
    return builder.concat(parts);
}

// Osband et al. 2018, "Randomized Prior Functions for Deep Reinforcement Learning", algorithm 1: the network
// is the sum of a trained function and `scale` times a fixed one. `features` is the output of the fixed
// trunk.
int addPrior(PlanBuilder& builder, const HeadSpec& head, int features, int x) {
    builder.setScope("prior.head");
    builder.setFixed(true);
    const int prior = builder.add("linear", {.inputs = {features},
                                             .name = head.name,
                                             .width = static_cast<int>(builder.value(x).size()),
                                             .gain = builder.spec().value_gain * head.prior});
    builder.setFixed(false);
    return builder.add("add", {.inputs = {x, prior}});
}

// Adds the values of the choices of a single discrete action; each is the mean of `parts` values.
Result<int> buildQ(PlanBuilder& builder, const HeadSpec& head, int features, int prior_features) {
    const NetSpec& spec = builder.spec();
    const auto linear = [&](const std::string& name, int width) {
        return builder.add("linear",
                           {.inputs = {features}, .name = name, .width = width, .gain = spec.value_gain});
    };
    if (spec.spaces.actions.size() != 1 || spec.spaces.actions[0].kind != ActionLeaf::Kind::discrete)
        return fail(ErrorCode::config, "a q head needs a single discrete action");
    const int n = spec.spaces.actions[0].n;
    if (head.parts < 1 || head.parts > kMostValues)
        return fail(ErrorCode::config, "q head '" + head.name + "' can have 1 to " +
                                           std::to_string(kMostValues) + " values per choice");
    int x = 0;
    if (head.dueling) {
        // This order must not change: it determines the positions of parameters in the blob and their initial
        // values.
        const int advantage = linear(head.name + ".advantage", n * head.parts);
        const int value = linear(head.name + ".value", head.parts);
        x = builder.add("dueling", {.inputs = {value, advantage}});
    } else {
        x = linear(head.name, n * head.parts);
    }
    if (head.prior > 0) x = addPrior(builder, head, prior_features, x);
    if (head.parts == 1) return x;
    builder.head(head.name + "_parts", "parts", x);
    return builder.add("group_mean", {.inputs = {x}, .width = n});
}

Result<int> buildHead(PlanBuilder& builder, const HeadSpec& head, int features, int prior_features) {
    const NetSpec& spec = builder.spec();
    const auto linear = [&](const std::string& name, int width) {
        return builder.add("linear",
                           {.inputs = {features}, .name = name, .width = width, .gain = spec.value_gain});
    };
    builder.setScope("head");
    if (head.kind == "policy") return buildPolicy(builder, features, head.name);
    if (head.kind == "value" || head.kind == "parameter") {
        if (head.width < 1)
            return fail(ErrorCode::config,
                        head.kind + " head '" + head.name + "' needs a width of at least 1");
        if (head.kind == "parameter")
            return builder.add("parameter_rows", {.name = head.name, .width = head.width});
        const int x = linear(head.name, head.width);
        if (!head.popart) return x;
        if (head.width != 1)
            return fail(ErrorCode::config, "value head '" + head.name + "' with PopArt needs a width of 1");
        return builder.add("rescale", {.inputs = {x}, .name = head.name + ".scale"});
    }
    if (head.kind == "q") return buildQ(builder, head, features, prior_features);
    return fail(ErrorCode::config, "head '" + head.name + "' has unknown kind '" + head.kind + "'");
}

Result<> checkChoice(const std::string& value, const std::vector<std::string>& known,
                     const std::string& what) {
    if (std::find(known.begin(), known.end(), value) != known.end()) return {};
    return fail(ErrorCode::config, "unknown " + what + " '" + value + "'" + suggestion(value, known));
}

// Limit for untrusted descriptions; the networks of this program have a few dozen entries.
constexpr std::size_t kMaxListed = 1024;

Result<> checkSpec(const NetSpec& spec) {
    const auto config = [](const std::string& text) { return fail(ErrorCode::config, text); };
    if (spec.spaces.obs.empty() || spec.spaces.actions.empty())
        return config("a network needs an observation and an action");
    if (spec.encoders.size() != spec.spaces.obs.size())
        return config("a network needs one encoder for each observation leaf");
    for (std::size_t i = 0; i < spec.encoders.size(); ++i)
        if (spec.encoders[i].leaf != spec.spaces.obs[i].name)
            return config("encoder " + std::to_string(i) + " is for '" + spec.encoders[i].leaf +
                          "', not for '" + spec.spaces.obs[i].name + "'");
    if (spec.heads.empty()) return config("a network needs a head");
    if (spec.action_input && spec.spaces.obs.size() < 2)
        return config("a network with an action as its input needs an observation, too");
    if (std::all_of(spec.spaces.obs.begin(), spec.spaces.obs.end() - (spec.action_input ? 1 : 0),
                    [](const ObsLeaf& leaf) { return leaf.critic_only; }))
        return config("a network needs an observation that is not for value estimates only");
    for (const std::size_t count :
         {spec.spaces.obs.size(), spec.spaces.actions.size(), spec.hidden.size(), spec.heads.size()})
        if (count > kMaxListed)
            return config("a network can have at most " + std::to_string(kMaxListed) +
                          " observations, actions, hidden layers and heads each");
    SEEDBED_TRY(checkChoice(spec.activation, {"tanh", "relu", "elu"}, "activation"));
    std::vector<std::string> cores = coreOperations();
    cores.push_back("none");
    SEEDBED_TRY(checkChoice(spec.core.kind, cores, "core"));
    SEEDBED_TRY(checkChoice(spec.log_std, {"parameter", "network"}, "log_std"));
    if (spec.core.kind == "none" && (spec.core.previous_action || spec.core.previous_reward))
        return config("previous action and reward are inputs of a recurrent core; choose lstm or gru");
    if (!(spec.normalise_clip > 0)) return config("normalise_clip must be above 0");
    if (spec.squash)
        for (const ActionLeaf& leaf : spec.spaces.actions)
            for (std::size_t i = 0; i < leaf.low.size(); ++i)
                if (!std::isfinite(leaf.low[i]) || !std::isfinite(leaf.high[i]))
                    return config("action '" + leaf.name + "' has no finite bounds to be squashed into");
    return {};
}

}  // namespace

Result<NetPlan> buildPlan(const NetSpec& spec) {
    SEEDBED_TRY(checkSpec(spec));
    PlanBuilder builder(spec);
    const auto is_parameter = [](const HeadSpec& head) { return head.kind == "parameter"; };
    const bool reads_inputs = !std::all_of(spec.heads.begin(), spec.heads.end(), is_parameter);
    const std::vector<int> inputs = reads_inputs ? buildInputs(builder) : std::vector<int>();

    // A separate critic has an effect only if there are also other heads.
    const auto is_critic = [](const HeadSpec& head) { return head.kind == "value"; };
    const auto critics = std::count_if(spec.heads.begin(), spec.heads.end(), is_critic);
    const bool separate =
        spec.separate_critic && critics > 0 && critics < static_cast<std::ptrdiff_t>(spec.heads.size());
    // A network with nothing but value estimates is a critic.
    const bool only_critics = critics == static_cast<std::ptrdiff_t>(spec.heads.size());
    for (const ObsLeaf& leaf : spec.spaces.obs)
        if (leaf.critic_only && reads_inputs && !separate && !only_critics)
            return fail(ErrorCode::config,
                        "the observation '" + leaf.name +
                            "' is for value estimates only, so it needs network.separate_critic=true and an "
                            "algorithm that learns a policy and its value, such as ppo");
    int actor = -1;
    if (reads_inputs) {
        SEEDBED_ASSIGN(actor, buildTrunk(builder, inputs, separate ? "policy" : "trunk", only_critics));
    }
    int critic = actor;
    if (separate) {
        SEEDBED_ASSIGN(critic, buildTrunk(builder, inputs, "value", true));
    }
    int prior = actor;
    if (std::any_of(spec.heads.begin(), spec.heads.end(),
                    [](const HeadSpec& head) { return head.kind == "q" && head.prior > 0; })) {
        builder.setFixed(true);
        SEEDBED_ASSIGN(prior, buildTrunk(builder, inputs, "prior", false));
        builder.setFixed(false);
    }
    for (const HeadSpec& head : spec.heads) {
        SEEDBED_ASSIGN(const int x, buildHead(builder, head, is_critic(head) ? critic : actor, prior));
        builder.head(head.name, head.kind, x);
    }
    return builder.finish();
}

const PlanHead* NetPlan::head(const std::string& name) const {
    const auto found =
        std::find_if(heads.begin(), heads.end(), [&](const PlanHead& h) { return h.name == name; });
    return found == heads.end() ? nullptr : &*found;
}

const ParamEntry* NetPlan::param(const std::string& name) const {
    const auto found =
        std::find_if(params.begin(), params.end(), [&](const ParamEntry& p) { return p.name == name; });
    return found == params.end() ? nullptr : &*found;
}

double NetPlan::macsPerRow() const {
    double macs = 0;
    for (const PlanOp& op : ops) {
        const OperationCost cost = costOf(*this, op);
        macs += cost.input_macs + cost.state_macs;
    }
    return macs;
}

std::size_t NetPlan::tapeFloatsPerRow() const {
    std::size_t floats = 0;
    for (const PlanOp& op : ops)
        floats += values[static_cast<std::size_t>(op.output)].size() + costOf(*this, op).tape_floats;
    return floats;
}

std::string layerOf(const NetPlan& plan, const PlanOp& op) {
    if (op.params.empty()) return "";
    const std::string& name = plan.params[static_cast<std::size_t>(op.params[0])].name;
    return name.substr(0, name.rfind('.'));
}

bool hasOp(const NetPlan& plan, const std::string& kind) {
    return std::any_of(plan.ops.begin(), plan.ops.end(), [&](const PlanOp& op) { return op.kind == kind; });
}

tl::unexpected<Error> unsupportedOperation(const NetPlan& plan, const PlanOp& op, const std::string& who) {
    const std::string layer = layerOf(plan, op);
    return fail(ErrorCode::config, who + " does not support operation '" + op.kind + "'" +
                                       (layer.empty() ? "" : " (layer '" + layer + "')"));
}

}  // namespace seedbed
