// SPDX-License-Identifier: Apache-2.0
// Optimisers compared with the papers' formulas in double, and invariants of a step.
#include "core/nn/optimiser.hpp"

#include <cmath>
#include <limits>

#include "core/base/simd.hpp"
#include "core/base/thread.hpp"
#include "tests/unit/nn/nn_util.hpp"

namespace seedbed::testing_nn {

namespace {

NetPlan smallPlan() {
    NetworkParams params;
    params.hidden = {5};
    params.normalise_obs = true;
    return planOf(specOf(
        {.obs = {vectorLeaf("obs", 3)}, .actions = {choice("move", 2), box("steer", {-1}, {1})}}, params));
}

// The whole state of a rule in double.
struct Truth {
    std::vector<double> weight, first, second;
    int t = 0;
    explicit Truth(const std::vector<float>& blob)
        : weight(wide(blob)), first(blob.size(), 0.0), second(blob.size(), 0.0) {}
};
using Rule = std::function<void(Truth&, std::size_t i, double g, double lr)>;

bool learns(const NetPlan& plan, std::size_t i) {
    for (const ParamEntry& entry : plan.params)
        if (i >= entry.offset && i < entry.offset + entry.count)
            return entry.role == ParamEntry::Role::weight;
    return false;
}

// 100 steps with random gradients of varying size, clipped to norm 1, and a varying learning rate. Each step
// is about 1e-2 and has a float rounding error of about 1e-7 of the weight; 2e-5 also allows for rounding of
// the moments.
void expectSameAsPaper(const OptimiserParams& params, const Rule& rule) {
    const NetPlan plan = smallPlan();
    const std::uint64_t seed = testSeed(5);
    std::vector<float> blob = sampleBlob(plan, seed);
    const std::vector<float> start = blob;
    Truth truth(blob);
    Optimiser optimiser(plan, params);
    Rng rng(seed, RngPurpose::test, 3);
    for (int step = 1; step <= 100; ++step) {
        std::vector<float> gradient(blob.size(), 0.0f);
        double square = 0;
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            if (!learns(plan, i)) continue;
            gradient[i] = static_cast<float>((step % 7) * 0.1 * rng.normal());
            square += static_cast<double>(gradient[i]) * static_cast<double>(gradient[i]);
        }
        const double lr = 1e-2 / (1 + 0.01 * step), norm = std::sqrt(square);
        const double clip = norm > params.max_grad_norm ? params.max_grad_norm / norm : 1;
        truth.t = step;
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            if (!learns(plan, i)) continue;
            truth.weight[i] *= 1 - lr * params.weight_decay;
            rule(truth, i, clip * static_cast<double>(gradient[i]), lr);
        }
        const auto info = optimiser.step(blob, gradient, lr);
        EXPECT_TRUE(info.finite);
        EXPECT_NEAR(info.grad_norm, norm, 1e-12 * (1 + norm));
    }
    EXPECT_EQ(optimiser.steps(), 100u);
    double moved = 0;
    for (std::size_t i = 0; i < blob.size(); ++i) {
        EXPECT_NEAR(blob[i], truth.weight[i], 2e-5) << i;
        EXPECT_TRUE(learns(plan, i) || blob[i] == start[i]) << "buffers and gaps must not change";
        moved = std::max(moved, std::abs(static_cast<double>(blob[i] - start[i])));
    }
    EXPECT_GT(moved, 0.01);
}

TEST(Optimiser, AdamFollowsKingmaAndBaAlgorithm1) {
    OptimiserParams p{.kind = "adam", .epsilon = 1e-5, .weight_decay = 0.01, .max_grad_norm = 1};
    expectSameAsPaper(p, [&](Truth& s, std::size_t i, double g, double lr) {
        s.first[i] = p.beta1 * s.first[i] + (1 - p.beta1) * g;
        s.second[i] = p.beta2 * s.second[i] + (1 - p.beta2) * g * g;
        const double m = s.first[i] / (1 - std::pow(p.beta1, s.t)),
                     v = s.second[i] / (1 - std::pow(p.beta2, s.t));
        s.weight[i] -= lr * m / (std::sqrt(v) + p.epsilon);
    });
}

TEST(Optimiser, RmsPropFollowsPyTorchWithEpsilonOutside) {
    OptimiserParams p{.kind = "rmsprop", .epsilon = 1e-3, .alpha = 0.95, .momentum = 0.5, .max_grad_norm = 1};
    expectSameAsPaper(p, [&](Truth& s, std::size_t i, double g, double lr) {
        s.second[i] = p.alpha * s.second[i] + (1 - p.alpha) * g * g;
        s.first[i] = p.momentum * s.first[i] + g / (std::sqrt(s.second[i]) + p.epsilon);
        s.weight[i] -= lr * s.first[i];
    });
}

TEST(Optimiser, RmsPropFollowsTensorFlowWithEpsilonInside) {
    OptimiserParams p{.kind = "rmsprop",
                      .epsilon = 0.01,
                      .alpha = 0.99,
                      .momentum = 0.9,
                      .epsilon_inside_sqrt = true,
                      .max_grad_norm = 1};
    expectSameAsPaper(p, [&](Truth& s, std::size_t i, double g, double lr) {
        s.second[i] = p.alpha * s.second[i] + (1 - p.alpha) * g * g;
        s.first[i] = p.momentum * s.first[i] + lr * g / std::sqrt(s.second[i] + p.epsilon);
        s.weight[i] -= s.first[i];
    });
}

TEST(Optimiser, SgdFollowsHeavyBallMomentum) {
    OptimiserParams p{.kind = "sgd", .momentum = 0.9, .weight_decay = 0.1, .max_grad_norm = 1};
    expectSameAsPaper(p, [&](Truth& s, std::size_t i, double g, double lr) {
        s.first[i] = p.momentum * s.first[i] + g;
        s.weight[i] -= lr * s.first[i];
    });
}

TEST(Optimiser, ANonFiniteGradientChangesNothingAndIsNamed) {
    const NetPlan plan = smallPlan();
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()}) {
        std::vector<float> blob = sampleBlob(plan, 1), gradient(blob.size(), 0.1f);
        const std::vector<float> before = blob;
        Optimiser optimiser(plan, {});
        const ParamEntry* entry = plan.param("head.value.weight");
        ASSERT_NE(entry, nullptr);
        gradient[entry->offset + entry->count - 1] = bad;
        const auto info = optimiser.step(blob, gradient, 0.1);
        EXPECT_FALSE(info.finite);
        EXPECT_EQ(info.culprit, "head.value.weight");
        EXPECT_EQ(blob, before);
        EXPECT_EQ(optimiser.steps(), 0u);
        // The next successful step counts as the first one.
        Optimiser fresh(plan, {});
        std::vector<float> good(blob.size(), 0.1f), other = before;
        optimiser.step(blob, good, 0.1);
        fresh.step(other, good, 0.1);
        EXPECT_EQ(blob, other);
    }
}

TEST(Optimiser, GroupsScaleTheirLearningRateAndChangeNothingElse) {
    const NetPlan plan = smallPlan();
    const ParamEntry &a = *plan.param("policy.hidden0.weight"), &b = *plan.param("value.hidden0.weight");
    ASSERT_LT(a.offset, b.offset);
    OptimiserParams sgd{.kind = "sgd", .max_grad_norm = 0};
    Optimiser optimiser(plan, sgd,
                        {{a.offset, a.offset + a.count, 1, 0}, {b.offset, b.offset + b.count, 0.5, 0.2}});
    std::vector<float> blob = sampleBlob(plan, 2), gradient(blob.size(), 1.0f);
    const std::vector<float> before = blob;
    // A gradient outside all groups does not count towards the norm.
    gradient[plan.param("head.value.bias")->offset] = 1e6f;
    const auto info = optimiser.step(blob, gradient, 0.125);
    EXPECT_DOUBLE_EQ(info.grad_norm, std::sqrt(static_cast<double>(a.count + b.count)));
    for (std::size_t i = 0; i < blob.size(); ++i) {
        const auto inside = [&](const ParamEntry& e) { return i >= e.offset && i < e.offset + e.count; };
        const float expected = inside(a)   ? before[i] - 0.125f
                               : inside(b) ? before[i] * (1 - 0.0625f * 0.2f) - 0.0625f
                                           : before[i];
        // Each operation rounds once.
        EXPECT_NEAR(blob[i], expected, 3e-7) << i;
    }
}

TEST(Optimiser, SavedStateContinuesExactly) {
    const NetPlan plan = smallPlan();
    std::vector<float> blob = sampleBlob(plan, 3);
    Optimiser whole(plan, {});
    Rng rng(testSeed(9), RngPurpose::test);
    const auto gradient = [&] {
        std::vector<float> g(blob.size());
        for (float& x : g) x = static_cast<float>(rng.normal());
        return g;
    };
    for (int i = 0; i < 5; ++i) {
        auto g = gradient();
        whole.step(blob, g, 1e-2);
    }
    Archive saved = Archive::saving();
    whole.archive(saved);
    Optimiser resumed(plan, {});
    Archive loading = Archive::loading(saved.bytes());
    resumed.archive(loading);
    ASSERT_TRUE(loading.finish());
    std::vector<float> other = blob;
    for (int i = 0; i < 5; ++i) {
        auto g = gradient(), h = g;
        whole.step(blob, g, 1e-2);
        resumed.step(other, h, 1e-2);
    }
    EXPECT_EQ(blob, other);
    EXPECT_EQ(resumed.steps(), 10u);

    // The state of another optimiser is rejected.
    Optimiser sgd(plan, {.kind = "sgd"});
    Archive wrong = Archive::loading(saved.bytes());
    sgd.archive(wrong);
    EXPECT_FALSE(wrong.finish());
}

TEST(Optimiser, GivesTheSameBitsOnEveryInstructionSet) {
    const NetPlan plan = smallPlan();
    for (const std::string kind : {"adam", "rmsprop", "sgd"}) {
        std::vector<std::vector<float>> results;
        for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
            limitIsa(isa);
            std::vector<float> blob = sampleBlob(plan, 4);
            Optimiser optimiser(plan, {.kind = kind, .momentum = 0.5});
            Rng rng(17, RngPurpose::test);
            for (int i = 0; i < 10; ++i) {
                std::vector<float> g(blob.size());
                for (float& x : g) x = static_cast<float>(rng.normal());
                optimiser.step(blob, g, 1e-2);
            }
            results.push_back(blob);
        }
        limitIsa(detectedIsa());
        EXPECT_EQ(results[0], results[1]) << kind;
        EXPECT_EQ(results[0], results[2]) << kind;
    }
}

// Large enough that the pool's threads share the blocks, with ranges that end within a block.
TEST(Optimiser, GivesTheSameBitsOnAnyNumberOfThreads) {
    NetworkParams params;
    params.hidden = {300, 301};
    const NetPlan plan =
        planOf(specOf({.obs = {vectorLeaf("obs", 7)}, .actions = {choice("move", 2)}}, params));
    ASSERT_GT(plan.param_floats, std::size_t{128 * 1024});
    for (const std::string kind : {"adam", "rmsprop", "sgd"}) {
        std::vector<std::vector<float>> results;
        std::vector<double> norms;
        for (const int threads : {0, 1, 2, 3}) {
            std::unique_ptr<WorkerPool> pool = threads > 0 ? std::make_unique<WorkerPool>(threads) : nullptr;
            std::vector<float> blob = sampleBlob(plan, 4);
            Optimiser optimiser(plan, {.kind = kind, .momentum = 0.5});
            Rng rng(17, RngPurpose::test);
            for (int i = 0; i < 3; ++i) {
                std::vector<float> g(blob.size());
                for (float& x : g) x = static_cast<float>(rng.normal());
                norms.push_back(optimiser.step(blob, g, 1e-2, pool.get()).grad_norm);
            }
            results.push_back(blob);
        }
        for (std::size_t i = 1; i < results.size(); ++i) {
            EXPECT_EQ(results[0], results[i]) << kind;
            for (std::size_t n = 0; n < 3; ++n) EXPECT_EQ(norms[n], norms[3 * i + n]) << kind;
        }
    }
}

}  // namespace

}  // namespace seedbed::testing_nn
