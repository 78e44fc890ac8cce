// SPDX-License-Identifier: Apache-2.0
// Learning on the device: sums of lanes and steps of every optimiser agree with their formulas in double,
// followers with the learner's, and a failing device leaves the state of the last fetch.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "core/learn/learning_net.hpp"
#include "gpu/vulkan/faults.hpp"
#include "gpu/vulkan/instance.hpp"
#include "tests/unit/base/allocation_count.hpp"
#include "tests/unit/gpu/calls.hpp"
#include "tests/unit/gpu/gpu_util.hpp"
#include "tests/unit/nn_torch/networks.hpp"

namespace seedbed::testing_gpu {

namespace {

using testing_torch::planNamed;

constexpr int kRows = 6;

std::shared_ptr<EngineNet> vulkanNetOf(const NetPlan& plan, bool fallback) {
    EngineOptions options;
    options.device = "vulkan:0";
    options.cpu_fallback = fallback;
    auto net = compileNet("vulkan", plan, options);
    SEEDBED_CHECK(net.has_value(), net.error().text());
    return std::move(*net);
}

// A network that learns on the device, and the same network with gradients in host memory.
struct Pupil {
    const NetPlan& plan;
    std::shared_ptr<EngineNet> net, plain;
    std::unique_ptr<NetContext> context, plain_context;
    LearningNet state;
    std::uint64_t version = 1;
    Rng rng{21, RngPurpose::test};
    std::vector<float> heads;

    explicit Pupil(const NetPlan& of, const OptimiserParams& params = {}, std::uint64_t seed = 2,
                   bool fallback = false)
        : plan(of),
          net(vulkanNetOf(of, fallback)),
          plain(vulkanNetOf(of, false)),
          context(net->context()),
          plain_context(plain->context()),
          state(of, true, params) {
        state.set(Params(sampleBlob(plan, seed), 1), version);
        state.useDevice(learnDevice(*net, state.optimiser.get()));
    }
    std::vector<float> blob() {
        const Result<> fetched = state.fetch();
        EXPECT_TRUE(fetched) << fetched.error().text();
        return state.working();
    }
    // Adds the gradients of random rows, times `scale`, to each lane. Returns their sum, from host memory.
    Result<std::vector<float>> addGradients(std::size_t lanes, float scale) {
        SEEDBED_TRY(state.requireLanes(lanes));
        std::vector<float> sum(plan.param_floats), lane(plan.param_floats);
        for (std::size_t i = 0; i < lanes; ++i) {
            const SamplePanel panel = samplePanel(plan, kRows, 1, rng);
            heads.resize(std::size_t{kRows} * static_cast<std::size_t>(plan.head_words));
            SEEDBED_TRY(context->run(state.current(), panel.rows(), {heads.data(), nullptr}, Keep::tape));
            // A copy, because contexts of the other network do not know the changes on the device.
            const Params copy(blob(), 1);
            SEEDBED_TRY(plain_context->run(copy, panel.rows(), {heads.data(), nullptr}, Keep::tape));
            for (float& head : heads) head = scale * static_cast<float>(rng.normal());
            SEEDBED_TRY(state.device()->backward(*context, heads.data(), i, nullptr));
            std::fill(lane.begin(), lane.end(), 0.0f);
            SEEDBED_TRY(plain_context->backward(heads.data(), lane.data()));
            for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += lane[j];
        }
        return sum;
    }
    Result<> step(double rate) {
        SEEDBED_TRY(addGradients(2, 0.1f));
        SEEDBED_ASSIGN(const Optimiser::StepInfo info, state.device()->sum(2));
        return state.stepOnDevice(rate, info.grad_norm, version);
    }
};

// The whole state of a rule in double.
struct Truth {
    std::vector<double> weight, first, second;
    int t = 0;
    explicit Truth(const std::vector<float>& blob)
        : weight(blob.begin(), blob.end()), first(blob.size()), second(blob.size()) {}
};
using Rule = std::function<void(Truth&, std::size_t i, double g, double rate)>;

double normOf(const std::vector<float>& values) {
    double square = 0;
    for (const float value : values) square += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(square);
}

// 50 steps with gradients of varying size in three lanes and a varying learning rate. As in the tests of the
// optimisers of the CPU, 2e-5 allows for rounding errors of the weights and moments.
void expectSameAsFormula(const OptimiserParams& params, const Rule& rule) {
    Pupil pupil(planNamed("normalised"), params);
    const std::vector<float> start = pupil.blob();
    Truth truth(start);
    for (int step = 1; step <= 50; ++step) {
        const auto sum = pupil.addGradients(3, 0.05f * static_cast<float>(step % 7));
        ASSERT_TRUE(sum) << sum.error().text();
        const auto info = pupil.state.device()->sum(3);
        ASSERT_TRUE(info) << info.error().text();
        const double norm = normOf(*sum), rate = 1e-2 / (1 + 0.01 * step);
        EXPECT_TRUE(info->finite);
        EXPECT_NEAR(info->grad_norm, norm, 1e-6 * norm) << step;
        const double clip =
            params.max_grad_norm > 0 && norm > params.max_grad_norm ? params.max_grad_norm / norm : 1;
        truth.t = step;
        for (const ParamEntry& entry : pupil.plan.params)
            for (std::size_t i = entry.offset; i < entry.offset + entry.count; ++i) {
                if (entry.role != ParamEntry::Role::weight) continue;
                truth.weight[i] *= 1 - rate * params.weight_decay;
                rule(truth, i, clip * static_cast<double>((*sum)[i]), rate);
            }
        const Result<> stepped = pupil.state.stepOnDevice(rate, info->grad_norm, pupil.version);
        ASSERT_TRUE(stepped) << stepped.error().text();
    }
    const std::vector<float> end = pupil.blob();
    const Optimiser::State state = pupil.state.optimiser->state();
    EXPECT_EQ(state.steps, 50u);
    double moved = 0;
    for (const ParamEntry& entry : pupil.plan.params)
        for (std::size_t i = entry.offset; i < entry.offset + entry.count; ++i) {
            ASSERT_NEAR(end[i], truth.weight[i], 2e-5) << entry.name;
            ASSERT_NEAR(state.first[i], truth.first[i], 1e-6 * (1 + std::abs(truth.first[i]))) << entry.name;
            if (entry.role == ParamEntry::Role::buffer) {
                ASSERT_EQ(end[i], start[i]) << entry.name;
            }
            moved = std::max(moved, std::abs(static_cast<double>(end[i] - start[i])));
        }
    EXPECT_GT(moved, 0.01);
}

TEST(GpuOptimiser, AdamFollowsItsFormula) {
    SEEDBED_NEEDS_VULKAN();
    for (const double max_grad_norm : {0.0, 1.0}) {
        const OptimiserParams p{.epsilon = 1e-5, .weight_decay = 0.01, .max_grad_norm = max_grad_norm};
        expectSameAsFormula(p, [&](Truth& s, std::size_t i, double g, double rate) {
            s.first[i] = p.beta1 * s.first[i] + (1 - p.beta1) * g;
            s.second[i] = p.beta2 * s.second[i] + (1 - p.beta2) * g * g;
            const double m = s.first[i] / (1 - std::pow(p.beta1, s.t)),
                         v = s.second[i] / (1 - std::pow(p.beta2, s.t));
            s.weight[i] -= rate * m / (std::sqrt(v) + p.epsilon);
        });
    }
}

TEST(GpuOptimiser, RmsPropFollowsPyTorchAndTensorFlow) {
    SEEDBED_NEEDS_VULKAN();
    for (const bool inside : {false, true}) {
        const OptimiserParams p{.kind = "rmsprop",
                                .epsilon = inside ? 0.01 : 1e-3,
                                .alpha = 0.95,
                                .momentum = 0.5,
                                .epsilon_inside_sqrt = inside,
                                .weight_decay = 0.02,
                                .max_grad_norm = 1};
        expectSameAsFormula(p, [&](Truth& s, std::size_t i, double g, double rate) {
            s.second[i] = p.alpha * s.second[i] + (1 - p.alpha) * g * g;
            const double scaled = inside ? rate * g / std::sqrt(s.second[i] + p.epsilon)
                                         : g / (std::sqrt(s.second[i]) + p.epsilon);
            s.first[i] = p.momentum * s.first[i] + scaled;
            s.weight[i] -= inside ? s.first[i] : rate * s.first[i];
        });
    }
}

TEST(GpuOptimiser, SgdFollowsHeavyBallMomentum) {
    SEEDBED_NEEDS_VULKAN();
    const OptimiserParams p{.kind = "sgd", .momentum = 0.9, .weight_decay = 0.1, .max_grad_norm = 1};
    expectSameAsFormula(p, [&](Truth& s, std::size_t i, double g, double rate) {
        s.first[i] = p.momentum * s.first[i] + g;
        s.weight[i] -= rate * s.first[i];
    });
}

// The same gradients on the CPU: groups have their own learning rates, and parameters outside all groups
// stay.
TEST(GpuOptimiser, GroupsAreThoseOfTheOptimiserOnTheCpu) {
    SEEDBED_NEEDS_VULKAN();
    Pupil pupil(planNamed("normalised"));
    const NetPlan& plan = pupil.plan;
    const auto &a = plan.params[plan.params.size() / 2], &b = plan.params.back();
    const std::vector<ParamGroup> groups{{a.offset, a.offset + a.count, 0.5, 0.2},
                                         {b.offset, b.offset + b.count, 2, 0}};
    Optimiser on_cpu(plan, {}, groups), on_device(plan, {}, groups);
    const auto device = [&] {
        pupil.state.useDevice(nullptr);
        return learnDevice(*pupil.net, &on_device);
    }();
    std::vector<float> blob = pupil.state.working(), read(plan.param_floats);
    ASSERT_TRUE(device->load(pupil.state.current()) && device->loadMoments() && device->requireLanes(1));
    std::vector<float> lane(plan.param_floats);
    for (int step = 0; step < 3; ++step) {
        const SamplePanel panel = samplePanel(plan, kRows, 1, pupil.rng);
        std::vector<float> heads(std::size_t{kRows} * static_cast<std::size_t>(plan.head_words));
        const Params same(pupil.state.current());
        ASSERT_TRUE(pupil.context->run(same, panel.rows(), {heads.data(), nullptr}, Keep::tape));
        ASSERT_TRUE(device->backward(*pupil.context, heads.data(), 0, nullptr));
        const auto results = callBothWays(*pupil.plain_context, plan,
                                          Params(blob, 10u + static_cast<unsigned>(step)), panel.rows());
        ASSERT_TRUE(results);
        lane = results->lane;
        const auto info = device->sum(1);
        ASSERT_TRUE(info);
        ASSERT_TRUE(device->step(on_device.beginStep(1e-2, info->grad_norm)));
        EXPECT_NEAR(on_cpu.step(blob, lane, 1e-2).grad_norm, info->grad_norm, 1e-5 * info->grad_norm);
        ASSERT_TRUE(device->read(read.data()));
        for (std::size_t i = 0; i < blob.size(); ++i) ASSERT_NEAR(read[i], blob[i], 1e-5) << i;
    }
    EXPECT_NE(read, pupil.state.working());
}

// Large and tiny gradients neither overflow nor vanish in the norm, over parameters of many blocks.
TEST(GpuLanes, TheirSumHasTheNormOfAllSizesOfGradients) {
    SEEDBED_NEEDS_VULKAN();
    Pupil pupil(planNamed("minatar_conv"));
    for (const float scale : {1e-28f, 1.0f, 1e28f})
        for (const std::size_t lanes : {1u, 2u, 7u, 8u}) {
            const auto sum = pupil.addGradients(lanes, scale);
            ASSERT_TRUE(sum) << sum.error().text();
            const auto info = pupil.state.device()->sum(lanes);
            ASSERT_TRUE(info) << info.error().text();
            EXPECT_TRUE(info->finite) << info->culprit;
            EXPECT_GT(info->grad_norm, 0);
            EXPECT_NEAR(info->grad_norm, normOf(*sum), 1e-6 * info->grad_norm) << lanes << " lanes";
            // The other lanes are zero.
            const auto again = pupil.state.device()->sum(lanes);
            EXPECT_EQ(again->grad_norm, info->grad_norm);
            ASSERT_TRUE(pupil.state.clearLanes());
            EXPECT_EQ(pupil.state.device()->sum(lanes)->grad_norm, 0);
        }
}

TEST(GpuLanes, AGradientThatIsNotFiniteIsNamed) {
    SEEDBED_NEEDS_VULKAN();
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Pupil pupil(planNamed("numbers"));
        ASSERT_TRUE(pupil.addGradients(2, 1));
        std::vector<float> heads(pupil.heads.size(), 0.0f);
        heads[1] = bad;
        ASSERT_TRUE(pupil.state.device()->backward(*pupil.context, heads.data(), 1, nullptr));
        const auto info = pupil.state.device()->sum(2);
        ASSERT_TRUE(info);
        EXPECT_FALSE(info->finite);
        EXPECT_EQ(info->culprit, pupil.plan.params.back().name);
        ASSERT_TRUE(pupil.state.clearLanes());
        EXPECT_TRUE(pupil.state.device()->sum(2)->finite);
    }
}

TEST(GpuFollower, MovesLikeThatOfTheLearner) {
    SEEDBED_NEEDS_VULKAN();
    for (const double tau : {0.05, 1.0}) {
        Pupil leader(planNamed("normalised"), {}, 2);
        LearningNet follower(leader.plan, false, {}), truth(leader.plan, false, {});
        const auto net = vulkanNetOf(leader.plan, false);
        std::uint64_t version = 1;
        for (LearningNet* state : {&follower, &truth})
            state->set(Params(sampleBlob(leader.plan, 3), 1), version);
        follower.useDevice(learnDevice(*net, nullptr));
        for (int step = 0; step < 3; ++step) {
            ASSERT_TRUE(leader.step(1e-2));
            ASSERT_TRUE(follower.approachOnDevice(leader.state, tau, version));
            truth.approach(leader.blob(), tau);
        }
        ASSERT_TRUE(follower.fetch());
        for (std::size_t i = 0; i < truth.working().size(); ++i)
            ASSERT_NEAR(follower.working()[i], truth.working()[i], tau == 1 ? 0 : 1e-6);
    }
}

// An abandoned update restores the parameters and moments from before it.
TEST(GpuLearner, ARestoredStateContinuesWithTheSameBits) {
    SEEDBED_NEEDS_VULKAN();
    std::vector<std::vector<float>> ends;
    for (const bool detour : {false, true}) {
        Pupil pupil(planNamed("normalised"));
        ASSERT_TRUE(pupil.step(1e-2) && pupil.step(1e-2));
        const std::vector<float> blob = pupil.blob();
        Archive saved = Archive::saving();
        pupil.state.optimiser->archive(saved);
        if (detour) {
            ASSERT_TRUE(pupil.step(1e-2) && pupil.step(1e-2));
            Archive loaded = Archive::loading(saved.bytes());
            pupil.state.optimiser->archive(loaded);
            pupil.state.momentsChanged();
            pupil.state.set(Params(blob, 1), pupil.version);
        }
        pupil.rng = Rng(22, RngPurpose::test);
        ASSERT_TRUE(pupil.step(1e-2) && pupil.step(1e-2));
        ends.push_back(pupil.blob());
    }
    EXPECT_EQ(ends[0], ends[1]);
}

// Whichever call fails, the state is that of the last fetch, and training continues from it on the CPU.
TEST(GpuLearnerFailure, LeavesTheStateOfTheLastFetch) {
    SEEDBED_NEEDS_VULKAN();
    int failures = 0;
    for (int call = 0;; call += 5) {
        ASSERT_LT(call, 1000);
        SCOPED_TRACE(call);
        Pupil pupil(planNamed("lstm_shared"), {}, 2, true);
        LearningNet& state = pupil.state;
        ASSERT_TRUE(pupil.step(1e-2) && pupil.step(1e-2));
        const std::vector<float> blob = pupil.blob();
        const std::vector<float> first(state.optimiser->state().first.begin(),
                                       state.optimiser->state().first.end());
        const SamplePanel panel = samplePanel(pupil.plan, kRows, 1, pupil.rng);
        const auto update = [&]() -> Result<> {
            for (int i = 0; i < 2; ++i) {
                SEEDBED_TRY(pupil.context->run(state.current(), panel.rows(), {pupil.heads.data(), nullptr},
                                               Keep::tape));
                SEEDBED_TRY(state.device()->backward(*pupil.context, pupil.heads.data(), 0, nullptr));
                SEEDBED_ASSIGN(const auto info, state.device()->sum(1));
                SEEDBED_TRY(state.stepOnDevice(1e-2, info.grad_norm, pupil.version));
            }
            return state.fetch();
        };
        gpu::setFault({.after = call, .result = VK_ERROR_DEVICE_LOST});
        const Result<> updated = update();
        if (!gpu::clearFault()) break;
        ++failures;
        ASSERT_FALSE(updated);
        EXPECT_EQ(updated.error().code, ErrorCode::device);
        EXPECT_NE(pupil.net->takeNotice(), "");
        state.leaveDevice(pupil.version);
        EXPECT_EQ(state.working(), blob);
        EXPECT_EQ(state.optimiser->steps(), 2u);
        EXPECT_TRUE(std::ranges::equal(state.optimiser->state().first, first));
        const auto on_cpu = callBothWays(*pupil.context, pupil.plan, state.current(), panel.rows());
        const auto truth = callBothWays(*(*compileNet("reference", pupil.plan, {}))->context(), pupil.plan,
                                        Params(blob, 1), panel.rows());
        ASSERT_TRUE(on_cpu && truth);
        for (std::size_t i = 0; i < truth->heads.size(); ++i)
            ASSERT_NEAR(on_cpu->heads[i], truth->heads[i], 1e-5);
    }
    EXPECT_GT(failures, 3);
}

// The copy on the CPU is outdated between a step and the next fetch.
TEST(GpuLearnerFailure, NoCallUsesOutdatedParameters) {
    SEEDBED_NEEDS_VULKAN();
    Pupil pupil(planNamed("normalised"), {}, 2, true);
    ASSERT_TRUE(pupil.step(1e-2));
    const SamplePanel panel = samplePanel(pupil.plan, kRows, 1, pupil.rng);
    const auto run = [&] {
        return pupil.context->run(pupil.state.current(), panel.rows(), {pupil.heads.data(), nullptr},
                                  Keep::tape);
    };
    gpu::setFault({.after = 0, .result = VK_ERROR_DEVICE_LOST, .call = "vkQueueSubmit"});
    EXPECT_FALSE(run());
    EXPECT_TRUE(gpu::clearFault());
    EXPECT_FALSE(run());
    pupil.state.leaveDevice(pupil.version);
    EXPECT_TRUE(run());
}

// The engine `check` notices a step that differs: here, one with a wrong factor.
TEST(GpuCheck, ComparesStepsWithThoseOfTheCpu) {
    SEEDBED_NEEDS_VULKAN();
    const NetPlan& plan = planNamed("normalised");
    EngineOptions options;
    options.device = "vulkan:0";
    const auto net = compileNet("check:vulkan", plan, options);
    ASSERT_TRUE(net) << net.error().text();
    const auto context = (*net)->context();
    Optimiser optimiser(plan, {.kind = "sgd"});
    const auto device = learnDevice(**net, &optimiser);
    Params params(sampleBlob(plan, 2), 1);
    Rng rng(23, RngPurpose::test);
    const SamplePanel panel = samplePanel(plan, kRows, 1, rng);
    std::vector<float> heads(std::size_t{kRows} * static_cast<std::size_t>(plan.head_words));
    const auto step = [&](float wrong, std::uint64_t version) -> Result<> {
        SEEDBED_TRY(device->load(params));
        if (version == 2) SEEDBED_TRY(device->loadMoments());
        SEEDBED_TRY(device->requireLanes(1));
        SEEDBED_TRY(context->run(params, panel.rows(), {heads.data(), nullptr}, Keep::tape));
        SEEDBED_TRY(device->backward(*context, heads.data(), 0, nullptr));
        SEEDBED_ASSIGN(const auto info, device->sum(1));
        Optimiser::Factors factors = optimiser.beginStep(1e-2, info.grad_norm);
        factors.clip *= wrong;
        SEEDBED_TRY(device->step(factors));
        const Params before = std::exchange(
            params, Params(std::vector<float>(params.blob().begin(), params.blob().end()), version));
        device->rename(before, params);
        return {};
    };
    for (std::uint64_t version = 2; version < 5; ++version) {
        const Result<> stepped = step(1, version);
        ASSERT_TRUE(stepped) << stepped.error().text();
    }
    const Result<> wrong = step(0.9f, 5);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, ErrorCode::parity);
    EXPECT_NE(wrong.error().message.find("the step of engine 'vulkan'"), std::string::npos);
}

TEST(GpuAllocations, StepsThatRepeatAllocateNothing) {
    SEEDBED_NEEDS_VULKAN();
    if (const char* layer = std::getenv("SEEDBED_VULKAN_VALIDATION"); layer && std::string(layer) == "1")
        GTEST_SKIP() << "the validation layer allocates; run as gpu.allocations";
    Pupil pupil(planNamed("normalised"));
    ASSERT_TRUE(pupil.step(1e-3));
    const SamplePanel panel = samplePanel(pupil.plan, kRows, 1, pupil.rng);
    const Rows rows = panel.rows();
    LearnDevice& device = *pupil.state.device();
    const auto step = [&] {
        for (std::size_t lane = 0; lane < 2; ++lane)
            if (!pupil.context->run(pupil.state.current(), rows, {pupil.heads.data(), nullptr}, Keep::tape) ||
                !device.backward(*pupil.context, pupil.heads.data(), lane, nullptr))
                return false;
        const auto info = device.sum(2);
        return info && pupil.state.stepOnDevice(1e-3, info->grad_norm, pupil.version) && pupil.state.fetch();
    };
    ASSERT_TRUE(step() && step());
    const std::uint64_t before = testing::allocationCount();
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(step());
    EXPECT_EQ(testing::allocationCount(), before);
}

}  // namespace

}  // namespace seedbed::testing_gpu
