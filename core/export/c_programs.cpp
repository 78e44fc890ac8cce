// SPDX-License-Identifier: Apache-2.0
// The two C programs that use policy.h: the example for users and the test harness.
#include "core/export/c_programs.hpp"

#include "core/export/c_source.hpp"
#include "core/export/c_text.hpp"
#include "core/export/names.hpp"

namespace seedbed {

namespace {

// The arguments of a call to policy_act, such as "&p, obs_x, mask", without the array that receives the
// action.
std::string callArguments(const PolicyModel& model, const CNames& names) {
    std::string text = "&p";
    for (std::size_t leaf = 0; leaf < model.spaces().obs.size(); ++leaf) text += ", " + names.obs(leaf);
    if (model.spaces().has_mask) text += ", mask";
    if (model.wants_previous_reward) text += ", previous_reward";
    return text;
}

std::string count(std::size_t n) { return std::to_string(n); }

}  // namespace

std::string cExample(const PolicyModel& model, const TargetOptions& options) {
    const CNames names(model, options.prefix);
    const std::size_t actions = static_cast<std::size_t>(model.spaces().actionWords());
    const std::string comment =
        "/* SPDX-License-Identifier: Apache-2.0 */\n/* One episode: reads the numbers of each observation "
        "from standard input, writes "
        "the action, until the input ends.\n *   cc -std=c99 -O3 -o agent policy_example.c -lm && ./agent < "
        "observations.txt\n */\n";
    std::string text = "#include <stdio.h>\n\n#include \"policy.h\"\n\nstatic " + options.prefix + " p;\n";
    for (std::size_t leaf = 0; leaf < model.spaces().obs.size(); ++leaf)
        text += "static float " + names.obs(leaf) + "[" + count(model.obsWords(leaf)) + "];\n";
    if (model.spaces().has_mask)
        text += "static unsigned char mask[" + count(static_cast<std::size_t>(model.spaces().maskBytes())) +
                "];\n";
    text +=
        "\nstatic int read_floats(float *to, int n)\n{\n    int i;\n    for (i = 0; i < n; i++)\n        if "
        "(scanf(\"%f\", &to[i]) != 1) "
        "return 0;\n    return 1;\n}\n\nint main(void)\n{\n    float action[" +
        count(actions) + "];\n    int i;\n";
    if (model.wants_previous_reward) text += "    float previous_reward = 0.0f;\n";
    if (model.spaces().has_mask)
        text += "    for (i = 0; i < " + count(static_cast<std::size_t>(model.spaces().maskBytes())) +
                "; i++) mask[i] = 1; /* everything is allowed */\n";
    text += "    policy_reset(&p);\n    while (1) {\n";
    for (std::size_t leaf = 0; leaf < model.spaces().obs.size(); ++leaf)
        text += "        if (!read_floats(" + names.obs(leaf) + ", " + count(model.obsWords(leaf)) +
                ")) return 0;\n";
    text += "        policy_act(" + callArguments(model, names) + ", action);\n        for (i = 0; i < " +
            count(actions) + "; i++) printf(\"%g%c\", (double)action[i], i + 1 < " + count(actions) +
            " ? ' ' : '\\n');\n";
    if (model.wants_previous_reward)
        text += "        if (!read_floats(&previous_reward, 1)) return 0; /* reward of this decision */\n";
    return comment + withPrefix(text + "    }\n}\n", options.prefix);
}

std::string cHarness(const PolicyModel& model, const TargetOptions& options) {
    const Spaces& spaces = model.spaces();
    const CNames names(model, options.prefix);
    const bool value = options.with_value && model.value_words > 0;
    const auto mask = static_cast<std::size_t>(spaces.maskBytes()),
               actions = static_cast<std::size_t>(spaces.actionWords()),
               state = static_cast<std::size_t>(model.stateWords());
    std::string text =
        "/* SPDX-License-Identifier: Apache-2.0 */\n#include <stdio.h>\n#include <stdlib.h>\n\n#include "
        "\"policy.h\"\n\n"
        "static " +
        options.prefix +
        " p;\n\nint main(void)\n{\n    int rows, row;\n"
        "#ifdef __clang__\n    printf(\"ok %s\\n\", __VERSION__);\n#elif defined(__GNUC__)\n    "
        "printf(\"ok GCC %s\\n\", __VERSION__);\n#else\n    printf(\"ok unknown version\\n\");\n#endif\n"
        "    fflush(stdout);\n"
        "    while (fread(&rows, sizeof rows, 1, stdin) == 1) {\n        const int done = 0, episode = rows "
        "< 0; /* its steps, on the "
        "struct's own memory */\n        size_t n = (size_t)(rows = rows < 0 ? -rows : rows);\n";
    // All inputs, one field after another.
    std::vector<std::pair<std::string, std::size_t>> fields;
    for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf)
        fields.emplace_back("obs" + count(leaf), model.obsWords(leaf));
    if (mask > 0) fields.emplace_back("allowed", mask);
    if (model.wants_previous_action) fields.emplace_back("actions_before", actions);
    if (model.wants_previous_reward) fields.emplace_back("rewards", 1);
    if (state > 0) fields.emplace_back("states", state);
    std::string release;
    for (const auto& [name, words] : fields) {
        text += "        float *" + name + " = malloc(n * " + count(words) + " * sizeof(float));\n";
        text += "        if (!" + name + " || fread(" + name + ", sizeof(float), n * " + count(words) +
                ", stdin) != n * " + count(words) + ") return 1;\n";
        release += "        free(" + name + ");\n";
    }
    text +=
        "        fwrite(&done, sizeof done, 1, stdout);\n        for (row = 0; row < rows; row++) {\n        "
        "    size_t r = (size_t)row;\n "
        "           float action[" +
        count(actions) + "];\n";
    for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf)
        text += "            const float *" + names.obs(leaf) + " = obs" + count(leaf) + " + r * " +
                count(model.obsWords(leaf)) + ";\n";
    if (mask > 0)
        text += "            unsigned char mask[" + count(mask) +
                "];\n            { int i; for (i = 0; i < " + count(mask) + "; i++) mask[i] = allowed[r * " +
                count(mask) + " + (size_t)i] > 0.0f; }\n";
    if (model.wants_previous_reward) text += "            const float previous_reward = rewards[r];\n";
    text += "            if (!episode || row == 0) policy_reset(&p);\n";
    if (model.wants_previous_action)
        text += "            if (!episode) { int i; for (i = 0; i < " + count(actions) +
                "; i++) p.previous_action[i] = actions_before[r * " + count(actions) + " + (size_t)i]; }\n";
    if (state > 0)
        text += "            if (!episode) { int i; for (i = 0; i < " + count(state) +
                "; i++) p.state[i] = states[r * " + count(state) + " + (size_t)i]; }\n";
    text += "            policy_act(" + callArguments(model, names) + ", action);\n";
    text += "            fwrite(p.policy, sizeof(float), " +
            count(static_cast<std::size_t>(model.policy_words)) + ", stdout);\n";
    if (value)
        text += "            policy_value(" + callArguments(model, names) +
                ");\n            fwrite(p.value, sizeof(float), " +
                count(static_cast<std::size_t>(model.value_words)) + ", stdout);\n";
    text += "            fwrite(action, sizeof(float), " + count(actions) + ", stdout);\n";
    if (state > 0) text += "            fwrite(p.state, sizeof(float), " + count(state) + ", stdout);\n";
    if (model.wants_previous_action)
        text += "            fwrite(p.previous_action, sizeof(float), " + count(actions) + ", stdout);\n";
    return withPrefix(text + "        }\n        fflush(stdout);\n" + release + "    }\n    return 0;\n}\n",
                      options.prefix);
}

}  // namespace seedbed
