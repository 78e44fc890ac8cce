// SPDX-License-Identifier: Apache-2.0
// R2D2's loss compared with its definition in double, and its gradient with central differences of the
// definition; value rescaling and its inverse; targets at the ends of episodes; priorities when learning and
// acting.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/algo/algorithm.hpp"
#include "core/algo/q_learning.hpp"
#include "core/base/rng.hpp"
#include "tests/unit/algo/fake_step.hpp"

namespace seedbed {
namespace {

constexpr int kSequences = 7, kLearned = 9, kActions = 4;
constexpr double kGamma = 0.9, kEta = 0.8;

using Part = Step::Part;

ActionDistribution fourChoices(bool mask = false) {
    Spaces spaces;
    spaces.actions = {{.name = "action", .kind = ActionLeaf::Kind::discrete, .n = kActions}};
    spaces.has_mask = mask;
    return {spaces, false};
}

std::unique_ptr<Algorithm> makeR2d2(Json params, bool mask = false) {
    params["gamma"] = kGamma;
    params["priority_eta"] = kEta;
    return algorithmRegistry().find("r2d2")->make(params, fourChoices(mask));
}

// --- value rescaling

// The definition, in 80-bit arithmetic.
long double definedScale(long double x) {
    return (x < 0 ? -1 : 1) * (std::sqrt(std::abs(x) + 1) - 1) + 0.001L * x;
}

TEST(R2d2, RescalesValuesByTheDefinition) {
    for (double x = 1e-8; x < 1e9; x *= 1.7)
        for (const double signed_x : {x, -x}) {
            const auto expected = static_cast<double>(definedScale(signed_x));
            // The definition itself loses digits near 0: sqrt(1 + x) - 1 is exact to about 1e-19.
            EXPECT_NEAR(scaledValue(signed_x), expected, 4e-16 * std::abs(expected) + 2e-19) << signed_x;
        }
    EXPECT_EQ(scaledValue(0), 0);
    EXPECT_NEAR(scaledValue(100), 9.149875621120890, 1e-14) << "sqrt(101) - 1 + 0.1";
}

TEST(R2d2, TheInverseRestoresTheValue) {
    // For doubles, and for values rounded to the network's floats: both need an inverse that does not
    // subtract nearly equal numbers.
    for (double x = 1e-8; x < 1e9; x *= 1.7)
        for (const double signed_x : {x, -x}) {
            EXPECT_NEAR(unscaledValue(scaledValue(signed_x)), signed_x, 2e-15 * x) << signed_x;
            EXPECT_NEAR(scaledValue(unscaledValue(signed_x)), signed_x, 2e-15 * x) << signed_x;
            const auto stored = static_cast<double>(static_cast<float>(scaledValue(signed_x)));
            // A relative error e in h(x) becomes at most 2 e in x, since |h'(x) x| >= |h(x)| / 2.
            EXPECT_NEAR(unscaledValue(stored), signed_x, 1.3e-7 * x) << signed_x;
        }
    EXPECT_EQ(unscaledValue(0), 0);
}

// --- targets

// A chunk with terminations and truncations inside the sequences.
struct Problem {
    int n;
    NetPlan plan;
    std::vector<float> online, target, action, reward, discount, weight;
    std::vector<std::uint8_t> valid, mask, successor_mask;
    Chunk chunk;

    explicit Problem(int steps, std::uint64_t seed = 5) : n(steps) {
        plan.head_words = kActions;
        Rng rng(seed, RngPurpose::test);
        const int rows = (kLearned + n) * kSequences;
        for (auto* heads : {&online, &target})
            for (int i = 0; i < rows * kActions; ++i) heads->push_back(static_cast<float>(3 * rng.normal()));
        std::vector<bool> extra(kSequences, false);
        for (int row = 0; row < rows; ++row) {
            const auto s = static_cast<std::size_t>(row % kSequences);
            const bool last = row >= (kLearned + n - 1) * kSequences, is_valid = !last && !extra[s];
            const bool ends = is_valid && rng.bernoulli(0.15);
            extra[s] = is_valid && !ends && rng.bernoulli(0.15);  // truncated: the next row is an extra one
            valid.push_back(is_valid ? 1 : 0);
            action.push_back(is_valid ? static_cast<float>(rng.below(kActions)) : 0.0f);
            reward.push_back(is_valid ? static_cast<float>(20 * rng.normal()) : 0.0f);
            discount.push_back(is_valid && !ends ? 1.0f : 0.0f);
        }
        for (int i = 0; i < kSequences; ++i) weight.push_back(static_cast<float>(rng.uniform(0.1, 1)));
        chunk.sequences = kSequences;
        chunk.steps = kLearned + n;
        chunk.learned = kLearned;
        chunk.action = action.data();
        chunk.reward = reward.data();
        chunk.discount = discount.data();
        chunk.valid = valid.data();
        chunk.policy = online.data();
        chunk.weight = weight.data();
        chunk.valid_rows = 43;
    }
    static std::size_t at(int t, int s) { return static_cast<std::size_t>(t * kSequences + s); }

    // The definition, one row at a time: rewards up to the n-th, a termination or an extra row.
    struct Return {
        double reward = 0, factor = 1;
        int end = 0;  // the row that bootstraps
        bool terminated = false, truncated = false;
    };
    Return returnOf(int t, int s) const {
        Return result;
        for (int k = 0; k < n; ++k) {
            const std::size_t row = at(t + k, s);
            result.end = t + k;
            if (k > 0 && valid[row] == 0) {
                result.truncated = true;
                return result;
            }
            result.reward += result.factor * static_cast<double>(reward[row]);
            result.factor *= kGamma;
            if (discount[row] == 0) {
                result.terminated = true;
                return result;
            }
        }
        result.end = t + n;
        return result;
    }
    double targetOf(int t, int s, const std::vector<float>& chooser, const std::vector<float>& values,
                    bool rescale,
                    const std::vector<bool>& allowed = std::vector<bool>(kActions, true)) const {
        const Return ahead = returnOf(t, s);
        double result = ahead.reward;
        if (!ahead.terminated) {
            const std::size_t begin = at(ahead.end, s) * kActions;
            int best = -1;
            for (int a = 0; a < kActions; ++a)
                if (allowed[static_cast<std::size_t>(a)] &&
                    (best < 0 || chooser[begin + static_cast<std::size_t>(a)] >
                                     chooser[begin + static_cast<std::size_t>(best)]))
                    best = a;
            const double value = values[begin + static_cast<std::size_t>(best)];
            result += ahead.factor * (rescale ? unscaledValue(value) : value);
        }
        return rescale ? scaledValue(result) : result;
    }
    FakeStep step(double* sums, float* priorities = nullptr) const {
        return FakeStep(chunk, {{.plan = &plan, .all = online}, {.plan = &plan, .all = target}}, sums,
                        priorities);
    }
};

TEST(R2d2, GradientIsThatOfTheDefinedLoss) {
    int terminated = 0, truncated = 0, whole = 0;
    for (const int n : {1, 3, 5})
        for (const bool double_q : {false, true})
            for (const bool rescale : {false, true}) {
                const Problem p(n);
                const auto algorithm =
                    makeR2d2({{"n_step", n}, {"double_q", double_q}, {"rescale", rescale}});
                std::vector<double> sums(3, 0.0);
                FakeStep step = p.step(sums.data());
                algorithm->learn(step);
                const std::vector<float>& gradient = step.net(0).gradients;
                ASSERT_EQ(gradient.size(), p.online.size());
                EXPECT_TRUE(step.net(1).gradients.empty()) << "the target network is not trained";
                double loss_sum = 0, error_sum = 0;
                for (int t = 0; t < kLearned + n; ++t)
                    for (int s = 0; s < kSequences; ++s) {
                        const std::size_t row = Problem::at(t, s);
                        const bool is_learned = t < kLearned && p.valid[row] != 0;
                        double target = 0;
                        if (is_learned) {
                            target = p.targetOf(t, s, double_q ? p.online : p.target, p.target, rescale);
                            const Problem::Return ahead = p.returnOf(t, s);
                            terminated += ahead.terminated ? 1 : 0;
                            truncated += ahead.truncated ? 1 : 0;
                            whole += ahead.end == t + n ? 1 : 0;
                        }
                        const auto weight = static_cast<double>(p.weight[static_cast<std::size_t>(s)]);
                        for (int a = 0; a < kActions; ++a) {
                            const std::size_t i = row * kActions + static_cast<std::size_t>(a);
                            const bool counts = is_learned && a == static_cast<int>(p.action[row]);
                            // Targets are constants.
                            const auto loss = [&](double q) {
                                return counts
                                           ? weight * 0.5 * (target - q) * (target - q) / p.chunk.valid_rows
                                           : 0.0;
                            };
                            const auto q = static_cast<double>(p.online[i]);
                            const double expected = (loss(q + 1e-4) - loss(q - 1e-4)) / 2e-4;
                            // Differences of a square are exact up to rounding; the gradient is a float.
                            EXPECT_NEAR(static_cast<double>(gradient[i]), expected,
                                        1e-7 * std::abs(expected) + 1e-9)
                                << "n " << n << ", row " << t << ", sequence " << s << ", action " << a;
                            if (!counts) continue;
                            loss_sum += weight * 0.5 * (target - q) * (target - q);
                            error_sum += std::abs(target - q);
                        }
                    }
                EXPECT_NEAR(sums[0], loss_sum, 1e-9 * loss_sum);
                EXPECT_NEAR(sums[2], error_sum, 1e-9 * error_sum);
            }
    EXPECT_GT(terminated, 50);
    EXPECT_GT(truncated, 50);
    EXPECT_GT(whole, 50);
}

// Defect B12 of SEED RL: a time limit was counted as a termination.
TEST(R2d2, TruncationBootstrapsFromTheLastObservationAndTerminationDoesNot) {
    Problem p(3);
    std::fill(p.valid.begin(), p.valid.begin() + kLearned * kSequences, std::uint8_t{1});
    std::fill(p.discount.begin(), p.discount.end(), 1.0f);
    // Sequence 0: row 1 terminates. Sequence 1: row 2 is the extra row of a truncation.
    p.discount[Problem::at(1, 0)] = 0;
    p.valid[Problem::at(2, 1)] = 0;
    p.reward[Problem::at(2, 1)] = p.discount[Problem::at(2, 1)] = 0;
    const auto algorithm = makeR2d2({{"n_step", 3}, {"rescale", false}});
    const auto gradientAt = [&](int s) {
        std::vector<double> sums(3, 0.0);
        FakeStep step = p.step(sums.data());
        algorithm->learn(step);
        const std::size_t row = Problem::at(0, s);
        return step.net(0).gradients[row * kActions + static_cast<std::size_t>(p.action[row])];
    };
    const float ended = gradientAt(0), cut = gradientAt(1);
    // Values after the termination do not matter; the value of the extra row does, but no later value.
    for (int t = 1; t < kLearned + 3; ++t)
        for (std::size_t a = 0; a < kActions; ++a) p.target[Problem::at(t, 0) * kActions + a] += 5;
    EXPECT_EQ(gradientAt(0), ended);
    for (int t = 3; t < kLearned + 3; ++t)
        for (std::size_t a = 0; a < kActions; ++a) p.target[Problem::at(t, 1) * kActions + a] += 5;
    EXPECT_EQ(gradientAt(1), cut);
    for (std::size_t a = 0; a < kActions; ++a) p.target[Problem::at(2, 1) * kActions + a] += 5;
    const double expected = -static_cast<double>(p.weight[1]) * 5 * kGamma * kGamma / p.chunk.valid_rows;
    EXPECT_NEAR(static_cast<double>(gradientAt(1) - cut), expected, 1e-6) << "gamma^2, two rows ahead";
}

TEST(R2d2, ForbiddenActionsAreNotTheBestOfTheSuccessor) {
    Problem p(2);
    p.successor_mask.assign(static_cast<std::size_t>(kLearned * kSequences * kActions), 1);
    for (std::size_t i = 0; i < p.successor_mask.size(); i += kActions)
        p.successor_mask[i + (i / kActions) % 3] = 0;
    p.chunk.successor_mask = p.successor_mask.data();
    const auto algorithm = makeR2d2({{"n_step", 2}}, true);
    std::vector<double> sums(3, 0.0);
    FakeStep step = p.step(sums.data());
    algorithm->learn(step);
    int changed = 0;
    for (int t = 0; t < kLearned; ++t)
        for (int s = 0; s < kSequences; ++s) {
            const std::size_t row = Problem::at(t, s);
            if (p.valid[row] == 0) continue;
            std::vector<bool> allowed(kActions, true);
            allowed[row % 3] = false;
            const double target = p.targetOf(t, s, p.online, p.target, true, allowed);
            changed += target != p.targetOf(t, s, p.online, p.target, true) ? 1 : 0;
            const std::size_t i = row * kActions + static_cast<std::size_t>(p.action[row]);
            const double expected = -static_cast<double>(p.weight[static_cast<std::size_t>(s)]) *
                                    (target - static_cast<double>(p.online[i])) / p.chunk.valid_rows;
            EXPECT_NEAR(static_cast<double>(step.net(0).gradients[i]), expected,
                        1e-7 * std::abs(expected) + 1e-9);
        }
    EXPECT_GT(changed, 5);
}

// --- burn-in and priorities

TEST(R2d2, BothNetworksBurnInBeforeTheyRunOnTheLearnedRows) {
    Problem p(1);
    p.chunk.burn_in = 4;
    std::vector<double> sums(3, 0.0);
    FakeStep step = p.step(sums.data());
    makeR2d2({{"n_step", 1}})->learn(step);
    const std::vector<FakeStep::Call> expected{{1, Part::burn_in, Keep::nothing},
                                               {1, Part::all, Keep::nothing},
                                               {0, Part::burn_in, Keep::nothing},
                                               {0, Part::all, Keep::tape}};
    EXPECT_EQ(step.calls, expected);
}

double definedPriority(const std::vector<double>& errors) {
    double largest = 0, sum = 0;
    for (const double error : errors) {
        largest = std::max(largest, std::abs(error));
        sum += std::abs(error);
    }
    return errors.empty() ? 0 : kEta * largest + (1 - kEta) * sum / static_cast<double>(errors.size());
}

TEST(R2d2, PrioritiesMixTheLargestAndTheMeanErrorOfTheLearnedValidRows) {
    Problem p(3);
    for (int t = 0; t < kLearned; ++t) p.valid[Problem::at(t, 2)] = 0;
    std::vector<double> sums(3, 0.0);
    std::vector<float> priorities(kSequences, -1.0f);
    FakeStep step = p.step(sums.data(), priorities.data());
    makeR2d2({{"n_step", 3}})->learn(step);
    for (int s = 0; s < kSequences; ++s) {
        std::vector<double> errors;
        for (int t = 0; t < kLearned; ++t) {
            const std::size_t row = Problem::at(t, s);
            if (p.valid[row] == 0) continue;
            errors.push_back(
                p.targetOf(t, s, p.online, p.target, true) -
                static_cast<double>(p.online[row * kActions + static_cast<std::size_t>(p.action[row])]));
        }
        EXPECT_EQ(errors.empty(), s == 2);
        // Sums of floats of order one to ten.
        EXPECT_NEAR(static_cast<double>(priorities[static_cast<std::size_t>(s)]), definedPriority(errors),
                    1e-5)
            << "without importance weights";
    }
}

// Defect B3 of SEED RL: the taken action, which may be random, was counted as the best one.
TEST(R2d2, ActingPrioritiesUseTheValueOfTheTakenActionAndTheBestOneOfTheTarget) {
    for (const bool with_mask : {false, true}) {
        Problem p(3);
        // Unlike in a batch, all rows have values: those of the acting network.
        Rng rng(8, RngPurpose::test);
        for (int i = 0; i < p.chunk.rows() * kActions; ++i)
            p.mask.push_back(i % kActions == 0 || rng.bernoulli(0.6) ? 1 : 0);
        if (with_mask) p.chunk.mask = p.mask.data();
        std::vector<float> priorities(kSequences, -1.0f);
        makeR2d2({{"n_step", 3}}, with_mask)->actingPriorities(p.chunk, priorities.data());
        int explored = 0;
        for (int s = 0; s < kSequences; ++s) {
            std::vector<double> errors;
            for (int t = 0; t < kLearned; ++t) {
                const std::size_t row = Problem::at(t, s);
                if (p.valid[row] == 0) continue;
                std::vector<bool> allowed(kActions, true);
                const std::size_t end = Problem::at(p.returnOf(t, s).end, s);
                for (std::size_t a = 0; a < kActions && with_mask; ++a)
                    allowed[a] = p.mask[end * kActions + a] != 0;
                const auto taken =
                    static_cast<std::ptrdiff_t>(row * kActions) + static_cast<std::ptrdiff_t>(p.action[row]);
                errors.push_back(p.targetOf(t, s, p.online, p.online, true, allowed) -
                                 static_cast<double>(p.online[static_cast<std::size_t>(taken)]));
                const auto begin = p.online.begin() + static_cast<std::ptrdiff_t>(row * kActions);
                explored += *std::max_element(begin, begin + kActions) > *(p.online.begin() + taken) ? 1 : 0;
            }
            EXPECT_NEAR(static_cast<double>(priorities[static_cast<std::size_t>(s)]), definedPriority(errors),
                        1e-5);
        }
        EXPECT_GT(explored, 20) << "rows with an action that is not the best";
    }
}

// --- plan and settings

TEST(R2d2, EnvironmentsExploreOnTheLadderOfApeX) {
    ActingRule rule = makeR2d2(Json::object())->acting({.steps = 0});
    EXPECT_EQ(rule.kind, ActingRule::Kind::epsilon_greedy);
    rule.columns = 16;
    for (std::uint32_t i = 0; i < 16; ++i)
        EXPECT_DOUBLE_EQ(rule.epsilonOf(i), std::pow(0.4, 1 + 7.0 * i / 15)) << "Horgan et al. 2018";
}

// Defect B14 of SEED RL: a default replay of 100 sequences.
TEST(R2d2, TheDefaultReplayHoldsThousandsOfSequences) {
    const LearnPlan plan = makeR2d2(Json::object())->plan();
    EXPECT_GE(plan.replay->size / plan.replay->stride, 10'000);
    EXPECT_GE(plan.replay->start / plan.replay->stride, 4 * plan.replay->batch);
    EXPECT_EQ(plan.windowRows(), 20 + 40 + 5 - 1);
}

TEST(R2d2, FitsOneDiscreteActionOnly) {
    const AlgorithmEntry& entry = *algorithmRegistry().find("r2d2");
    Spaces spaces = fourChoices().spaces();
    EXPECT_TRUE(entry.fits(spaces));
    spaces.actions.push_back(spaces.actions[0]);
    EXPECT_FALSE(entry.fits(spaces));
}

}  // namespace
}  // namespace seedbed
