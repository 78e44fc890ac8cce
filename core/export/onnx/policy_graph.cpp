// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs of each profile, and the computation of actions from the distribution.
#include "core/export/onnx/policy_graph.hpp"

#include <algorithm>
#include <limits>

#include "core/base/describe.hpp"
#include "core/base/text.hpp"
#include "core/export/onnx/layer_writer.hpp"
#include "core/nn/acting_head.hpp"

namespace seedbed::onnx {

namespace {

// Model version of ML-Agents since 2.0 (com.unity.ml-agents,
// SentisModelParamLoader.ModelApiVersion.MLAgents2_0 and later read 3).
constexpr float kUnityVersion = 3;

class PolicyGraphBuilder {
public:
    PolicyGraphBuilder(const PolicyModel& policy, Profile profile, bool with_value)
        : policy_(policy),
          profile_(profile),
          with_value_(with_value && policy.value_words > 0),
          writer_(graph_.model) {}

    Result<PolicyGraph> build() {
        SEEDBED_TRY(checkProfile());
        graph_.model.producer = "seedbed";
        graph_.model.graph_name = "policy";
        makeInputs();
        std::vector<int> wanted;
        for (const PlanHead& head : policy_.plan.heads) {
            if (head.begin == policy_.policy_begin) {
                wanted.push_back(head.value);
                policy_value_ = head.value;
            } else if (with_value_ && head.begin == policy_.value_begin) {
                wanted.push_back(head.value);
                critic_value_ = head.value;
            }
        }
        LayerWriter layers(policy_, layer_inputs_, writer_);
        SEEDBED_TRY(layers.write(operationsFor(policy_.plan, wanted)));
        const std::string state_out = layers.joinState();
        const std::vector<std::string> names = layers.takeNames();
        writer_.setScope("action");
        makeActions(names[static_cast<std::size_t>(policy_value_)]);
        if (with_value_)
            output("Identity", {names[static_cast<std::size_t>(critic_value_)]}, "value",
                   {policy_.value_words});
        graph_.has_value = with_value_;
        makeStateOutput(state_out);
        if (profile_ == Profile::unity) makeUnityOutputs();
        if (profile_ == Profile::godot) makeGodotOutputs();
        dropUnusedInputs();
        // The order in which constants are created depends on the compiler; sorting makes the file
        // independent of it.
        std::sort(graph_.model.constants.begin(), graph_.model.constants.end(),
                  [](const Tensor& a, const Tensor& b) { return a.name < b.name; });
        return std::move(graph_);
    }

private:
    bool hasDiscrete() const { return hasKind(ActionLeaf::Kind::discrete); }
    bool hasKind(ActionLeaf::Kind kind) const {
        return std::any_of(policy_.spaces().actions.begin(), policy_.spaces().actions.end(),
                           [&](const ActionLeaf& leaf) { return leaf.kind == kind; });
    }
    int choices() const {
        int n = 0;
        for (const ActionLeaf& leaf : policy_.spaces().actions)
            n += leaf.kind == ActionLeaf::Kind::discrete ? leaf.n : 0;
        return n;
    }

    Result<> checkProfile() const {
        const auto lacks = [](const char* profile, const std::string& what) {
            return fail(ErrorCode::config, std::string("the profile ") + profile + " cannot represent " +
                                               what + " of this policy; export it with --profile plain");
        };
        if (profile_ == Profile::plain) return {};
        const char* name = profile_ == Profile::unity ? "unity" : "godot";
        if (policy_.wants_previous_action) return lacks(name, "the previous action that the recurrent core");
        if (policy_.wants_previous_reward) return lacks(name, "the previous reward that the recurrent core");
        if (profile_ == Profile::godot && policy_.stateWords() > 0) return lacks(name, "the recurrent state");
        if (profile_ == Profile::godot && policy_.spaces().has_mask) return lacks(name, "the action mask");
        return {};
    }

    void input(const std::string& name, InputBinding::Field field, int leaf, std::vector<std::int64_t> dims,
               const std::string& doc, float scale = 1) {
        graph_.inputs.push_back({name, field, leaf, scale, dims});
        dims.insert(dims.begin(), -1);
        graph_.model.inputs.push_back({name, Type::float32, std::move(dims), doc});
    }
    void declare(const std::string& name, Type type, std::vector<std::int64_t> dims,
                 const std::string& doc = "") {
        graph_.model.outputs.push_back({name, type, std::move(dims), doc});
    }
    void output(const std::string& op, std::vector<std::string> inputs, const std::string& name,
                std::vector<std::int64_t> dims, Type type = Type::float32, const std::string& doc = "") {
        writer_.named(op, std::move(inputs), name);
        dims.insert(dims.begin(), -1);
        declare(name, type, std::move(dims), doc);
    }

    std::vector<std::string> obsNames() {
        // Names of the graph's other inputs and of its outputs.
        for (const char* name : {"action", "logits", "mean", "log_std", "value", "action_mask",
                                 "previous_action", "previous_reward", "previous_action_out", "state_in",
                                 "state_out", "state_ins", "state_outs", "output"})
            writer_.names().reserve(name);
        std::vector<std::string> wanted;
        const Spaces& spaces = policy_.spaces();
        for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf)
            wanted.push_back(profile_ == Profile::unity ? "obs_" + std::to_string(leaf)
                                                        : spaces.obs[leaf].name);
        return writer_.names().giveAll(wanted);
    }

    // Godot RL Agents expects a single flat observation: all leaves, concatenated.
    void makeJoinedInput() {
        const Spaces& spaces = policy_.spaces();
        std::vector<std::string> names;
        std::int64_t words = 0;
        for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf) {
            words += static_cast<std::int64_t>(policy_.obsWords(leaf));
            names.push_back(spaces.obs[leaf].name);
        }
        input("obs", InputBinding::Field::all_obs, 0, {words},
              "all observations, one after the other: " + join(names, ", "));
        std::int64_t at = 0;
        for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf) {
            const ObsLeaf& spec = spaces.obs[leaf];
            const auto size = static_cast<std::int64_t>(policy_.obsWords(leaf));
            std::string x = spaces.obs.size() == 1 ? "obs" : writer_.columns("obs", at, at + size);
            if (spec.kind == ObsLeaf::Kind::image)
                x = writer_.reshape(x,
                                    {std::int64_t{spec.stack} * spec.shape[0], spec.shape[1], spec.shape[2]});
            layer_inputs_.divisor.push_back(static_cast<float>(spec.high));
            layer_inputs_.obs.push_back(x);
            at += size;
        }
    }

    void makeLeafInputs() {
        const Spaces& spaces = policy_.spaces();
        const std::vector<std::string> names = obsNames();
        for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf) {
            const ObsLeaf& spec = spaces.obs[leaf];
            const auto words = static_cast<std::int64_t>(policy_.obsWords(leaf));
            const std::string& name = names[leaf];
            std::string doc = "observation '" + spec.name + "'";
            if (spec.stack > 1) doc += ", " + std::to_string(spec.stack) + " frames, oldest first";
            layer_inputs_.divisor.push_back(static_cast<float>(spec.high));
            if (spec.kind != ObsLeaf::Kind::image) {
                input(name, InputBinding::Field::obs, static_cast<int>(leaf), {words}, doc);
            } else {
                const std::vector<std::int64_t> dims{std::int64_t{spec.stack} * spec.shape[0], spec.shape[1],
                                                     spec.shape[2]};
                const bool unit = profile_ == Profile::unity;
                const auto high = static_cast<float>(spec.high);
                input(name, InputBinding::Field::obs, static_cast<int>(leaf), dims,
                      doc + (unit ? ", 0 to 1" : ", 0 to " + std::to_string(static_cast<int>(spec.high))),
                      unit ? 1 / high : 1);
                if (unit) layer_inputs_.divisor.back() = 1;
            }
            layer_inputs_.obs.push_back(name);
        }
    }

    void makeInputs() {
        const Spaces& spaces = policy_.spaces();
        if (profile_ == Profile::godot) makeJoinedInput();
        else makeLeafInputs();
        has_mask_ = spaces.has_mask || (profile_ == Profile::unity && hasDiscrete());
        if (has_mask_)
            input(profile_ == Profile::unity ? "action_masks" : "action_mask", InputBinding::Field::mask, 0,
                  {choices()}, "1 allowed, 0 forbidden");
        if (policy_.wants_previous_action) {
            layer_inputs_.previous_action = "previous_action";
            input(
                "previous_action", InputBinding::Field::previous_action, 0, {spaces.actionWords()},
                "previous_action_out of the previous step; at the start of an episode -1 for a choice, 0 for "
                "a box");
        }
        if (policy_.wants_previous_reward) {
            input("previous_reward", InputBinding::Field::previous_reward, 0, {1},
                  "raw reward of the previous step; 0 at the start of an episode");
            layer_inputs_.previous_reward = rewardSeen("previous_reward");
        }
        makeStateInput();
        if (profile_ == Profile::godot) {
            graph_.inputs.push_back({"state_ins", InputBinding::Field::ignored, 0, 1, {}});
            graph_.model.inputs.push_back(
                {"state_ins", Type::float32, {-1}, "not used; returned as state_outs"});
        }
    }

    std::string rewardSeen(std::string reward) {
        const RewardView& view = policy_.bundle.reward;
        if (view.clip > 0)
            reward = writer_.node("Min", {writer_.node("Max", {reward, writer_.scalar(-view.clip)}),
                                          writer_.scalar(view.clip)});
        return view.scale == 1 ? reward : writer_.node("Mul", {reward, writer_.scalar(view.scale)});
    }

    void makeStateInput() {
        const int words = policy_.stateWords();
        if (words == 0) return;
        const bool unity = profile_ == Profile::unity;
        const std::string name = unity ? "recurrent_in" : "state_in";
        input(name, InputBinding::Field::state, 0,
              unity ? std::vector<std::int64_t>{1, words} : std::vector<std::int64_t>{words},
              "memory; zeros at the start of an episode, then the state output of the previous step");
        layer_inputs_.state = unity ? writer_.reshape(name, {words}) : name;
    }

    void makeStateOutput(const std::string& state) {
        const int words = policy_.stateWords();
        if (words == 0) return;
        if (profile_ != Profile::unity) {
            output("Identity", {state}, "state_out", {words});
            graph_.state_out = "state_out";
            return;
        }
        writer_.named("Reshape", {state, writer_.integers({0, 1, words})}, "recurrent_out");
        declare("recurrent_out", Type::float32, {-1, 1, words});
        graph_.state_out = "recurrent_out";
    }

    // Logits in which forbidden choices are far below all others; a mask that forbids all choices is treated
    // as allowing all.
    std::string masked(const std::string& logits, int n, std::int64_t mask_at) {
        if (!has_mask_) return logits;
        const std::string mask = writer_.columns(profile_ == Profile::unity ? "action_masks" : "action_mask",
                                                 mask_at, mask_at + n);
        const std::string allowed =
            writer_.cast(writer_.node("Greater", {mask, writer_.scalar(0)}), Type::float32);
        const std::string any =
            writer_.node("ReduceMax", {allowed},
                         {{.name = "axes", .kind = Attribute::Kind::integers, .integers = {1}},
                          {.name = "keepdims", .kind = Attribute::Kind::integer, .integer = 1}});
        const std::string counted =
            writer_.node("Add", {allowed, writer_.node("Sub", {writer_.scalar(1), any})});
        return writer_.node("Where", {writer_.node("Greater", {counted, writer_.scalar(0)}), logits,
                                      writer_.scalar(kForbiddenLogit)});
    }

    // The most probable words of a box leaf, clipped to their bounds.
    std::string boxAction(const ActionLeaf& leaf, const std::string& mean) {
        std::vector<float> low, high, centre, half;
        for (std::size_t i = 0; i < leaf.low.size(); ++i) {
            const auto bounded = [](double bound) {
                constexpr double kMost = std::numeric_limits<float>::max();
                return static_cast<float>(std::clamp(bound, -kMost, kMost));
            };
            low.push_back(bounded(leaf.low[i]));
            high.push_back(bounded(leaf.high[i]));
            const ActionRange range = rangeOf(leaf, i);
            centre.push_back(static_cast<float>(range.centre));
            half.push_back(static_cast<float>(range.half));
        }
        const std::vector<std::int64_t> dims{leaf.words()};
        std::string x = mean;
        if (policy_.bundle.squash || leaf.scaled) {
            const std::string scaled =
                writer_.node("Mul", {policy_.bundle.squash ? writer_.node("Tanh", {x}) : x,
                                     writer_.constant("action." + leaf.name + ".half_range", dims, half)});
            x = writer_.node("Add",
                             {scaled, writer_.constant("action." + leaf.name + ".centre", dims, centre)});
        }
        words_out_.push_back(x);
        x = writer_.node("Max", {x, writer_.constant("action." + leaf.name + ".low", dims, low)});
        return writer_.node("Min", {x, writer_.constant("action." + leaf.name + ".high", dims, high)});
    }

    void makeActions(const std::string& policy) {
        const bool mixed = hasDiscrete() && hasKind(ActionLeaf::Kind::box);
        std::vector<std::string> logits, means, log_stds, actions;
        std::int64_t at = 0, mask_at = 0;
        int box_words = 0;
        for (const ActionLeaf& leaf : policy_.spaces().actions) {
            if (leaf.kind == ActionLeaf::Kind::box) {
                means.push_back(writer_.columns(policy, at, at + leaf.words()));
                log_stds.push_back(writer_.columns(policy, at + leaf.words(), at + 2 * leaf.words()));
                actions.push_back(boxAction(leaf, means.back()));
                continuous_.push_back(actions.back());
                at += 2 * leaf.words();
                box_words += leaf.words();
                continue;
            }
            logits.push_back(masked(writer_.columns(policy, at, at + leaf.n), leaf.n, mask_at));
            at += leaf.n;
            mask_at += leaf.n;
            const std::string best =
                writer_.node("ArgMax", {logits.back()},
                             {{.name = "axis", .kind = Attribute::Kind::integer, .integer = 1},
                              {.name = "keepdims", .kind = Attribute::Kind::integer, .integer = 1}});
            discrete_.push_back(best);
            if (mixed || policy_.wants_previous_action)
                words_out_.push_back(writer_.cast(best, Type::float32));
            actions.push_back(mixed ? words_out_.back() : best);
        }
        if (!logits.empty()) output("Identity", {writer_.concat(logits)}, "logits", {choices()});
        if (!means.empty()) {
            output("Identity", {writer_.concat(means)}, "mean", {box_words});
            output("Identity", {writer_.concat(log_stds)}, "log_std", {box_words});
        }
        logits_ = logits;
        const bool whole = policy_.onlyDiscrete();
        output("Identity", {writer_.concat(actions)}, "action", {policy_.spaces().actionWords()},
               whole ? Type::int64 : Type::float32,
               "the most probable action: choice indices for discrete leaves, bounded values for box leaves");
        if (policy_.wants_previous_action)
            output("Identity", {writer_.concat(words_out_)}, "previous_action_out",
                   {policy_.spaces().actionWords()}, Type::float32,
                   "what to give as previous_action in the next step");
    }

    void constantOutput(const std::string& name, std::vector<std::int64_t> dims, std::vector<float> values) {
        writer_.named("Identity", {writer_.constant(name + ".value", dims, std::move(values))}, name);
        declare(name, Type::float32, std::move(dims));
    }

    void makeUnityOutputs() {
        writer_.setScope("unity");
        constantOutput("version_number", {1}, {kUnityVersion});
        constantOutput("memory_size", {1}, {static_cast<float>(policy_.stateWords())});
        if (!continuous_.empty()) {
            const std::string words = writer_.concat(continuous_);
            std::int64_t count = 0;
            for (const ActionLeaf& leaf : policy_.spaces().actions)
                count += leaf.kind == ActionLeaf::Kind::box ? leaf.words() : 0;
            output("Identity", {words}, "continuous_actions", {count});
            output("Identity", {words}, "deterministic_continuous_actions", {count});
            for (const char* name : {"continuous_actions", "deterministic_continuous_actions"})
                graph_.profile_outputs.push_back(
                    {name, OutputBinding::Field::boxes, static_cast<int>(count)});
            constantOutput("continuous_action_output_shape", {1}, {static_cast<float>(count)});
        }
        if (!discrete_.empty()) {
            const std::string numbers = writer_.concat(discrete_);
            const auto branches = static_cast<std::int64_t>(discrete_.size());
            output("Identity", {numbers}, "discrete_actions", {branches}, Type::int64);
            output("Identity", {numbers}, "deterministic_discrete_actions", {branches}, Type::int64);
            for (const char* name : {"discrete_actions", "deterministic_discrete_actions"})
                graph_.profile_outputs.push_back(
                    {name, OutputBinding::Field::choices, static_cast<int>(branches)});
            std::vector<float> sizes;
            for (const ActionLeaf& leaf : policy_.spaces().actions)
                if (leaf.kind == ActionLeaf::Kind::discrete) sizes.push_back(static_cast<float>(leaf.n));
            constantOutput("discrete_action_output_shape", {1, branches}, std::move(sizes));
        }
    }

    // Concatenates, leaf by leaf, the logits of a choice or the words of a box.
    void makeGodotOutputs() {
        writer_.setScope("godot");
        std::vector<std::string> parts;
        std::size_t discrete = 0, box = 0;
        std::int64_t width = 0;
        for (const ActionLeaf& leaf : policy_.spaces().actions) {
            const bool choice = leaf.kind == ActionLeaf::Kind::discrete;
            parts.push_back(choice ? logits_[discrete++] : continuous_[box++]);
            width += choice ? leaf.n : leaf.words();
        }
        output("Identity", {writer_.concat(parts)}, "output", {width});
        graph_.profile_outputs.push_back({"output", OutputBinding::Field::leaves, static_cast<int>(width)});
        output("Identity", {"state_ins"}, "state_outs", {});
    }

    // Without the value estimate, a leaf that only the critic reads would be an unused input, which runtimes
    // warn about.
    void dropUnusedInputs() {
        const auto used = [&](const std::string& name) {
            return std::any_of(graph_.model.nodes.begin(), graph_.model.nodes.end(), [&](const Node& node) {
                return std::find(node.inputs.begin(), node.inputs.end(), name) != node.inputs.end();
            });
        };
        std::erase_if(graph_.inputs, [&](const InputBinding& binding) { return !used(binding.name); });
        std::erase_if(graph_.model.inputs, [&](const ValueInfo& value) { return !used(value.name); });
    }

    const PolicyModel& policy_;
    Profile profile_;
    bool with_value_, has_mask_ = false;
    PolicyGraph graph_;
    GraphWriter writer_;
    LayerInputs layer_inputs_;
    int policy_value_ = 0, critic_value_ = 0;
    std::vector<std::string> logits_, continuous_, discrete_, words_out_;
};

}  // namespace

Result<Profile> profileFromName(const std::string& name) {
    const std::vector<std::string> names{"plain", "unity", "godot"};
    for (std::size_t i = 0; i < names.size(); ++i)
        if (name == names[i]) return static_cast<Profile>(i);
    return fail(ErrorCode::config,
                "unknown profile '" + name + "'" + suggestion(name, names) + "; use plain, unity or godot");
}

Result<PolicyGraph> buildPolicyGraph(const PolicyModel& policy, Profile profile, bool with_value) {
    return PolicyGraphBuilder(policy, profile, with_value).build();
}

}  // namespace seedbed::onnx
