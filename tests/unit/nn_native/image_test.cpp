// SPDX-License-Identifier: Apache-2.0
// Convolutions and pooling with odd kernels, strides, paddings, channels and sizes: agreement with the
// reference engine in double, and results that do not depend on the other rows, the tape or the threads.
#include "core/base/thread.hpp"
#include "core/nn/engines/check/parity.hpp"
#include "core/nn/engines/check/sample_panel.hpp"
#include "core/nn/plan_builder.hpp"
#include "core/nn/threaded_context.hpp"
#include "tests/unit/nn_native/isa_util.hpp"

namespace seedbed::testing_native {

namespace {

struct TestWindow {
    int kernel, stride, pad;
};

struct ImageCase {
    int channels, height, width;  // of the observation
    int filters0, filters1;
    TestWindow conv, pool;
    bool pools_input = false;  // pooling comes before the first convolution
    bool branches = false;     // a linear layer reads the first convolution, which is then channels first
};

std::string caseName(const ImageCase& c) {
    const auto window = [](const TestWindow& w) {
        return std::to_string(w.kernel) + "/" + std::to_string(w.stride) + "/" + std::to_string(w.pad);
    };
    return std::to_string(c.channels) + "x" + std::to_string(c.height) + "x" + std::to_string(c.width) +
           ", " + std::to_string(c.filters0) + " and " + std::to_string(c.filters1) + " filters, conv " +
           window(c.conv) + ", pool " + window(c.pool) + (c.pools_input ? ", pools input" : "") +
           (c.branches ? ", branches" : "");
}

NetSpec specOf(const ImageCase& c) {
    ObsLeaf image;
    image.name = "image";
    image.kind = ObsLeaf::Kind::image;
    image.dtype = DType::u8;
    image.shape = {c.channels, c.height, c.width};
    image.high = 255;
    NetSpec spec;
    spec.spaces.obs = {image};
    ActionLeaf action;
    action.n = 3;
    spec.spaces.actions = {action};
    return spec;
}

// A convolution, the tested convolution, pooling and a residual block.
NetPlan planOf(const ImageCase& c) {
    PlanBuilder builder(specOf(c));
    builder.setScope("test");
    const auto conv = [&](int x, const char* name, int width, const TestWindow& w, Activation activation) {
        return builder.add("conv2d", {.inputs = {x},
                                      .name = name,
                                      .width = width,
                                      .kernel = w.kernel,
                                      .stride = w.stride,
                                      .pad = w.pad,
                                      .activation = activation});
    };
    const auto pool = [&](int x) {
        return builder.add(
            "max_pool", {.inputs = {x}, .kernel = c.pool.kernel, .stride = c.pool.stride, .pad = c.pool.pad});
    };
    int x = builder.add("input", {.leaf = 0});
    if (c.pools_input) x = pool(x);
    const int first = conv(x, "conv0", c.filters0, {3, 1, 1}, Activation::tanh);
    x = conv(first, "conv1", c.filters1, c.conv, Activation::none);
    if (!c.pools_input) x = pool(x);
    int y = builder.add("activation", {.inputs = {x}, .activation = Activation::tanh});
    y = conv(y, "conv2", c.filters1, {3, 1, 1}, Activation::elu);
    x = builder.add("add", {.inputs = {x, y}});
    builder.head("policy", "policy", builder.add("linear", {.inputs = {x}, .name = "policy", .width = 3}));
    const int seen = c.branches ? first : x;
    builder.head("value", "value", builder.add("linear", {.inputs = {seen}, .name = "value", .width = 1}));
    auto plan = builder.finish();
    SEEDBED_CHECK(plan.has_value(), caseName(c) + ": " + plan.error().text());
    return std::move(*plan);
}

std::vector<ImageCase> imageCases() {
    std::vector<ImageCase> cases{
        {4, 20, 21, 16, 32, {3, 1, 1}, {3, 2, 1}, false, true},
        {1, 7, 9, 3, 1, {5, 1, 2}, {2, 2, 0}, false, false},
        {3, 9, 7, 5, 70, {4, 2, 3}, {3, 1, 2}, false, false},
        {2, 6, 11, 17, 8, {2, 1, 3}, {1, 1, 0}, false, true},  // more padding than the kernel has room for
        {5, 12, 5, 20, 33, {3, 3, 2}, {2, 1, 1}, true, false},
        {3, 8, 8, 4, 6, {1, 1, 0}, {3, 2, 1}, true, true},
        {2, 30, 3, 48, 12, {3, 2, 1}, {2, 1, 1}, false, false},
    };
    Rng rng(21, RngPurpose::test);
    const auto pick = [&](int from, int to) {
        return from + static_cast<int>(rng.below(static_cast<std::uint32_t>(to - from + 1)));
    };
    for (int i = 0; i < 24; ++i) {
        const int kernel = pick(1, 5), pool = pick(1, 3);
        cases.push_back({pick(1, 6), pick(6, 18), pick(6, 18), pick(1, 40), pick(1, 40),
                         TestWindow{kernel, pick(1, 3), pick(0, kernel)},
                         TestWindow{pool, pick(1, 2), pick(0, pool - 1)}, i % 3 == 0, i % 2 == 0});
    }
    return cases;
}

std::vector<float> imageHeads(NetContext& context, const NetPlan& plan, const Params& params,
                              const SamplePanel& panel, Keep keep) {
    std::vector<float> heads(static_cast<std::size_t>(panel.sequences * plan.head_words));
    EXPECT_TRUE(context.run(params, panel.rows(), {heads.data(), nullptr}, keep));
    return heads;
}

SamplePanel rowOf(const SamplePanel& panel, int row) {
    SamplePanel one = panel;
    one.sequences = 1;
    const std::size_t size = panel.obs[0].size() / static_cast<std::size_t>(panel.sequences);
    const auto begin = panel.obs[0].begin() + static_cast<std::ptrdiff_t>(size) * row;
    one.obs[0].assign(begin, begin + static_cast<std::ptrdiff_t>(size));
    return one;
}

class Images : public testing::TestWithParam<Isa> {};

TEST_P(Images, AgreeWithTheReferenceInDouble) {
    SEEDBED_NEEDS_ISA(GetParam());
    const IsaLimit limit(GetParam());
    EngineOptions in_double;
    in_double.double_precision = true;
    for (const ImageCase& c : imageCases()) {
        const NetPlan plan = planOf(c);
        auto truth = compileNet("reference", plan, in_double);
        auto tested = compileNet("native", plan, {});
        ASSERT_TRUE(truth && tested) << caseName(c);
        for (const int rows : {1, 3}) {
            const auto report = measureParity(**truth, **tested, rows, 1, 31);
            ASSERT_TRUE(report) << report.error().text();
            const auto verdict = report->check(ParityTolerance{}, "native");
            EXPECT_TRUE(verdict) << caseName(c) << ", " << rows << " rows: " << verdict.error().text();
        }
    }
}

TEST_P(Images, HaveTheSameBitsInEveryCall) {
    SEEDBED_NEEDS_ISA(GetParam());
    const IsaLimit limit(GetParam());
    constexpr int kRows = 4;
    for (const ImageCase& c : imageCases()) {
        const NetPlan plan = planOf(c);
        Rng rng(32, RngPurpose::test);
        const SamplePanel panel = samplePanel(plan, kRows, 1, rng);
        const Params params(sampleBlob(plan, 32), 1);
        const auto net = compileNet("native", plan, {});
        ASSERT_TRUE(net);
        const auto alone = (*net)->context(), shared = (*net)->context();
        WorkerPool pool(3);
        ASSERT_TRUE(useThreads(*shared, &pool));
        const std::vector<float> whole = imageHeads(*alone, plan, params, panel, Keep::tape);
        EXPECT_EQ(whole, imageHeads(*alone, plan, params, panel, Keep::nothing)) << caseName(c);
        for (int row = 0; row < kRows; ++row) {
            const SamplePanel one = rowOf(panel, row);
            const std::vector<float> expected(whole.begin() + row * plan.head_words,
                                              whole.begin() + (row + 1) * plan.head_words);
            EXPECT_EQ(imageHeads(*alone, plan, params, one, Keep::tape), expected) << caseName(c) << row;
            EXPECT_EQ(imageHeads(*shared, plan, params, one, Keep::nothing), expected) << caseName(c) << row;
        }
        ASSERT_TRUE(useThreads(*shared, nullptr));
    }
}

// A gradient of two rows is the sum of the gradients of each row, although the rows share buffers.
TEST_P(Images, GradientsOfRowsAreIndependent) {
    SEEDBED_NEEDS_ISA(GetParam());
    const IsaLimit limit(GetParam());
    for (const ImageCase& c : imageCases()) {
        const NetPlan plan = planOf(c);
        Rng rng(33, RngPurpose::test);
        const SamplePanel panel = samplePanel(plan, 2, 1, rng);
        const Params params(sampleBlob(plan, 33), 1);
        const auto net = compileNet("native", plan, {});
        ASSERT_TRUE(net);
        const auto context = (*net)->context();
        std::vector<float> g(static_cast<std::size_t>(2 * plan.head_words)), both(plan.param_floats),
            sum(plan.param_floats);
        for (float& x : g) x = static_cast<float>(rng.normal());
        imageHeads(*context, plan, params, panel, Keep::tape);
        ASSERT_TRUE(context->backward(g.data(), both.data()));
        for (int row = 0; row < 2; ++row) {
            const SamplePanel one = rowOf(panel, row);
            imageHeads(*context, plan, params, one, Keep::tape);
            ASSERT_TRUE(context->backward(g.data() + row * plan.head_words, sum.data()));
        }
        // Both are sums of the same terms in a different order.
        const auto verdict =
            compareGradients(plan, both, sum).check(ParityTolerance{.gradient = 1e-5}, "native");
        EXPECT_TRUE(verdict) << caseName(c) << ": " << verdict.error().text();
    }
}

INSTANTIATE_TEST_SUITE_P(EveryIsa, Images, testing::Values(Isa::base, Isa::avx2, Isa::avx512),
                         [](const auto& isa) { return nameOf(isa.param); });

}  // namespace

}  // namespace seedbed::testing_native
