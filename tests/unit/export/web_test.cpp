// SPDX-License-Identifier: Apache-2.0
// Web pages: in Node.js every built-in environment takes the same steps as here and the policy has the same
// outputs; pages that differ, or whose environment is another program, are refused.
#include <memory>

#include "tests/unit/export/export_fixture.hpp"

#include "core/export/executors/node.hpp"
#include "core/export/executors/programs.hpp"
#include "core/export/web/env_trace.hpp"
#include "core/export/web/page.hpp"
#include "core/policy/networks.hpp"

namespace seedbed::testing {
namespace {

PolicyBundle bundleFor(const std::string& env, NetworkParams params = {}) {
    const Spaces spaces = must(envRegistry().find(env)->spec(Json::object())).spaces;
    return bundleOf(
        must(makeNetSpec(spaces, params, {{"policy", "policy", 0, false}, {"value", "value", 1, false}})),
        env);
}

// A policy with its golden vectors.
struct Trained {
    explicit Trained(PolicyBundle bundle) : model(must(makePolicyModel(std::move(bundle)))) {
        net = must(compileNet("reference", model.plan, EngineOptions{}));
        executor = engineExecutor(model, *net, "reference");
        golden = must(makeGolden(model, *executor));
    }
    PolicyModel model;
    std::unique_ptr<EngineNet> net;
    std::unique_ptr<Executor> executor;
    GoldenVectors golden;
};

class WebPage : public ::testing::Test {
protected:
    void SetUp() override {
        const Trained trained(bundleFor("two_state"));
        if (const auto page = webPage(trained.model, {}); !page) GTEST_SKIP() << page.error().message;
    }
    static std::vector<ExportFile> pageOf(const Trained& trained, const GoldenVectors& golden) {
        std::vector<ExportFile> files{textFile(kPageName, must(webPage(trained.model, {})))};
        must(addGoldenToPage(trained.model, golden, files));
        return files;
    }
    static std::string textOf(const ExportFile& file) { return {file.bytes.begin(), file.bytes.end()}; }
    static Result<std::unique_ptr<Executor>> open(const Trained& trained, std::vector<ExportFile> files) {
        return openNode({trained.model, {}, std::move(files), "", ""});
    }
    // Opening compares golden vectors and the environment inside the module; then the outputs that it returns
    // are compared here.
    static void expectSame(const Trained& trained) {
        const auto node = open(trained, pageOf(trained, trained.golden));
        if (!node && node.error().message.starts_with("Node.js was not found"))
            GTEST_SKIP() << node.error().message;
        ASSERT_TRUE(node) << node.error().text();
        const FormReport report = must(checkParity(trained.model, trained.golden, *trained.executor, **node,
                                                   ParityOptions{.episodes = 0}));
        EXPECT_EQ(report.failure(), "");
        EXPECT_GE(report.differences.size(), 3u);
    }
};

class WebEnvironment : public WebPage, public ::testing::WithParamInterface<std::string> {};

TEST_P(WebEnvironment, TakesTheSameStepsInNode) { expectSame(Trained(bundleFor(GetParam()))); }

INSTANTIATE_TEST_SUITE_P(All, WebEnvironment, ::testing::ValuesIn(envRegistry().ids()),
                         [](const auto& parameter) { return parameter.param; });

TEST_F(WebPage, RecurrentPoliciesUseTheirOwnStateInNode) {
    NetworkParams params;
    params.core = "lstm";
    params.core_size = 12;
    params.previous_action = params.previous_reward = true;
    expectSame(Trained(bundleFor("minatar_breakout", params)));
    params.core = "gru";
    expectSame(Trained(bundleFor("pendulum", params)));
}

TEST_F(WebPage, SquashedActionsAreTheSameInNode) {
    NetworkParams params;
    params.squash = true;
    expectSame(Trained(bundleFor("pendulum", params)));
}

TEST_F(WebPage, IsOneSmallFileWithoutNetwork) {
    NetworkParams params;
    params.hidden = {64, 64};
    const Trained trained(bundleFor("cartpole", params));
    const std::string page = textOf(pageOf(trained, trained.golden).front());
    EXPECT_LE(page.size(), 1'500'000u);
    for (const char* forbidden : {"@SEEDBED_", "http:", "https:", "fetch(", "XMLHttpRequest", "WebSocket"})
        EXPECT_EQ(page.find(forbidden), std::string::npos) << forbidden;
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
    EXPECT_EQ(page, textOf(pageOf(trained, trained.golden).front())) << "the same policy, the same bytes";
}

TEST_F(WebPage, APageWithOtherOutputsIsRefused) {
    const Trained trained(bundleFor("cartpole"));
    GoldenVectors golden = trained.golden;
    golden.batch_result.policy[0] += 0.01f;
    const auto node = open(trained, pageOf(trained, golden));
    if (!node && node.error().message.starts_with("Node.js was not found"))
        GTEST_SKIP() << node.error().message;
    ASSERT_FALSE(node);
    EXPECT_EQ(node.error().code, ErrorCode::parity);
    EXPECT_NE(node.error().message.find("logits of action"), std::string::npos) << node.error().message;
}

TEST_F(WebPage, AnotherEnvironmentIsFoundByItsRecording) {
    const Trained trained(bundleFor("minatar_breakout"));
    EnvTrace trace = must(recordEnvTrace(trained.model, 20, kTraceSteps));
    EXPECT_EQ(must(compareEnvTrace(trained.model, trace)), "");
    EXPECT_EQ(must(compareEnvTrace(trained.model, must(envTraceFromJson(toJson(trace))))), "");
    trace.rewards[100] += 1;
    EXPECT_EQ(must(compareEnvTrace(trained.model, trace)), "a reward differs in step 100");
    trace.rewards[100] -= 1;
    trace.digests[50] += 1;
    EXPECT_EQ(must(compareEnvTrace(trained.model, trace)), "an observation differs in step 50");
    trace.actions.pop_back();
    EXPECT_FALSE(compareEnvTrace(trained.model, trace));
    EXPECT_FALSE(envTraceFromJson(Json{{"seed", 1}}));
}

TEST(EncodedNetwork, IsReadBackAndDamageIsAnError) {
    const PolicyBundle bundle = cartpoleBundle();
    const EncodedNetwork encoded = must(encodeNetwork(bundle, bundle.provenance));
    const PolicyBundle read = must(must(readNetworks(encoded.policy, encoded.params)).acting());
    EXPECT_EQ(read.network.params.sha256(), bundle.network.params.sha256());
    EXPECT_EQ(read.network.spec, bundle.network.spec);
    EXPECT_EQ(read.provenance, bundle.provenance);
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{7}, encoded.params.size() - 1})
        EXPECT_FALSE(readNetworks(encoded.policy, std::span(encoded.params).first(bytes))) << bytes;
    EXPECT_FALSE(readNetworks("{", encoded.params));
}

TEST_F(WebPage, EnvironmentsOfOtherProgramsAreRefused) {
    for (const char* env : {"gym:CartPole-v1", "lib:./my_env.so", "no_such_env"}) {
        PolicyBundle bundle = cartpoleBundle();
        bundle.provenance.env = env;
        const auto page = webPage(must(makePolicyModel(std::move(bundle))), {});
        ASSERT_FALSE(page) << env;
        EXPECT_EQ(page.error().code, ErrorCode::config);
        EXPECT_NE(page.error().message.find("onnx"), std::string::npos) << "names another target";
    }
}

}  // namespace
}  // namespace seedbed::testing
