// SPDX-License-Identifier: Apache-2.0
// Exports that are nearly equal to the policy: the check finds every kind of exporter error in state,
// feedback or names.
#include "tests/unit/export/export_fixture.hpp"

#include "core/export/executors/graph_executor.hpp"
#include "core/export/executors/interpreter.hpp"
#include "core/export/onnx/encode.hpp"
#include "core/export/onnx/policy_graph.hpp"
#include "core/export/provenance_text.hpp"
#include "core/policy/bundle_env.hpp"

namespace seedbed::testing {
namespace {

// The training policy itself, except that `change` modifies its results.
class AlmostRight final : public Executor {
public:
    using Change = std::function<void(const ModelBatch&, ModelResult&)>;
    AlmostRight(const PolicyModel& model, EngineNet& net, Change change)
        : inner_(engineExecutor(model, net, "native")), change_(std::move(change)) {}
    Result<> run(const ModelBatch& batch, ModelResult& result) override {
        SEEDBED_TRY(inner_->run(batch, result));
        change_(batch, result);
        return {};
    }
    Result<> playSequence(const PolicyModel& model, const ModelBatch& steps, ModelResult& result) override {
        if (!wrong_sequence) return Executor::playSequence(model, steps, result);
        ModelBatch changed = steps;
        SEEDBED_TRY(Executor::playSequence(model, changed, result));
        wrong_sequence(model, *inner_, steps, result);
        return {};
    }
    std::string id() const override { return "almost"; }
    std::string version() const override { return "right"; }

    std::function<void(const PolicyModel&, Executor&, const ModelBatch&, ModelResult&)> wrong_sequence;

private:
    std::unique_ptr<Executor> inner_;
    Change change_;
};

class WrongForms : public ExportTest {
protected:
    void use(PolicyBundle bundle) {
        model_ = std::make_unique<PolicyModel>(must(makePolicyModel(std::move(bundle))));
        net_ = must(compileNet("native", model_->plan, EngineOptions{}));
        trainer_ = engineExecutor(*model_, *net_, "native");
        golden_ = must(makeGolden(*model_, *trainer_));
    }
    // Two choices and a box action that often exceeds its bounds; the core gets the previous action.
    void useMixed() {
        NetworkParams params;
        params.core = "gru";
        params.core_size = 8;
        params.previous_action = params.previous_reward = true;
        Spaces spaces;
        spaces.obs = {vectorLeaf(4)};
        spaces.actions = {choiceLeaf(3), boxLeaf({-0.1, -0.1}, {0.1, 0.1}), choiceLeaf(2, "second")};
        use(bundleOf(must(
            makeNetSpec(spaces, params, {{"policy", "policy", 0, false}, {"value", "value", 1, false}}))));
    }
    FormReport check(Executor& form, ParityOptions options = {.episodes = 0}) {
        return must(checkParity(*model_, golden_, *trainer_, form, options));
    }
    std::string failureOf(const AlmostRight::Change& change) {
        AlmostRight form(*model_, *net_, change);
        return check(form).failure();
    }
    static void expectMessage(const std::string& reported, const std::string& text) {
        EXPECT_NE(reported.find(text), std::string::npos) << reported;
    }

    std::unique_ptr<PolicyModel> model_;
    std::unique_ptr<EngineNet> net_;
    std::unique_ptr<Executor> trainer_;
    GoldenVectors golden_;
};

TEST_F(WrongForms, AFormThatFeedsBackTheClippedActionIsFound) {
    useMixed();
    EXPECT_EQ(failureOf([](const ModelBatch&, ModelResult&) {}), "");
    expectMessage(failureOf([](const ModelBatch&, ModelResult& result) { result.feedback = result.action; }),
                  "fed back");
    // The choice that is fed back differs from the one that was made.
    expectMessage(failureOf([](const ModelBatch&, ModelResult& result) { result.feedback[0] += 1; }),
                  "fed back");
}

TEST_F(WrongForms, AFormThatStartsEpisodesWithAnotherPreviousActionIsFound) {
    useMixed();
    AlmostRight form(*model_, *net_, [](const ModelBatch&, ModelResult&) {});
    form.wrong_sequence = [](const PolicyModel& model, Executor& right, const ModelBatch& steps,
                             ModelResult& result) {
        ModelBatch first = rowOf(model, steps, 0);
        first.state.assign(first.state.size(), 0.0f),
            first.previous_action.assign(first.previous_action.size(), 0.0f);
        ModelResult one;
        must(right.run(first, one));
        std::copy(one.policy.begin(), one.policy.end(), result.policy.begin());
    };
    expectMessage(check(form).failure(), "sequence");
}

TEST_F(WrongForms, AFormThatLosesItsMemoryBetweenDecisionsIsFound) {
    useMixed();
    AlmostRight form(*model_, *net_, [](const ModelBatch&, ModelResult&) {});
    form.wrong_sequence = [](const PolicyModel& model, Executor& right, const ModelBatch& steps,
                             ModelResult& result) {
        result = {};
        ModelResult one;
        for (int step = 0; step < steps.rows; ++step) {
            ModelBatch alone = rowOf(model, steps, step);
            alone.state.assign(alone.state.size(), 0.0f);
            must(right.run(alone, one));
            for (const auto& [to, from] : {std::pair{&result.policy, &one.policy},
                                           {&result.value, &one.value},
                                           {&result.action, &one.action},
                                           {&result.state, &one.state},
                                           {&result.feedback, &one.feedback}})
                to->insert(to->end(), from->begin(), from->end());
        }
    };
    expectMessage(check(form).failure(), "sequence");
}

TEST_F(WrongForms, AnErrorNearZeroIsNotHiddenByLargeRows) {
    // Without a normaliser, the outputs for extreme rows are large.
    NetworkParams params;
    params.activation = "relu";
    params.separate_critic = false;
    Spaces spaces;
    spaces.obs = {vectorLeaf(4)};
    spaces.actions = {boxLeaf({-1}, {1})};
    use(bundleOf(
        must(makeNetSpec(spaces, params, {{"policy", "policy", 0, false}, {"value", "value", 1, false}}))));
    float largest = 0;
    for (const float x : golden_.batch_result.value) largest = std::max(largest, std::abs(x));
    ASSERT_GT(largest, 1e4f);
    const auto shifted = [&](int row) {
        return failureOf([row](const ModelBatch& batch, ModelResult& result) {
            if (batch.rows > row) result.value[static_cast<std::size_t>(row)] += 0.01f;
        });
    };
    for (const int row : {2, 6, 7}) expectMessage(shifted(kOrdinaryRows + row), "near zero");
}

TEST_F(WrongForms, AnOutputOfAProfileThatIsNotThePlainOneIsFound) {
    NetworkParams params;
    Spaces spaces;
    spaces.obs = {vectorLeaf(4)},
    spaces.actions = {choiceLeaf(3), boxLeaf({-1, -1}, {1, 1}), choiceLeaf(2, "second")};
    use(bundleOf(
        must(makeNetSpec(spaces, params, {{"policy", "policy", 0, false}, {"value", "value", 1, false}}))));
    const auto failsWith = [&](const std::string& profile, const std::string& output) {
        const onnx::Profile which = must(onnx::profileFromName(profile));
        onnx::PolicyGraph graph = must(onnx::buildPolicyGraph(*model_, which, true));
        const auto made = [&](const std::string& name) {
            return std::find_if(graph.model.nodes.begin(), graph.model.nodes.end(),
                                [&](const onnx::Node& node) { return node.outputs[0] == name; });
        };
        // Reorders choices and distorts box actions.
        const auto node = made(output);
        ASSERT_NE(node, graph.model.nodes.end());
        if (output.find("discrete") == std::string::npos) node->op = "Tanh";
        else std::swap(made(node->inputs[0])->inputs.front(), made(node->inputs[0])->inputs.back());
        const auto executor = openInterpreter(
            {*model_, {.profile = profile}, {{kOnnxName, onnx::encode(graph.model)}}, "", ""});
        ASSERT_TRUE(executor) << executor.error().text();
        const auto report = checkParity(*model_, golden_, *trainer_, **executor, {.episodes = 0});
        ASSERT_FALSE(report) << output;
        EXPECT_EQ(report.error().code, ErrorCode::parity);
        EXPECT_NE(report.error().message.find("outputs of profile plain"), std::string::npos)
            << report.error().message;
    };
    failsWith("unity", "continuous_actions");
    failsWith("unity", "deterministic_continuous_actions");
    failsWith("unity", "discrete_actions");
    failsWith("godot", "output");
}

TEST_F(WrongForms, UnfinishedEpisodesAreNotACompleteProof) {
    use(cartpoleBundle());
    AlmostRight form(*model_, *net_, [](const ModelBatch&, ModelResult&) {});
    const Json whole = toJson(check(form, {.episodes = 20, .seconds = 200}));
    EXPECT_EQ(whole.at("closed_loop").at("episodes"), 20);
    EXPECT_EQ(whole.at("closed_loop_passed"), true);
    // With a time limit of 0, only thirty steps are played; some episodes of random policies end earlier.
    FormReport cut = check(form, {.episodes = 20, .seconds = 0});
    ASSERT_TRUE(cut.closed_loop);
    EXPECT_EQ(cut.closed_loop->episodes + cut.closed_loop->cut, 20);
    cut.closed_loop->episodes = 19;
    cut.closed_loop->cut = 1;
    EXPECT_EQ(toJson(cut).at("closed_loop_passed"), "partial");
    EXPECT_EQ(toJson(check(form, {.episodes = 4, .seconds = 200})).at("closed_loop_passed"), "partial");
}

TEST_F(WrongForms, EpisodesOfSelfPlayCountOnce) {
    const Spaces spaces = envRegistry().find("pong")->spec(Json::object())->spaces;
    NetworkParams params;
    params.hidden = {4};
    PolicyBundle bundle = bundleOf(
        must(makeNetSpec(spaces, params, {{"policy", "policy", 0, false}, {"value", "value", 1, false}})),
        "pong");
    use(std::move(bundle));
    const BundleEnv env = must(environmentOf(model_->bundle));
    if (env.spec.agents != 2) GTEST_SKIP() << "pong has one agent by default";
    AlmostRight form(*model_, *net_, [](const ModelBatch&, ModelResult&) {});
    const FormReport report = check(form, {.episodes = 3, .seconds = 1});
    EXPECT_EQ(report.closed_loop->episodes + report.closed_loop->cut, 3);
    EXPECT_EQ(report.free_running->trainer.size(), 3u);
}

// --- the environment of a third-party policy

TEST_F(WrongForms, RewordedLabelsDoNotMakeAPolicyUnusable) {
    PolicyBundle bundle = cartpoleBundle();
    ASSERT_FALSE(bundle.network.spec.spaces.actions[0].labels.empty());
    bundle.network.spec.spaces.actions[0].labels[0] = "other words";
    EXPECT_TRUE(environmentOf(bundle));
    use(bundle);
    AlmostRight form(*model_, *net_, [](const ModelBatch&, ModelResult&) {});
    EXPECT_TRUE(check(form, {.episodes = 2}).closed_loop);
}

TEST_F(WrongForms, EnvironmentsThatDoNotMatchAreErrorsWithTheReason) {
    const auto reason = [](const PolicyBundle& bundle) {
        const auto env = environmentOf(bundle);
        return env ? std::string() : env.error().message;
    };
    PolicyBundle bundle = cartpoleBundle();
    bundle.provenance.env_params = "abc";
    expectMessage(reason(bundle), "settings");
    bundle.provenance.env_params = {{"no_such_setting", 1}};
    expectMessage(reason(bundle), "no_such_setting");
    bundle.provenance.env_params = Json::object();
    bundle.provenance.env = "nowhere";
    expectMessage(reason(bundle), "unknown environment 'nowhere'");
    bundle.provenance.env = "acrobot";
    expectMessage(reason(bundle), "differ from those of");
    // In every case the policy can be exported but not played.
    ExportRequest wanted = request(bundle);
    const ExportOutcome outcome = must(exportPolicy(files_, wanted));
    EXPECT_TRUE(outcome.parity.at("targets").at(0).at("closed_loop").is_null());
    expectMessage(outcome.parity.at("targets").at(0).at("no_closed_loop").get<std::string>(),
                  "differ from those of");
}

}  // namespace
}  // namespace seedbed::testing
