// SPDX-License-Identifier: Apache-2.0
#include "core/export/usage_text.hpp"

#include <algorithm>

#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/export/c_text.hpp"
#include "core/export/names.hpp"
#include "core/export/onnx/policy_graph.hpp"

namespace seedbed {
namespace {

using Binding = onnx::InputBinding;

// A string literal of Python and JavaScript.
std::string quoted(const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string shapeText(const Binding& input) {
    std::vector<std::string> dims{"1"};
    for (const std::int64_t size : input.dims) dims.push_back(std::to_string(size));
    return "[" + join(dims, ", ") + "]";
}

// The initial value of an input in numpy, with a comment.
std::string numpyValue(const PolicyModel& model, const Binding& input) {
    const std::string shape = shapeText(input);
    switch (input.field) {
        case Binding::Field::mask: return "np.ones(" + shape + ", np.float32),  # 1: allowed, 0: forbidden";
        case Binding::Field::state:
            return "np.zeros(" + shape + ", np.float32),  # at the start of an episode";
        case Binding::Field::ignored: return "np.zeros(" + shape + ", np.float32),  # not used";
        case Binding::Field::previous_reward:
            return "np.zeros(" + shape + ", np.float32),  # at the start of an episode";
        case Binding::Field::previous_action: {
            std::vector<std::string> words;
            for (const ActionLeaf& leaf : model.spaces().actions)
                for (int word = 0; word < leaf.words(); ++word)
                    words.emplace_back(leaf.kind == ActionLeaf::Kind::discrete ? "-1" : "0");
            return "np.array([[" + join(words, ", ") + "]], np.float32),  # at the start of an episode";
        }
        case Binding::Field::obs: {
            const std::string& member = model.spaces().obs[static_cast<std::size_t>(input.leaf)].name;
            return "np.zeros(" + shape + ", np.float32),  # your observation" +
                   (input.name == member ? "" : " '" + commentText(member) + "'");
        }
        default: return "np.zeros(" + shape + ", np.float32),  # your observation";
    }
}

// The code that passes outputs of one decision as inputs of the next decision.
std::string feedback(const onnx::PolicyGraph& graph) {
    std::string text;
    for (const Binding& input : graph.inputs) {
        const std::string set = "inputs[" + quoted(input.name) + "] = ";
        if (input.field == Binding::Field::state) text += set + "outputs[\"" + graph.state_out + "\"]\n";
        if (input.field == Binding::Field::previous_action)
            text += set + "outputs[\"previous_action_out\"].astype(np.float32)\n";
        if (input.field == Binding::Field::previous_reward)
            text += set + "np.array([[0.0]], np.float32)  # the environment's reward for this action\n";
    }
    return text.empty() ? "" : "# For the next decision of the episode:\n" + text;
}

std::string onnxPython(const PolicyModel& model, const onnx::PolicyGraph& graph) {
    std::string text =
        "```python\nimport numpy as np\nimport onnxruntime\n\nsession = "
        "onnxruntime.InferenceSession(\"policy.onnx\")\ninputs = {  # one row per decision\n";
    for (const Binding& input : graph.inputs)
        text += "    " + quoted(input.name) + ": " + numpyValue(model, input) + "\n";
    return text +
           "}\nnames = [output.name for output in session.get_outputs()]\noutputs = dict(zip(names, "
           "session.run(names, inputs)))\naction = outputs[\"action\"][0]  # the most probable one\n" +
           feedback(graph) + "print(action)\n```\n";
}

std::string browser(const PolicyModel& model, const onnx::PolicyGraph& graph) {
    std::string text =
        "\nIn a browser, with onnxruntime-web:\n\n```js\nconst session = await "
        "ort.InferenceSession.create(\"policy.onnx\");\nconst inputs = {\n";
    for (const Binding& input : graph.inputs) {
        std::int64_t count = 1;
        for (const std::int64_t size : input.dims) count *= size;
        std::string fill = input.field == Binding::Field::mask ? ".fill(1)" : "";
        if (input.field == Binding::Field::previous_action &&
            model.spaces().actions.front().kind == ActionLeaf::Kind::discrete)
            fill = ".fill(-1)";
        text += "  " + quoted(input.name) + ": new ort.Tensor(\"float32\", new Float32Array(" +
                std::to_string(count) + ")" + fill + ", " + shapeText(input) + "),\n";
    }
    return text + "};\nconst action = (await session.run(inputs)).action.data[0];\n```\n";
}

// The inputs and outputs that the game engine's component uses.
std::string engineText(const TargetOptions& options, const onnx::PolicyGraph& graph) {
    std::vector<std::string> inputs, outputs;
    for (const Binding& input : graph.inputs) inputs.push_back("`" + input.name + "`");
    for (const onnx::OutputBinding& output : graph.profile_outputs)
        outputs.push_back("`" + output.name + "`");
    if (!graph.state_out.empty()) outputs.push_back("`" + graph.state_out + "`");
    const std::string both =
        "Its inputs are " + join(inputs, ", ") + ", its outputs " + join(outputs, ", ") + ". ";
    if (options.profile == "unity")
        return "\nIn Unity, copy `policy.onnx` into `Assets` and select it as *Model* of the agent's "
               "*Behavior "
               "Parameters*. " +
               both +
               "`discrete_actions` and `continuous_actions` are the most probable action, not a sample: they "
               "equal the `deterministic_` outputs. To sample, draw from `logits` or from `mean` and "
               "`log_std`.\n";
    if (options.profile == "godot")
        return "\nIn Godot, select `policy.onnx` on the *Sync* node of Godot RL Agents (*ONNX Inference*). " +
               both + "\n";
    return "";
}

std::string onnxUsage(const PolicyModel& model, const TargetOptions& options) {
    const auto profile = onnx::profileFromName(options.profile);
    if (!profile) return "";
    const auto graph = onnx::buildPolicyGraph(model, *profile, options.with_value);
    if (!graph) return "";
    return onnxPython(model, *graph) + engineText(options, *graph) +
           (options.profile == "plain" ? browser(model, *graph) : "");
}

std::string numpyUsage(const PolicyModel& model) {
    const Spaces& spaces = model.spaces();
    std::vector<std::string> leaves;
    for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf)
        leaves.push_back("np.zeros(" + std::to_string(model.obsWords(leaf)) + ", np.float32)");
    std::string observation = leaves.front();
    if (leaves.size() > 1) {
        observation = "[\n";
        for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
            observation += "    " + leaves[leaf] + ",  # " + commentText(spaces.obs[leaf].name) + "\n";
        observation += "]";
    }
    std::string more;
    if (spaces.has_mask) more += ", mask=np.ones(" + std::to_string(spaces.maskBytes()) + ")";
    if (model.wants_previous_reward) more += ", previous_reward=0.0";
    return "```python\nimport numpy as np\nfrom policy import Policy\n\npolicy = Policy(\".\")\n"
           "policy.reset()  # at the start of an episode\nobservation = " +
           observation + "  # yours\naction = policy.act(observation" + more + ")\nprint(action)\n```\n";
}

// A complete program that calls the functions of the header.
std::string headerUsage(const PolicyModel& model, const TargetOptions& options) {
    const CNames names(model, options.prefix);
    std::string renamed;
    for (std::size_t leaf = 0; leaf < model.spaces().obs.size(); ++leaf)
        if (const std::string& member = model.spaces().obs[leaf].name; names.obs(leaf) != "obs_" + member)
            renamed += "- `" + names.obs(leaf) + "` is the observation `" + member + "`\n";
    std::size_t numbers = 0;
    for (std::size_t leaf = 0; leaf < model.spaces().obs.size(); ++leaf) numbers += model.obsWords(leaf);
    return "`policy_example.c` is a complete program that uses `policy.h`: it reads the numbers of "
           "observations "
           "and writes an action for each. With an observation of zeros:\n\n```sh\ncc -std=c99 -O3 -o agent "
           "policy_example.c -lm\nyes 0 | head -n " +
           std::to_string(numbers) + " | ./agent\n```\n" +
           (renamed.empty() ? "" : "\nNames in `policy.h`:\n\n" + renamed);
}

}  // namespace

std::string usageText(const PolicyModel& model, const TargetOptions& options,
                      const std::vector<std::string>& files) {
    const auto there = [&](const char* name) {
        return std::find(files.begin(), files.end(), name) != files.end();
    };
    std::string text = "\n## Use\n\n";
    if (there("policy.onnx") || there("policy.py") || there("policy.h"))
        text +=
            "The programs run in this folder as they are. Replace the zeros with an observation of your "
            "environment.\n\n";
    if (there("policy.onnx"))
        text +=
            "`policy.onnx` with Python (`pip install numpy onnxruntime`):\n\n" + onnxUsage(model, options);
    if (there("policy.py"))
        text += std::string(text.ends_with("```\n") ? "\n" : "") +
                "`policy.py` (`pip install numpy safetensors`):\n\n" + numpyUsage(model);
    if (there("policy.h")) text += (text.ends_with("```\n") ? "\n" : "") + headerUsage(model, options);
    if (there("page.html"))
        text += (text.ends_with("```\n") ? std::string("\n") : std::string()) +
                "Open `page.html` in a browser to watch the policy and to play. The file contains everything "
                "that it needs.\n";
    return text;
}

}  // namespace seedbed
