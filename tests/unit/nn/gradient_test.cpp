// SPDX-License-Identifier: Apache-2.0
// Gradients of the reference engine in double compared with central differences: every operation in
// isolation, and every kind of network as a whole.
#include <gtest/gtest.h>

#include <tuple>

#include "core/nn/plan_builder.hpp"
#include "tests/unit/nn/nn_util.hpp"

namespace seedbed::testing_nn {

namespace {

// A plan that ends in the operation under test. `x` is an image [3, 7, 6], the output of a convolution, so
// that the weights of the convolution depend on the operation's input gradient.
using AddOp = std::function<int(PlanBuilder& builder, int x)>;

NetPlan opPlan(const AddOp& add) {
    NetSpec spec;
    spec.spaces = {.obs = {imageLeaf("screen", 2, 9, 8)},
                   .actions = {choice("move", 3), box("steer", {-1, -2}, {1, 2})}};
    PlanBuilder builder(spec);
    builder.setScope("net");
    const int x = builder.add("conv2d", {.inputs = {builder.add("input", {.leaf = 0})},
                                         .name = "before",
                                         .width = 3,
                                         .kernel = 3,
                                         .activation = Activation::tanh});
    builder.head("out", "value", add(builder, x));
    auto plan = builder.finish();
    if (!plan) std::abort();
    return *plan;
}

struct OpCase {
    std::string name;
    AddOp add;
};

class OperationGradient : public ::testing::TestWithParam<OpCase> {};

TEST_P(OperationGradient, EqualsCentralDifferences) {
    GradientProbe(opPlan(GetParam().add), 2, 3, testSeed(11)).expectGradients();
}

const OpCase kOps[] = {
    {"linear",
     [](PlanBuilder& b, int x) { return b.add("linear", {.inputs = {x}, .name = "op", .width = 5}); }},
    {"linear_tanh",
     [](PlanBuilder& b, int x) {
         return b.add("linear", {.inputs = {x}, .name = "op", .width = 5, .activation = Activation::tanh});
     }},
    {"linear_relu",
     [](PlanBuilder& b, int x) {
         return b.add("linear", {.inputs = {x}, .name = "op", .width = 5, .activation = Activation::relu});
     }},
    {"linear_elu",
     [](PlanBuilder& b, int x) {
         return b.add("linear", {.inputs = {x}, .name = "op", .width = 5, .activation = Activation::elu});
     }},
    {"conv2d", [](PlanBuilder& b,
                  int x) { return b.add("conv2d", {.inputs = {x}, .name = "op", .width = 4, .kernel = 3}); }},
    {"conv2d_stride_2_pad_1",
     [](PlanBuilder& b, int x) {
         return b.add("conv2d", {.inputs = {x},
                                 .name = "op",
                                 .width = 4,
                                 .kernel = 3,
                                 .stride = 2,
                                 .pad = 1,
                                 .activation = Activation::relu});
     }},
    {"conv2d_stride_3_pad_2",
     [](PlanBuilder& b, int x) {
         return b.add("conv2d", {.inputs = {x},
                                 .name = "op",
                                 .width = 2,
                                 .kernel = 4,
                                 .stride = 3,
                                 .pad = 2,
                                 .activation = Activation::elu});
     }},
    {"conv2d_kernel_1",
     [](PlanBuilder& b, int x) {
         return b.add("conv2d",
                      {.inputs = {x}, .name = "op", .width = 2, .kernel = 1, .activation = Activation::tanh});
     }},
    {"layer_norm",
     [](PlanBuilder& b, int x) {
         return b.add("layer_norm", {.inputs = {x}, .name = "op", .activation = Activation::none});
     }},
    {"layer_norm_tanh",
     [](PlanBuilder& b, int x) {
         return b.add("layer_norm", {.inputs = {x}, .name = "op", .activation = Activation::tanh});
     }},
    {"activation_tanh",
     [](PlanBuilder& b, int x) {
         return b.add("activation", {.inputs = {x}, .activation = Activation::tanh});
     }},
    {"activation_relu",
     [](PlanBuilder& b, int x) {
         return b.add("activation", {.inputs = {x}, .activation = Activation::relu});
     }},
    {"activation_elu",
     [](PlanBuilder& b, int x) {
         return b.add("activation", {.inputs = {x}, .activation = Activation::elu});
     }},
    {"max_pool",
     [](PlanBuilder& b, int x) {
         return b.add("max_pool", {.inputs = {x}, .kernel = 3, .stride = 2, .pad = 1});
     }},
    {"max_pool_without_pad",
     [](PlanBuilder& b, int x) {
         return b.add("max_pool", {.inputs = {x}, .kernel = 2, .stride = 1, .pad = 0});
     }},
    {"add",
     [](PlanBuilder& b, int x) {
         return b.add("add",
                      {.inputs = {x, b.add("activation", {.inputs = {x}, .activation = Activation::tanh})}});
     }},
    {"add_to_itself",
     [](PlanBuilder& b, int x) {
         return b.add("add", {.inputs = {x, x}});
     }},
    {"concat",
     [](PlanBuilder& b, int x) {
         return b.concat({x, b.add("linear", {.inputs = {x}, .name = "op", .width = 2}),
                          b.add("previous_action", {}), b.add("previous_reward", {}), x});
     }},
    {"lstm", [](PlanBuilder& b, int x) { return b.add("lstm", {.inputs = {x}, .name = "op", .width = 4}); }},
    {"lstm_after_lstm",
     [](PlanBuilder& b, int x) {
         return b.add("lstm", {.inputs = {b.add("lstm", {.inputs = {x}, .name = "op0", .width = 3})},
                               .name = "op1",
                               .width = 2});
     }},
    {"gru", [](PlanBuilder& b, int x) { return b.add("gru", {.inputs = {x}, .name = "op", .width = 4}); }},
    {"gru_after_lstm",
     [](PlanBuilder& b, int x) {
         return b.add("gru", {.inputs = {b.add("lstm", {.inputs = {x}, .name = "op0", .width = 3})},
                              .name = "op1",
                              .width = 2});
     }},
    {"parameter_rows",
     [](PlanBuilder& b, int x) {
         return b.concat({b.add("parameter_rows", {.name = "op", .width = 3, .initial = 0.5}),
                          b.add("linear", {.inputs = {x}, .name = "beside", .width = 1})});
     }},
    {"dueling",
     [](PlanBuilder& b, int x) {
         return b.add("dueling", {.inputs = {b.add("linear", {.inputs = {x}, .name = "v", .width = 1}),
                                             b.add("linear", {.inputs = {x}, .name = "a", .width = 4})}});
     }},
    {"dueling_of_several_values",
     [](PlanBuilder& b, int x) {
         return b.add("dueling", {.inputs = {b.add("linear", {.inputs = {x}, .name = "v", .width = 3}),
                                             b.add("linear", {.inputs = {x}, .name = "a", .width = 6})}});
     }},
    {"group_mean",
     [](PlanBuilder& b, int x) {
         return b.add("group_mean",
                      {.inputs = {b.add("linear", {.inputs = {x}, .name = "op", .width = 6})}, .width = 2});
     }},
    {"rescale",
     [](PlanBuilder& b, int x) {
         return b.add("rescale", {.inputs = {b.add("linear", {.inputs = {x}, .name = "v", .width = 2})},
                                  .name = "scale"});
     }},
};
INSTANTIATE_TEST_SUITE_P(All, OperationGradient, ::testing::ValuesIn(kOps),
                         [](const auto& test) { return test.param.name; });

// encoder, core
using Network = std::tuple<std::string, std::string>;

class NetworkGradient : public ::testing::TestWithParam<Network> {};

// The smallest images that the encoder accepts, a stacked vector and a discrete leaf; a product of discrete
// and box actions.
Spaces spacesFor(const std::string& encoder) {
    Spaces spaces{.obs = {vectorLeaf("place", 3, 2), discreteLeaf("kind", 2, 3)},
                  .actions = {choice("move", 3), box("steer", {-1, -2}, {1, 2}), choice("use", 2)}};
    // Not of bits: where a corner has none, the ReLU of a convolution without bias is at its kink.
    if (encoder == "board") spaces.obs.push_back(imageLeaf("screen", 2, 5, 4));
    if (encoder == "minatar_conv") spaces.obs.push_back(imageLeaf("screen", 4, 6, 6, 1));
    if (encoder == "nature") spaces.obs.push_back(imageLeaf("screen", 1, 36, 37, 255, 2));
    if (encoder == "impala_shallow") spaces.obs.push_back(imageLeaf("screen", 3, 20, 24));
    if (encoder == "impala_deep") spaces.obs.push_back(imageLeaf("screen", 3, 9, 10));
    return spaces;
}

TEST_P(NetworkGradient, EqualsCentralDifferences) {
    const auto& [encoder, core] = GetParam();
    const std::uint64_t seed = testSeed(23);
    for (const std::string activation : {"tanh", "relu", "elu"}) {
        for (const bool separate : {false, true}) {
            for (const bool normalise : {false, true}) {
                SCOPED_TRACE(activation + (separate ? ", separate critic" : ", shared critic") +
                             (normalise ? ", normaliser" : ""));
                NetworkParams params;
                params.encoder = encoder;
                params.activation = activation;
                params.core = core;
                params.core_size = 5;
                params.hidden = {7, 6};
                params.layer_norm = separate;
                params.separate_critic = separate;
                params.normalise_obs = normalise;
                params.previous_action = params.previous_reward = core != "none";
                params.log_std = separate ? "network" : "parameter";
                // Narrow layers, so that all combinations take a few seconds.
                Json narrow = Json::object();
                if (encoder == "minatar_conv") narrow["filters"] = 3;
                else if (encoder != "flat" && encoder != "board") narrow["features"] = 9;
                if (encoder == "impala_deep") narrow["sections"] = {3, 4, 4};
                const NetSpec spec =
                    specOf(spacesFor(encoder), params,
                           {{"policy", "policy", 0, false}, {"value", "value", 1, false}}, narrow);
                GradientProbe(planOf(spec), 2, core == "none" ? 1 : 3, seed).expectGradients();
            }
        }
    }
}
INSTANTIATE_TEST_SUITE_P(All, NetworkGradient,
                         ::testing::Combine(::testing::Values("flat", "board", "minatar_conv", "nature",
                                                              "impala_shallow", "impala_deep"),
                                            ::testing::Values("none", "lstm", "gru")),
                         [](const auto& test) {
                             return std::get<0>(test.param) + "_" + std::get<1>(test.param);
                         });

TEST(NetworkGradientOfQ, EqualsCentralDifferencesWithAndWithoutDueling) {
    for (const bool dueling : {false, true})
        for (const int parts : {1, 3})
            for (const double prior : {0.0, 2.0}) {
                NetworkParams params;
                params.hidden = {6};
                const Spaces spaces{.obs = {vectorLeaf("obs", 4)}, .actions = {choice("move", 5)}};
                const HeadSpec head{"q", "q", 0, dueling, parts, prior};
                GradientProbe(planOf(specOf(spaces, params, {head})), 5, 1, testSeed(31)).expectGradients();
            }
}

TEST(InputGradient, EqualsCentralDifferencesThroughTheNormaliser) {
    NetworkParams params;
    params.hidden = {6, 5};
    params.normalise_obs = true;
    params.core = "gru";
    params.core_size = 4;
    const Spaces spaces{.obs = {vectorLeaf("a", 3), discreteLeaf("kind", 1, 3), vectorLeaf("b", 2, 2)},
                        .actions = {choice("move", 3)}};
    GradientProbe probe(planOf(specOf(spaces, params)), 3, 2, testSeed(41));
    std::vector<double> a(6 * 3), b(6 * 4);
    const std::vector<double*> inputs{a.data(), nullptr, b.data()};
    probe.gradient(&inputs);
    // Inputs are floats: a step of 2^-12 on values rounded to 2^-10 is exact. Truncation is then about 1e-8
    // times the third derivative.
    constexpr float kStep = 0x1p-12f;
    for (const std::size_t leaf : {std::size_t{0}, std::size_t{2}}) {
        const std::vector<double>& analytic = leaf == 0 ? a : b;
        const auto values = reinterpret_cast<float*>(probe.panel.obs[leaf].data());
        for (std::size_t i = 0; i < analytic.size(); ++i)
            values[i] = std::round(values[i] * 0x1p10f) * 0x1p-10f;
    }
    probe.gradient(&inputs);
    for (const std::size_t leaf : {std::size_t{0}, std::size_t{2}}) {
        const std::vector<double> analytic = leaf == 0 ? a : b;
        const auto values = reinterpret_cast<float*>(probe.panel.obs[leaf].data());
        for (std::size_t i = 0; i < analytic.size(); ++i) {
            const float value = values[i];
            values[i] = value + kStep;
            const double plus = probe.loss(probe.blob);
            values[i] = value - kStep;
            const double minus = probe.loss(probe.blob);
            values[i] = value;
            EXPECT_NEAR(analytic[i], (plus - minus) / (2 * static_cast<double>(kStep)), 1e-5)
                << leaf << " " << i;
        }
    }
    std::vector<double> only(6 * 3, 1.0);
    const std::vector<double*> first{only.data(), nullptr, nullptr};
    probe.gradient(&inputs);
    probe.loss(probe.blob);
    probe.runner.backward(probe.head_weights.data(), nullptr, &first);
    EXPECT_EQ(only, a) << "without the gradients of parameters and of the other input";
}

}  // namespace

}  // namespace seedbed::testing_nn
