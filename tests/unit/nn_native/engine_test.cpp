// SPDX-License-Identifier: Apache-2.0
// The native engine through its interface: rows are independent of their batch, gradients equal finite
// differences, and results agree with LibTorch.
#include <cmath>
#include <numeric>

#include "core/nn/engines/check/parity.hpp"
#include "core/nn/engines/check/sample_panel.hpp"
#include "core/nn/operation.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "tests/unit/nn_native/isa_util.hpp"
#include "tests/unit/nn_torch/networks.hpp"

namespace seedbed::testing_native {

namespace {

using testing_torch::NetworkCase;
using testing_torch::networkCases;

std::size_t size(int count) { return static_cast<std::size_t>(count); }

std::unique_ptr<EngineNet> compiled(const NetPlan& plan, const std::string& engine = "native") {
    auto net = compileNet(engine, plan, {});
    SEEDBED_CHECK(net.has_value(), net.error().text());
    return std::move(*net);
}

std::vector<float> headsOf(NetContext& context, const NetPlan& plan, const Params& params, const Rows& rows,
                           Keep keep) {
    std::vector<float> heads(size(rows.count() * plan.head_words)),
        state(size(rows.sequences * plan.state_words));
    const auto done = context.run(params, rows, {heads.data(), state.empty() ? nullptr : state.data()}, keep);
    EXPECT_TRUE(done);
    return heads;
}

// Sequences [begin, begin + count) of a panel with one step.
Rows part(const NetPlan& plan, const SamplePanel& panel, int begin, int count) {
    Rows rows = panel.rows();
    rows.sequences = count;
    for (std::size_t leaf = 0; leaf < rows.obs.size(); ++leaf) {
        const ObsLeaf& spec = plan.spec.spaces.obs[leaf];
        rows.obs[leaf] += size(begin) * spec.bytes() * size(spec.stack);
    }
    rows.first += begin;
    rows.state += begin * plan.state_words;
    rows.previous_action += begin * plan.spec.spaces.actionWords();
    rows.previous_reward += begin;
    return rows;
}

class EveryNetwork : public testing::TestWithParam<std::tuple<std::size_t, Isa>> {};

TEST_P(EveryNetwork, GivesARowTheSameBitsInEveryBatch) {
    const auto& [number, isa] = GetParam();
    SEEDBED_NEEDS_ISA(isa);
    const IsaLimit limit(isa);
    const NetPlan& plan = networkCases()[number].plan;
    const int sequences = plan.macsPerRow() > 1e6 ? 15 : 75;
    Rng rng(6, RngPurpose::test);
    const SamplePanel panel = samplePanel(plan, sequences, 1, rng);
    const Params params(sampleBlob(plan, 6), 1);
    const auto net = compiled(plan);
    const auto context = net->context();
    const std::vector<float> whole = headsOf(*context, plan, params, panel.rows(), Keep::tape);
    EXPECT_EQ(whole, headsOf(*context, plan, params, panel.rows(), Keep::nothing))
        << "a pass without a tape runs in blocks";
    for (const int count : {1, 2, 7, 13}) {
        for (int begin = 0; begin < sequences; begin += count) {
            const int here = std::min(count, sequences - begin);
            const std::vector<float> heads =
                headsOf(*context, plan, params, part(plan, panel, begin, here), Keep::nothing);
            const std::vector<float> expected(whole.begin() + begin * plan.head_words,
                                              whole.begin() + (begin + here) * plan.head_words);
            ASSERT_EQ(heads, expected) << count << " rows from " << begin;
        }
    }
}

// The networks with tanh instead of ReLU, and without max pooling (which uses the reference kernel): finite
// differences across a kink are wrong.
std::vector<NetworkCase> smoothCases() {
    std::vector<NetworkCase> list;
    for (NetworkCase network : networkCases()) {
        bool smooth = true;
        for (PlanOp& op : network.plan.ops) {
            if (op.activation == Activation::relu) op.activation = Activation::tanh;
            smooth = smooth && !operationOf(op).kinks;
        }
        if (smooth) list.push_back(std::move(network));
    }
    return list;
}

// Differences of f = sum(g * heads) along a direction of each parameter entry, summed in double. The
// direction is the gradient that the reference engine finds: an element that is missing or wrong here then
// reduces the slope, while using the engine's own gradient as the direction would hide the error.
void checkSlopes(const NetworkCase& network) {
    const NetPlan& plan = network.plan;
    const int rows = plan.macsPerRow() > 1e6 ? 3 : 33;
    const auto [sequences, steps] = network.shapes.back().second > 1 ? std::pair{3, 5} : std::pair{rows, 1};
    Rng rng(7, RngPurpose::test);
    const SamplePanel panel = samplePanel(plan, sequences, steps, rng);
    const std::vector<float> blob = sampleBlob(plan, 7);
    const auto net = compiled(plan);
    const auto context = net->context();
    const auto count = size(sequences * steps * plan.head_words);
    std::vector<float> g(count), lane(plan.param_floats);
    for (float& x : g) x = static_cast<float>(rng.normal());
    headsOf(*context, plan, Params(blob, 1), panel.rows(), Keep::tape);
    ASSERT_TRUE(context->backward(g.data(), lane.data()));
    std::vector<float> direction(plan.param_floats);
    const auto reference = compileNet("reference", plan, {});
    ASSERT_TRUE(reference);
    const auto reference_context = (*reference)->context();
    headsOf(*reference_context, plan, Params(blob, 1), panel.rows(), Keep::tape);
    ASSERT_TRUE(reference_context->backward(g.data(), direction.data()));

    for (const ParamEntry& entry : plan.params) {
        if (entry.role != ParamEntry::Role::weight) continue;
        // One entry at a time, so that every kernel's gradient is checked.
        double square = 0, product = 0;
        for (std::size_t i = entry.offset; i < entry.offset + entry.count; ++i) {
            square += static_cast<double>(direction[i]) * static_cast<double>(direction[i]);
            product += static_cast<double>(direction[i]) * static_cast<double>(lane[i]);
        }
        const double norm = std::sqrt(square);
        ASSERT_GT(norm, 0) << entry.name;
        // Truncation grows with the square of the step, rounding of the outputs (1e-7 each) with its inverse.
        // Richardson extrapolation removes the quadratic term.
        const auto difference = [&](double step) {
            double f[2] = {0, 0};
            for (int side = 0; side < 2; ++side) {
                std::vector<float> moved = blob;
                for (std::size_t i = entry.offset; i < entry.offset + entry.count; ++i)
                    moved[i] += static_cast<float>((side == 0 ? 1 : -1) * step / norm) * direction[i];
                const std::vector<float> heads =
                    headsOf(*context, plan, Params(moved, 2), panel.rows(), Keep::nothing);
                for (std::size_t i = 0; i < count; ++i)
                    f[side] += static_cast<double>(g[i]) * static_cast<double>(heads[i]);
            }
            return (f[0] - f[1]) / (2 * step);
        };
        const double measured = (4 * difference(0.02) - difference(0.04)) / 3;
        // Outputs of size 1 in float: `count` roundings of 6e-8 with random signs over a step of 0.02, plus
        // rounding inside the network.
        const double tolerance = 3e-3 * norm + 6e-5 * std::sqrt(static_cast<double>(count));
        EXPECT_NEAR(product / norm, measured, tolerance) << entry.name;
    }
}

class Slopes : public testing::TestWithParam<Isa> {};

// Outside the long form, each network has one of this machine's instruction sets; Parity compares the
// gradients of all with those of the reference.
TEST_P(Slopes, OfEveryNetworkAreItsGradients) {
    SEEDBED_NEEDS_ISA(GetParam());
    const IsaLimit limit(GetParam());
    std::vector<Isa> here;
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512})
        if (native::kernelsOf(isa) != nullptr) here.push_back(isa);
    std::size_t number = 0;
    for (const NetworkCase& network : smoothCases()) {
        if (here[number++ % here.size()] != GetParam() && !test::isLong()) continue;
        const testing::ScopedTrace trace(__FILE__, __LINE__, network.name);
        checkSlopes(network);
    }
}

INSTANTIATE_TEST_SUITE_P(EveryIsa, Slopes, testing::Values(Isa::base, Isa::avx2, Isa::avx512),
                         [](const auto& isa) { return nameOf(isa.param); });

TEST_P(EveryNetwork, AgreesWithTorch) {
    const auto& [number, isa] = GetParam();
    SEEDBED_NEEDS_ISA(isa);
    if (auto devices = engineRegistry().find("torch")->devices(); !devices)
        GTEST_SKIP() << devices.error().text();
    const IsaLimit limit(isa);
    const NetworkCase& network = networkCases()[number];
    const auto torch = compiled(network.plan, "torch"), native = compiled(network.plan);
    const auto [sequences, steps] = network.shapes.back();
    const auto report = measureParity(*torch, *native, sequences, steps, 17);
    ASSERT_TRUE(report) << report.error().text();
    // Both engines round, and each may deviate from the exact result by this much.
    ParityTolerance tolerance;
    tolerance.forward *= 2;
    tolerance.gradient *= 2;
    const auto verdict = report->check(tolerance, "native");
    EXPECT_TRUE(verdict) << verdict.error().text();
}

std::string nameOfCase(const testing::TestParamInfo<std::tuple<std::size_t, Isa>>& info) {
    return networkCases()[std::get<0>(info.param)].name + "_" + nameOf(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, EveryNetwork,
                         testing::Combine(testing::Range<std::size_t>(0, networkCases().size()),
                                          testing::Values(Isa::base, Isa::avx2, Isa::avx512)),
                         nameOfCase);

TEST(NativeEngine, NamesUnsupportedOperations) {
    const NetPlan& plan = networkCases()[0].plan;
    const auto cuda = compileNet("native", plan, {.device = "cuda:0"});
    ASSERT_FALSE(cuda);
    EXPECT_EQ(cuda.error().code, ErrorCode::device);
    const auto exact = compileNet("native", plan, {.double_precision = true});
    ASSERT_FALSE(exact);
    EXPECT_EQ(exact.error().code, ErrorCode::config);
}

}  // namespace

}  // namespace seedbed::testing_native
