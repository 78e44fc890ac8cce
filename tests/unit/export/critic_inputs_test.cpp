// SPDX-License-Identifier: Apache-2.0
// Policies that were trained with a central critic are exported without its inputs and act as before.
#include "core/policy/without_critic_inputs.hpp"

#include <algorithm>
#include <vector>

#include "core/nn/engines/check/sample_panel.hpp"
#include "core/policy/networks.hpp"
#include "tests/unit/export/export_fixture.hpp"

namespace seedbed::testing {
namespace {

class CriticInputs : public ExportTest {
protected:
    static PolicyBundle bundle(const std::string& core) {
        const Json env{{"wrap", {{"central_critic", true}}}};
        NetworkParams params;
        params.hidden = {12};
        params.core = core;
        params.core_size = 6;
        params.normalise_obs = true;
        PolicyBundle bundle =
            bundleOf(must(makeNetSpec(must(envRegistry().find("simple_tag")->spec(env)).spaces, params,
                                      {{"policy", "policy", 0, false}, {"value", "value", 1, false}})),
                     "simple_tag");
        bundle.provenance.env_params = env;
        return bundle;
    }
};

TEST_F(CriticInputs, AreRemovedWithoutChangingTheActions) {
    for (const std::string core : {"none", "gru"}) {
        const PolicyBundle before = bundle(core);
        const PolicyBundle after = must(withoutCriticInputs(before));
        EXPECT_EQ(after.spaces().obs.size(), 2U);
        EXPECT_EQ(after.provenance.env_params.at("wrap").at("central_critic"), false);
        const NetPlan whole = must(buildPlan(before.network.spec)),
                      part = must(buildPlan(after.network.spec));
        EXPECT_EQ(part.head("value"), nullptr);
        EXPECT_EQ(whole.state_words, 2 * part.state_words);

        Rng rng(4, RngPurpose::test);
        SamplePanel panel = samplePanel(whole, 5, core == "none" ? 1 : 4, rng);
        // Both cores begin with the same state, so that the policy's part of it does not matter here.
        std::ranges::fill(panel.state, 0.0f);
        const auto run = [&](const NetPlan& plan, const Params& params) {
            const auto net = must(compileNet("reference", plan, EngineOptions{}));
            Rows rows = panel.rows();
            rows.obs.resize(plan.spec.spaces.obs.size());
            const auto words = static_cast<std::size_t>(plan.head_words);
            std::vector<float> heads(words * static_cast<std::size_t>(rows.count())), policy;
            must(net->context()->run(params, rows, {heads.data(), nullptr}, Keep::nothing));
            const PlanHead& head = *plan.head("policy");
            for (std::size_t row = 0; row < heads.size(); row += words)
                for (int i = 0; i < head.width; ++i)
                    policy.push_back(heads[row + static_cast<std::size_t>(head.begin + i)]);
            return policy;
        };
        EXPECT_EQ(run(part, after.network.params), run(whole, before.network.params)) << core;
    }
}

TEST_F(CriticInputs, AreNotPartOfAnExport) {
    ExportRequest wanted = request(bundle("gru"), {"onnx", "c"});
    wanted.executor = "";
    const ExportOutcome outcome = must(exportPolicy(files_, wanted));
    for (const Json& target : outcome.parity.at("targets")) EXPECT_TRUE(target.at("passed").get<bool>());
    EXPECT_NE(outcome.parity.dump().find("\"no_closed_loop\":null"), std::string::npos) << "it was played";
    EXPECT_EQ(outcome.parity.dump().find("\"no_closed_loop\":\""), std::string::npos);
    for (const std::string& name : names(folder()))
        EXPECT_EQ(must(readFile(files_, folder() / name)).find("others_"), std::string::npos) << name;
    VerifyRequest verify;
    verify.folder = folder();
    verify.parity = wanted.parity;
    EXPECT_TRUE(verifyExport(files_, verify));
}

TEST_F(CriticInputs, LeaveOtherPoliciesUnchanged) {
    const PolicyBundle before = cartpoleBundle();
    const PolicyBundle after = must(withoutCriticInputs(before));
    EXPECT_EQ(after.network.spec, before.network.spec);
    EXPECT_EQ(after.network.params.sha256(), before.network.params.sha256());
}

}  // namespace
}  // namespace seedbed::testing
