// SPDX-License-Identifier: Apache-2.0
// Names in exported files are valid and distinct, and names that are valid already stay as they are.
#include "tests/unit/export/export_fixture.hpp"

#include "core/export/c_source.hpp"
#include "core/export/c_text.hpp"
#include "core/export/names.hpp"

namespace seedbed::testing {
namespace {

using Texts = std::vector<std::string>;

TEST(Names, ValidNamesStayAndOthersBecomeValidAndDistinct) {
    const NameRules c = cNameRules(), graph{.alternative = "obs_"};
    const NameRules brief{.identifiers = true, .longest = 6};
    const struct {
        NameRules rules;
        Texts wanted, expected;
    } rows[] = {
        {c, {"arm", "Arm", "_", "arm_2"}, {"arm", "Arm", "_", "arm_2"}},
        {c, {"arm.x", "arm_x"}, {"arm_x_2", "arm_x"}},
        {c, {"arm_x", "arm.x", "arm x"}, {"arm_x", "arm_x_2", "arm_x_3"}},
        {c, {"a.b", "a-b", "a_b_2", "a_b"}, {"a_b_3", "a_b_4", "a_b_2", "a_b"}},
        {c,
         {"gr\xc3\xb6\xc3\x9f"
          "e",
          "gr____e"},
         {"gr____e_2", "gr____e"}},
        {c, {"float", "class", "this", "default", "p"}, {"float_2", "class_2", "this_2", "default_2", "p_2"}},
        {c, {"float", "float_2"}, {"float_3", "float_2"}},
        {c, {"1st", "", "", "a\"\\\n*/%?"}, {"n_1st", "unnamed", "unnamed_2", "a_______"}},
        {brief, {"sevenths", "sevent", "sevent!", "9"}, {"seve_2", "sevent", "seve_3", "n_9"}},
        {graph, {"arm.x", "float", "1st", "p"}, {"arm.x", "float", "1st", "obs_p"}},
        {graph, {"p", "obs_p", ""}, {"obs_p_2", "obs_p", "unnamed"}},
    };
    for (const auto& row : rows) {
        Names names(row.rules);
        names.reserve("p");
        EXPECT_EQ(names.giveAll(row.wanted), row.expected);
    }
    EXPECT_TRUE(isReservedInC("alignas") && isReservedInC("xor_eq") && !isReservedInC("obs"));
}

// Observations and actions whose names are equal in C or are those of other parts of a graph.
PolicyBundle hardBundle() {
    Spaces spaces;
    for (const char* name : {"arm.x", "arm_x", "arm x", "action", "obs_action", "scalar_1", "integers_1",
                             "normaliser.arm.x.mean", "head.policy.weight", "act", "tanh", "w_arm", "float",
                             "action.a.b.low", "Max_0", "choices_3"})
        spaces.obs.push_back(vectorLeaf(2, name));
    spaces.obs.push_back(discreteLeaf(1, 3));
    spaces.obs.back().name = std::string(64, 'x');
    spaces.actions = {boxLeaf({-1}, {1}, "a.b"), boxLeaf({-0.01}, {0.02}, "a_b"), choiceLeaf(3, "1")};
    NetworkParams params;
    params.hidden = {16};
    params.normalise_obs = true;
    params.squash = true;
    params.core = "gru";
    params.previous_reward = true;
    PolicyBundle bundle = bundleOf(
        must(makeNetSpec(spaces, params, {{"policy", "policy", 0, false}, {"value", "value", 1, false}})));
    bundle.reward = {0.25f, 1.5f};
    return bundle;
}

TEST_F(ExportTest, EveryTargetComputesThePolicyWhateverItsMembersAreCalled) {
    for (const char* prefix : {"policy", "obs"}) {
        ExportRequest wanted = request(hardBundle(), {"c", "onnx", "safetensors"});
        wanted.executor = "";
        wanted.options.prefix = prefix;
        wanted.folder = folder(prefix);
        const auto outcome = exportPolicy(files_, wanted);
        EXPECT_TRUE(outcome) << prefix << ": " << outcome.error().message;
    }
}

TEST_F(ExportTest, HeaderNamesTheMemberOfEachParameter) {
    const std::string header = must(cHeader(must(makePolicyModel(hardBundle())), {.prefix = "left"}));
    EXPECT_NE(header.find("obs_arm_x_2[2], the observation 'arm.x'\n"), std::string::npos);
    EXPECT_NE(header.find(" obs_arm_x[2]\n"), std::string::npos);
}

TEST_F(ExportTest, PrefixesAreNotReservedWords) {
    for (const char* prefix : {"float", "class", "p", "main"}) {
        EXPECT_FALSE(checkTargetOptions({.prefix = prefix})) << prefix;
        // Folders of earlier versions remain readable.
        EXPECT_TRUE(targetOptionsFromJson(toJson(TargetOptions{.prefix = prefix}))) << prefix;
    }
}

TEST(CText, NamesInCommentsAreNotUses) {
    EXPECT_TRUE(usesName("y = obs_x[i];", "obs_x"));
    EXPECT_FALSE(usesName("y = obs_x_2[i]; /* obs_x */ my_obs_x;", "obs_x"));
    EXPECT_TRUE(usesName("/* a */ obs_x", "obs_x"));
    EXPECT_EQ(commentText("%s?\?/*/"), "%s? / /");
}

}  // namespace
}  // namespace seedbed::testing
