// SPDX-License-Identifier: Apache-2.0
// The reference engine through its interface: equality with explicit definitions, independence of rows,
// recurrence step by step, and the check engine.
#include "core/nn/engine.hpp"

#include "core/base/simd.hpp"
#include "core/nn/engines/check/parity.hpp"
#include "core/nn/plan_builder.hpp"
#include "tests/unit/nn/nn_util.hpp"

namespace seedbed::testing_nn {

namespace {

Spaces mixedSpaces() {
    return {
        .obs = {imageLeaf("screen", 3, 12, 11, 255, 2), vectorLeaf("place", 3), discreteLeaf("kind", 2, 3)},
        .actions = {choice("move", 3), box("steer", {-1, -2}, {1, 2})}};
}

NetPlan mixedPlan(const std::string& core, const std::string& encoder = "impala_deep") {
    NetworkParams params;
    params.encoder = encoder;
    params.core = core;
    params.core_size = 9;
    params.hidden = {17, 13};
    params.previous_action = params.previous_reward = core != "none";
    params.normalise_obs = params.layer_norm = true;
    return planOf(specOf(mixedSpaces(), params));
}

std::unique_ptr<EngineNet> compiled(const NetPlan& plan, const std::string& engine = "reference",
                                    bool double_precision = false) {
    auto net = compileNet(engine, plan, {.double_precision = double_precision});
    EXPECT_TRUE(net);
    return std::move(*net);
}

// Copies the sequences in `chosen` to a separate panel: rows [begin, begin + count) of every sequence set.
SamplePanel pick(const NetPlan& plan, const SamplePanel& from, const std::vector<int>& chosen, int first_step,
                 int steps) {
    SamplePanel to;
    to.sequences = static_cast<int>(chosen.size());
    to.steps = steps;
    to.obs.resize(from.obs.size());
    const int action_words = plan.spec.spaces.actionWords();
    for (int t = first_step; t < first_step + steps; ++t) {
        for (const int s : chosen) {
            const auto row = static_cast<std::ptrdiff_t>(t) * from.sequences + s;
            for (std::size_t leaf = 0; leaf < to.obs.size(); ++leaf) {
                const ObsLeaf& spec = plan.spec.spaces.obs[leaf];
                const auto bytes = static_cast<std::ptrdiff_t>(spec.bytes()) * spec.stack;
                to.obs[leaf].insert(to.obs[leaf].end(), from.obs[leaf].begin() + row * bytes,
                                    from.obs[leaf].begin() + (row + 1) * bytes);
            }
            to.first.push_back(from.first[static_cast<std::size_t>(row)]);
            to.previous_reward.push_back(from.previous_reward[static_cast<std::size_t>(row)]);
            to.previous_action.insert(to.previous_action.end(),
                                      from.previous_action.begin() + row * action_words,
                                      from.previous_action.begin() + (row + 1) * action_words);
        }
    }
    for (const int s : chosen)
        to.state.insert(to.state.end(), from.state.begin() + s * plan.state_words,
                        from.state.begin() + (s + 1) * plan.state_words);
    return to;
}

struct Results {
    std::vector<float> heads, state;
};

Results runOn(NetContext& context, const NetPlan& plan, const Params& params, const SamplePanel& panel,
              Keep keep = Keep::nothing) {
    Results results;
    results.heads.resize(static_cast<std::size_t>(panel.sequences * panel.steps * plan.head_words));
    results.state.resize(static_cast<std::size_t>(panel.sequences * plan.state_words));
    const auto done =
        context.run(params, panel.rows(),
                    {results.heads.data(), plan.state_words == 0 ? nullptr : results.state.data()}, keep);
    EXPECT_TRUE(done);
    return results;
}

// --- definitions

// The heads of a plan with one operation for `rows` rows of a vector leaf, in double.
std::vector<double> evaluate(const NetPlan& plan, const SamplePanel& panel, const std::vector<double>& blob) {
    reference::Runner<double> runner(plan);
    std::vector<double> heads(static_cast<std::size_t>(panel.sequences * panel.steps * plan.head_words)),
        state = wide(panel.state);
    runner.setParams(blob.data());
    runner.forward(panel.rows(), state.data(), heads.data(), nullptr);
    return heads;
}

TEST(ReferenceDefinition, ConvolutionAndPoolingAreThePlainSums) {
    NetSpec spec;
    spec.spaces = {.obs = {imageLeaf("screen", 2, 7, 6)}, .actions = {choice("move", 2)}};
    for (const bool pool : {false, true}) {
        for (const int stride : {1, 2, 3}) {
            for (const int pad : {0, 1, 2}) {
                PlanBuilder builder(spec);
                const int x = builder.add("input", {.leaf = 0});
                const int y =
                    pool ? builder.add("max_pool", {.inputs = {x}, .kernel = 3, .stride = stride, .pad = pad})
                         : builder.add("conv2d", {.inputs = {x},
                                                  .name = "conv",
                                                  .width = 4,
                                                  .kernel = 3,
                                                  .stride = stride,
                                                  .pad = pad});
                const PlanValue size = builder.value(y);
                builder.head("out", "value", y);
                const NetPlan plan = *builder.finish();
                Rng rng(testSeed(51), RngPurpose::test);
                const SamplePanel panel = samplePanel(plan, 2, 1, rng);
                const std::vector<double> blob = wide(sampleBlob(plan, 1)),
                                          heads = evaluate(plan, panel, blob);
                const auto pixel = [&](int row, int c, int i, int j) {
                    return panel.obs[0][static_cast<std::size_t>(((row * 2 + c) * 7 + i) * 6 + j)] / 255.0;
                };
                for (int row = 0; row < 2; ++row) {
                    for (int out = 0, at = 0; out < size.channels; ++out) {
                        for (int i = 0; i < size.height; ++i) {
                            for (int j = 0; j < size.width; ++j, ++at) {
                                double sum = pool ? 0
                                                  : blob[plan.param("conv.bias")->offset +
                                                         static_cast<std::size_t>(out)],
                                       top = -1;
                                for (int c = 0; c < 2; ++c) {
                                    for (int a = 0; a < 3; ++a) {
                                        for (int b = 0; b < 3; ++b) {
                                            const int p = i * stride + a - pad, q = j * stride + b - pad;
                                            if (p < 0 || p >= 7 || q < 0 || q >= 6) continue;
                                            if (pool && c == out) top = std::max(top, pixel(row, c, p, q));
                                            if (!pool)
                                                sum += blob[plan.param("conv.weight")->offset +
                                                            static_cast<std::size_t>(
                                                                ((out * 2 + c) * 3 + a) * 3 + b)] *
                                                       pixel(row, c, p, q);
                                        }
                                    }
                                }
                                // The same sums in a different order.
                                EXPECT_NEAR(heads[static_cast<std::size_t>(row * plan.head_words + at)],
                                            pool ? top : sum, 1e-13);
                            }
                        }
                    }
                }
            }
        }
    }
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// One step of LSTM or GRU as in the documentation of torch.nn.LSTMCell and torch.nn.GRUCell; `h` and `c` are
// updated.
void referenceCell(const NetPlan& plan, const std::vector<double>& blob, bool lstm,
                   const std::vector<double>& x, std::vector<double>& h, std::vector<double>& c) {
    const auto size = h.size();
    const auto part = [&](const std::string& side, std::size_t gate, std::size_t k,
                          const std::vector<double>& from) {
        const std::size_t row = gate * size + k;
        double sum = blob[plan.param("core.bias_" + side)->offset + row];
        for (std::size_t i = 0; i < from.size(); ++i)
            sum += blob[plan.param("core.weight_" + side)->offset + row * from.size() + i] * from[i];
        return sum;
    };
    const std::vector<double> before = h;
    for (std::size_t k = 0; k < size; ++k) {
        const auto both = [&](std::size_t gate) {
            return part("ih", gate, k, x) + part("hh", gate, k, before);
        };
        if (lstm) {
            c[k] = logistic(both(1)) * c[k] + logistic(both(0)) * std::tanh(both(2));
            h[k] = logistic(both(3)) * std::tanh(c[k]);
        } else {
            const double r = logistic(both(0)), z = logistic(both(1)),
                         n = std::tanh(part("ih", 2, k, x) + r * part("hh", 2, k, before));
            h[k] = (1 - z) * n + z * before[k];
        }
    }
}

TEST(ReferenceDefinition, RecurrentCellsAreThoseOfTorchAndResetBeforeFirstRows) {
    for (const bool lstm : {false, true}) {
        NetSpec spec;
        spec.spaces = {.obs = {vectorLeaf("obs", 3)}, .actions = {choice("move", 2)}};
        PlanBuilder builder(spec);
        const int x = builder.add("input", {.leaf = 0});
        builder.head("out", "value",
                     lstm ? builder.add("lstm", {.inputs = {x}, .name = "core", .width = 4})
                          : builder.add("gru", {.inputs = {x}, .name = "core", .width = 4}));
        const NetPlan plan = *builder.finish();
        Rng rng(testSeed(52), RngPurpose::test);
        const SamplePanel panel = samplePanel(plan, 3, 9, rng);
        const std::vector<double> blob = wide(sampleBlob(plan, 2)), heads = evaluate(plan, panel, blob);
        const auto values = reinterpret_cast<const float*>(panel.obs[0].data());
        for (int s = 0; s < 3; ++s) {
            const float* state = &panel.state[static_cast<std::size_t>(s * plan.state_words)];
            std::vector<double> h(state, state + 4), c(4, 0.0);
            if (lstm) c.assign(state + 4, state + 8);
            for (int t = 0; t < 9; ++t) {
                const int row = t * 3 + s;
                if (panel.first[static_cast<std::size_t>(row)]) {
                    h.assign(4, 0.0);
                    c.assign(4, 0.0);
                }
                referenceCell(plan, blob, lstm, {values + row * 3, values + row * 3 + 3}, h, c);
                // The same operations in double; only the order of sums differs.
                for (int k = 0; k < 4; ++k)
                    EXPECT_NEAR(heads[static_cast<std::size_t>(row * 4 + k)], h[static_cast<std::size_t>(k)],
                                1e-13);
            }
        }
    }
}

TEST(ReferenceDefinition, InputsAreScaledOneHotNormalisedAndClipped) {
    NetSpec spec;
    spec.spaces = {
        .obs = {imageLeaf("screen", 1, 1, 3, 7), discreteLeaf("kind", 2, 3), vectorLeaf("place", 2)},
        .actions = {choice("move", 3), box("steer", {-1}, {1})}};
    spec.normalise_clip = 2;
    PlanBuilder builder(spec);
    const int x = builder.concat(
        {builder.add("input", {.leaf = 0}), builder.add("input", {.leaf = 1}),
         builder.add("normalise", {.inputs = {builder.add("input", {.leaf = 2})}, .name = "place"}),
         builder.add("previous_action", {}), builder.add("previous_reward", {})});
    builder.head("out", "value", x);
    const NetPlan plan = *builder.finish();
    SamplePanel panel;
    panel.sequences = 2;
    const auto bytes = [](const auto& values) {
        const auto* begin = reinterpret_cast<const std::uint8_t*>(values.data());
        return std::vector<std::uint8_t>(begin, begin + values.size() * sizeof(values[0]));
    };
    panel.obs = {{0, 7, 14, 1, 2, 3},
                 bytes(std::vector<std::int32_t>{2, 0, 1, 99}),
                 bytes(std::vector<float>{3, -50, 1, 1})};
    panel.first = {0, 1};
    panel.previous_action = {2, 0.5f, 1, 0.25f};
    panel.previous_reward = {-3, 4};
    std::vector<double> blob(plan.param_floats, 0.0);
    blob[plan.param("place.mean")->offset] = 1;
    blob[plan.param("place.var")->offset] = 4;
    blob[plan.param("place.mean")->offset + 1] = 0;
    blob[plan.param("place.var")->offset + 1] = 1;
    const std::vector<double> heads = evaluate(plan, panel, blob);
    const std::vector<double> expected{0,       1,       2,       0, 0, 1, 1, 0, 0, 1, -2, 0, 0, 1, 0.5, -3,
                                       1.0 / 7, 2.0 / 7, 3.0 / 7, 0, 1, 0, 0, 0, 0, 0, 1,  0, 0, 0, 0,   0};
    ASSERT_EQ(heads.size(), expected.size());
    // The normaliser adds 1e-8 inside the square root.
    for (std::size_t i = 0; i < heads.size(); ++i) EXPECT_NEAR(heads[i], expected[i], 1e-7) << i;
}

// --- independence

TEST(ReferenceEngine, RowsDoNotDependOnTheOthersNorOnTheTape) {
    const std::uint64_t seed = testSeed(61);
    for (const std::string core : {"none", "lstm", "gru"}) {
        const NetPlan plan = mixedPlan(core);
        Rng rng(seed, RngPurpose::test);
        // More rows than one block of an inference pass.
        const SamplePanel all = samplePanel(plan, 70, 1, rng);
        const Params params(sampleBlob(plan, seed), 1);
        const auto net = compiled(plan);
        const auto context = net->context();
        const Results together = runOn(*context, plan, params, all),
                      taped = runOn(*context, plan, params, all, Keep::tape);
        EXPECT_EQ(together.heads, taped.heads);
        EXPECT_EQ(together.state, taped.state);
        for (const std::vector<int>& chosen :
             {std::vector<int>{0}, {69}, {5, 3}, {64, 1, 2}, {10, 20, 30, 40, 50}}) {
            const Results some = runOn(*context, plan, params, pick(plan, all, chosen, 0, 1));
            for (std::size_t i = 0; i < chosen.size(); ++i) {
                const auto words = static_cast<std::size_t>(plan.head_words),
                           state = static_cast<std::size_t>(plan.state_words),
                           from = static_cast<std::size_t>(chosen[i]);
                EXPECT_TRUE(std::equal(&some.heads[i * words], &some.heads[i * words] + words,
                                       &together.heads[from * words]))
                    << core << " " << chosen[i];
                for (std::size_t k = 0; k < state; ++k)
                    EXPECT_EQ(some.state[i * state + k], together.state[from * state + k]);
            }
        }
    }
}

TEST(ReferenceEngine, SequenceEqualsItsStepsWithPassedState) {
    const std::uint64_t seed = testSeed(62);
    constexpr int kSequences = 3, kSteps = 12;
    for (const std::string core : {"lstm", "gru"}) {
        const NetPlan plan = mixedPlan(core, "flat");
        Rng rng(seed, RngPurpose::test);
        const SamplePanel whole = samplePanel(plan, kSequences, kSteps, rng);
        const Params params(sampleBlob(plan, seed), 1);
        const auto net = compiled(plan);
        const auto context = net->context(), stepper = net->context();
        const Results sequence = runOn(*context, plan, params, whole, Keep::tape);
        std::vector<float> carried = whole.state, heads;
        for (int t = 0; t < kSteps; ++t) {
            SamplePanel step = pick(plan, whole, {0, 1, 2}, t, 1);
            step.state = carried;
            const Results result = runOn(*stepper, plan, params, step);
            heads.insert(heads.end(), result.heads.begin(), result.heads.end());
            carried = result.state;
        }
        EXPECT_EQ(heads, sequence.heads) << core;
        EXPECT_EQ(carried, sequence.state) << core;
    }
}

TEST(ReferenceEngine, AnEpisodeDoesNotDependOnThePreviousOne) {
    for (const std::string core : {"lstm", "gru"}) {
        const NetPlan plan = mixedPlan(core, "flat");
        Rng rng(testSeed(63), RngPurpose::test);
        SamplePanel panel = samplePanel(plan, 1, 6, rng);
        panel.first = {0, 0, 0, 1, 0, 0};
        const Params params(sampleBlob(plan, 3), 1);
        const auto net = compiled(plan);
        const auto context = net->context();
        const Results before = runOn(*context, plan, params, panel);
        for (float& x : panel.state) x += 1;
        for (std::size_t i = 0; i < 3; ++i) panel.previous_reward[i] += 1;
        panel.previous_reward[3] += 1;
        panel.previous_action[9] += 0.5f;  // from before the reset
        const Results after = runOn(*context, plan, params, panel);
        const auto half = static_cast<std::ptrdiff_t>(3 * plan.head_words);
        EXPECT_FALSE(std::equal(before.heads.begin(), before.heads.begin() + half, after.heads.begin()));
        EXPECT_TRUE(std::equal(before.heads.begin() + half, before.heads.end(), after.heads.begin() + half));
        EXPECT_EQ(before.state, after.state);
    }
}

TEST(ReferenceEngine, GivesTheSameBitsOnEveryInstructionSet) {
    for (const std::string core : {"none", "lstm", "gru"}) {
        const NetPlan plan = mixedPlan(core);
        std::vector<std::vector<float>> results;
        for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
            limitIsa(isa);
            Rng rng(testSeed(64), RngPurpose::test);
            const SamplePanel panel = samplePanel(plan, 5, 3, rng);
            const auto net = compiled(plan);
            const auto context = net->context();
            Results result = runOn(*context, plan, Params(sampleBlob(plan, 4), 1), panel, Keep::tape);
            std::vector<float> lane(plan.param_floats, 0.0f);
            ASSERT_TRUE(context->backward(result.heads.data(), lane.data()));
            result.heads.insert(result.heads.end(), lane.begin(), lane.end());
            results.push_back(std::move(result.heads));
        }
        limitIsa(detectedIsa());
        EXPECT_EQ(results[0], results[1]) << core;
        EXPECT_EQ(results[0], results[2]) << core;
    }
}

TEST(ReferenceEngine, BackwardAddsToTheLaneAndMayBeRepeated) {
    const NetPlan plan = mixedPlan("lstm", "minatar_conv");
    Rng rng(testSeed(65), RngPurpose::test);
    const SamplePanel panel = samplePanel(plan, 2, 4, rng);
    for (const bool double_precision : {false, true}) {
        const auto net = compiled(plan, "reference", double_precision);
        const auto context = net->context();
        const Results result = runOn(*context, plan, Params(sampleBlob(plan, 4), 1), panel, Keep::tape);
        std::vector<float> once(plan.param_floats, 0.0f), again = once, twice(plan.param_floats, 1.0f);
        ASSERT_TRUE(context->backward(result.heads.data(), once.data()));
        ASSERT_TRUE(context->backward(result.heads.data(), again.data()));
        EXPECT_EQ(once, again);
        ASSERT_TRUE(context->backward(result.heads.data(), twice.data()));
        // Sums that begin at 1 round differently.
        for (std::size_t i = 0; i < once.size(); ++i)
            EXPECT_NEAR(twice[i], 1 + once[i], 1e-5 * (1 + std::abs(once[i])));
    }
}

TEST(ReferenceEngine, ContextsFollowNewParameters) {
    const NetPlan plan = mixedPlan("none");
    Rng rng(testSeed(66), RngPurpose::test);
    const SamplePanel panel = samplePanel(plan, 4, 1, rng);
    const auto net = compiled(plan);
    const auto used = net->context();
    for (std::uint64_t seed = 1; seed < 5; ++seed) {
        const Params params(sampleBlob(plan, seed), 0);  // equal versions, on purpose
        const auto fresh = net->context();
        EXPECT_EQ(runOn(*used, plan, params, panel).heads, runOn(*fresh, plan, params, panel).heads);
    }
    // A working copy is modified in place and gets a new version.
    const auto working = std::make_shared<std::vector<float>>(sampleBlob(plan, 8));
    runOn(*used, plan, Params(std::shared_ptr<const std::vector<float>>(working), 1), panel);
    *working = sampleBlob(plan, 9);
    const Params changed(std::shared_ptr<const std::vector<float>>(working), 2);
    const auto fresh = net->context();
    EXPECT_EQ(runOn(*used, plan, changed, panel).heads, runOn(*fresh, plan, changed, panel).heads);
}

// --- parity

TEST(CheckEngine, FloatAgreesWithDoubleOnEveryKindOfNetwork) {
    const std::uint64_t seed = testSeed(71);
    for (const std::string encoder :
         {"flat", "board", "minatar_conv", "nature", "impala_shallow", "impala_deep"}) {
        for (const std::string core : {"none", "lstm", "gru"}) {
            NetworkParams params;
            params.encoder = encoder;
            params.core = core;
            params.hidden = {32, 32};
            params.core_size = 16;
            params.normalise_obs = true;
            params.activation = core == "none" ? "tanh" : core == "gru" ? "elu" : "relu";
            Spaces spaces = mixedSpaces();
            // The deep network has many ReLUs: on a larger image, float rounding would move one of them
            // across its kink.
            if (encoder != "impala_deep") spaces.obs[0] = imageLeaf("screen", 2, 36, 36);
            const NetPlan plan = planOf(specOf(spaces, params));
            const auto exact = compiled(plan, "reference", true), fast = compiled(plan);
            const auto report = measureParity(*exact, *fast, 3, core == "none" ? 1 : 4, seed);
            ASSERT_TRUE(report);
            const auto verdict = report->check({}, "reference");
            EXPECT_TRUE(verdict) << encoder << " " << core << ": " << verdict.error().text();
        }
    }
}

// An engine with one error: in a head column, a state word or one parameter's gradient.
class BrokenContext final : public NetContext {
public:
    BrokenContext(std::unique_ptr<NetContext> inner, const NetPlan& plan, int fault)
        : inner_(std::move(inner)), plan_(plan), fault_(fault) {}
    Result<> run(const Params& params, const Rows& rows, const Outputs& out, Keep keep) override {
        SEEDBED_TRY(inner_->run(params, rows, out, keep));
        if (fault_ == 1) out.heads[plan_.head("value")->begin] += 1e-3f;
        if (fault_ == 2) out.state[0] += 1e-3f;
        return {};
    }
    Result<> backward(const float* head_gradients, float* lane, const std::vector<float*>* inputs) override {
        SEEDBED_TRY(inner_->backward(head_gradients, lane, inputs));
        if (fault_ == 3) lane[plan_.param("head.value.bias")->offset] *= 1.01f;
        return {};
    }

private:
    std::unique_ptr<NetContext> inner_;
    const NetPlan& plan_;
    int fault_;
};

int fault = 0;

class BrokenNet final : public EngineNet {
public:
    explicit BrokenNet(std::unique_ptr<EngineNet> inner) : inner_(std::move(inner)) {}
    const NetPlan& plan() const override { return inner_->plan(); }
    std::unique_ptr<NetContext> context() override {
        return std::make_unique<BrokenContext>(inner_->context(), plan(), fault);
    }

private:
    std::unique_ptr<EngineNet> inner_;
};

[[maybe_unused]] const bool registered =
    (engineRegistry().add({
         .id = "broken",
         .aliases = {},
         .help = "Wrong on purpose.",
         .devices = []() -> Result<std::vector<std::string>> { return std::vector<std::string>{"cpu"}; },
         .compile = [](const NetPlan& plan,
                       const EngineOptions& options) -> Result<std::unique_ptr<EngineNet>> {
             SEEDBED_ASSIGN(auto inner, compileNet("reference", plan, options));
             return std::make_unique<BrokenNet>(std::move(inner));
         },
     }),
     true);

TEST(CheckEngine, StopsAtTheFirstDifferenceAndNamesIt) {
    const NetPlan plan = mixedPlan("lstm", "flat");
    Rng rng(testSeed(72), RngPurpose::test);
    const SamplePanel panel = samplePanel(plan, 2, 3, rng);
    const Params params(sampleBlob(plan, 4), 1);
    std::vector<float> heads(static_cast<std::size_t>(6 * plan.head_words)),
        state(static_cast<std::size_t>(2 * plan.state_words)), lane(plan.param_floats, 0.0f);
    const std::vector<std::string> expected{"", "head 'value', row 0", "recurrent state, sequence 0",
                                            "head.value.bias"};
    for (fault = 0; fault < 4; ++fault) {
        const auto net = compiled(plan, "check:broken");
        const auto context = net->context();
        auto verdict = context->run(params, panel.rows(), {heads.data(), state.data()}, Keep::tape);
        if (verdict) verdict = context->backward(heads.data(), lane.data());
        EXPECT_EQ(static_cast<bool>(verdict), fault == 0) << fault;
        if (verdict) continue;
        EXPECT_EQ(verdict.error().code, ErrorCode::parity);
        EXPECT_NE(verdict.error().message.find(expected[static_cast<std::size_t>(fault)]), std::string::npos)
            << verdict.error().message;
        EXPECT_NE(verdict.error().message.find("'broken'"), std::string::npos) << verdict.error().message;
    }
    fault = 0;
}

TEST(CheckEngine, ReturnsTheResultsOfTheTestedEngine) {
    const NetPlan plan = mixedPlan("gru", "minatar_conv");
    Rng rng(testSeed(73), RngPurpose::test);
    const SamplePanel panel = samplePanel(plan, 2, 3, rng);
    const Params params(sampleBlob(plan, 4), 1);
    const auto plain = compiled(plan), checked = compiled(plan, "check:reference");
    const auto a = plain->context(), b = checked->context();
    const Results x = runOn(*a, plan, params, panel, Keep::tape),
                  y = runOn(*b, plan, params, panel, Keep::tape);
    EXPECT_EQ(x.heads, y.heads);
    EXPECT_EQ(x.state, y.state);
    std::vector<float> la(plan.param_floats, 0.0f), lb = la;
    ASSERT_TRUE(a->backward(x.heads.data(), la.data()));
    ASSERT_TRUE(b->backward(x.heads.data(), lb.data()));
    EXPECT_EQ(la, lb);
}

TEST(Engines, AreRejectedByNameAndDeviceWithARemedy) {
    const NetPlan plan = mixedPlan("none", "flat");
    const auto unknown = compileNet("referense", plan, {});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::config);
    EXPECT_NE(unknown.error().message.find("'reference'"), std::string::npos);
    const auto device = compileNet("reference", plan, {.device = "cuda:0"});
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().code, ErrorCode::device);
    EXPECT_FALSE(compileNet("reference:check", plan, {}));
    EXPECT_FALSE(compileNet("check:check", plan, {}));
    EXPECT_FALSE(compileNet("check:unknown", plan, {}));
}

}  // namespace

}  // namespace seedbed::testing_nn
