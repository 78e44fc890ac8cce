// SPDX-License-Identifier: Apache-2.0
// DQN with several values per action, quantiles or an ensemble: the loss compared with its definition in
// double, and the gradient with central differences of the definition; bootstrap masks.
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "core/algo/algorithm.hpp"
#include "core/base/rng.hpp"
#include "tests/unit/algo/fake_step.hpp"

namespace seedbed {
namespace dqn_parts {
namespace {

constexpr int kRows = 17, kActions = 3, kParts = 5, kWords = kActions * kParts + kActions;
constexpr double kGamma = 0.9;

std::unique_ptr<Algorithm> makeDqn(Json params) {
    Spaces spaces;
    spaces.actions = {{.name = "action", .kind = ActionLeaf::Kind::discrete, .n = kActions}};
    params["gamma"] = kGamma;
    params["value_count"] = kParts;
    return algorithmRegistry().find("dqn")->make(params, ActionDistribution(spaces, false));
}

// Head panels as the plan of such a network lays them out: [actions, parts], then the means of the actions.
std::vector<float> panel(Rng& rng) {
    std::vector<float> heads;
    for (int row = 0; row < kRows; ++row) {
        std::vector<float> parts;
        for (int i = 0; i < kActions * kParts; ++i) parts.push_back(static_cast<float>(rng.normal()));
        heads.insert(heads.end(), parts.begin(), parts.end());
        for (int a = 0; a < kActions; ++a) {
            double sum = 0;
            for (int j = 0; j < kParts; ++j) sum += static_cast<double>(parts[a * kParts + j]);
            heads.push_back(static_cast<float>(sum / kParts));
        }
    }
    return heads;
}

struct Problem {
    NetPlan plan;
    std::vector<float> heads, next_online, next_target, action, reward, discount, weight;
    std::vector<std::uint8_t> valid, mask;
    std::vector<RowRef> refs;
    Chunk chunk;

    explicit Problem(std::uint64_t seed = 3) {
        plan.head_words = kWords;
        Rng rng(seed, RngPurpose::test);
        heads = panel(rng);
        next_online = panel(rng);
        next_target = panel(rng);
        for (int row = 0; row < 2 * kRows; ++row) {
            const bool is_learned = row < kRows;
            valid.push_back(is_learned && row != 4 ? 1 : 0);
            action.push_back(static_cast<float>(rng.below(kActions)));
            reward.push_back(static_cast<float>(2 * rng.normal()));
            discount.push_back(rng.bernoulli(0.2) ? 0.0f : 1.0f);
            refs.push_back({static_cast<std::uint64_t>(row) + 100, row % 4, row % 3});
        }
        for (int row = 0; row < kRows; ++row) {
            weight.push_back(static_cast<float>(rng.uniform(0.1, 1)));
            for (int a = 0; a < kActions; ++a) mask.push_back(a == row % kActions ? 0 : 1);
        }
        chunk = {.sequences = kRows, .steps = 2, .learned = 1};
        chunk.action = action.data();
        chunk.reward = reward.data();
        chunk.discount = discount.data();
        chunk.valid = valid.data();
        chunk.weight = weight.data();
        chunk.refs = refs.data();
        chunk.successor_mask = mask.data();
        chunk.valid_rows = kRows - 1;
    }
    FakeStep step(double* sums, float* priorities = nullptr) const {
        return FakeStep(chunk,
                        {{.plan = &plan, .rows = heads, .successors = next_online},
                         {.plan = &plan, .successors = next_target}},
                        sums, priorities);
    }
    double at(const std::vector<float>& panel, int row, int a, int j) const {
        return static_cast<double>(panel[static_cast<std::size_t>(row * kWords + a * kParts + j)]);
    }
    // The allowed action with the largest mean, or the largest value of one member.
    int best(const std::vector<float>& panel, int row, int member) const {
        int best = -1;
        double largest = 0;
        for (int a = 0; a < kActions; ++a) {
            double value = 0;
            for (int j = 0; j < kParts; ++j) value += member < 0 || member == j ? at(panel, row, a, j) : 0;
            if (mask[static_cast<std::size_t>(row * kActions + a)] == 0 || (best >= 0 && value <= largest))
                continue;
            best = a;
            largest = value;
        }
        return best;
    }
    std::vector<double> targets(int row, bool double_q, bool by_member) const {
        std::vector<double> all;
        for (int j = 0; j < kParts; ++j) {
            const int a = best(double_q ? next_online : next_target, row, by_member ? j : -1);
            all.push_back(static_cast<double>(reward[static_cast<std::size_t>(row)]) +
                          kGamma * static_cast<double>(discount[static_cast<std::size_t>(row)]) *
                              at(next_target, row, a, j));
        }
        return all;
    }
};

double huber(double u) { return std::abs(u) > 1 ? std::abs(u) - 0.5 : u * u / 2; }

// Dabney et al. 2018, eq. 9 and 10 with kappa 1, written as in the paper.
double quantileLossOf(const std::vector<double>& theta, const std::vector<double>& targets) {
    double loss = 0;
    for (int i = 0; i < kParts; ++i)
        for (const double target : targets) {
            const double u = target - theta[static_cast<std::size_t>(i)], tau = (2.0 * i + 1) / (2 * kParts);
            loss += std::abs(tau - (u < 0 ? 1 : 0)) * huber(u) / kParts;
        }
    return loss;
}

double ensembleLossOf(const std::vector<double>& members, const std::vector<double>& targets, bool is_huber) {
    double loss = 0;
    for (std::size_t j = 0; j < kParts; ++j) {
        const double error = targets[j] - members[j];
        loss += (is_huber ? huber(error) : error * error / 2) / kParts;
    }
    return loss;
}

using LossOf = std::function<double(const std::vector<double>&, const std::vector<double>&)>;

void expectGradientOf(const Problem& p, const Algorithm& algorithm, bool double_q, bool by_member,
                      const LossOf& loss_of) {
    std::vector<double> sums(3, 0.0);
    std::vector<float> priorities(kRows, -1.0f);
    FakeStep step = p.step(sums.data(), priorities.data());
    algorithm.learn(step);
    const std::vector<float>& gradient = step.net(0).gradients;
    EXPECT_TRUE(step.net(1).gradients.empty()) << "the target network is not trained";
    double loss = 0, errors = 0;
    for (int row = 0; row < kRows; ++row) {
        const bool is_valid = p.valid[static_cast<std::size_t>(row)] != 0;
        const int action = static_cast<int>(p.action[static_cast<std::size_t>(row)]);
        const auto weight = static_cast<double>(p.weight[static_cast<std::size_t>(row)]);
        const std::vector<double> targets = p.targets(row, double_q, by_member);
        std::vector<double> own;
        double error = 0;
        for (int j = 0; j < kParts; ++j) {
            own.push_back(p.at(p.heads, row, action, j));
            error += (targets[static_cast<std::size_t>(j)] - own.back()) / kParts;
        }
        for (int word = 0; word < kWords; ++word) {
            const int a = word / kParts, j = word % kParts;
            double slope = 0;
            if (is_valid && word < kActions * kParts && a == action) {
                const auto moved = [&](double by) {
                    std::vector<double> changed = own;
                    changed[static_cast<std::size_t>(j)] += by;
                    return weight * loss_of(changed, targets) / p.chunk.valid_rows;
                };
                slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            }
            // Float rounding errors of values of order one.
            EXPECT_NEAR(static_cast<double>(gradient[static_cast<std::size_t>(row * kWords + word)]), slope,
                        2e-6)
                << "row " << row << ", word " << word;
        }
        if (!is_valid) continue;
        loss += weight * loss_of(own, targets);
        errors += std::abs(error);
        EXPECT_NEAR(static_cast<double>(priorities[static_cast<std::size_t>(row)]), std::abs(error), 1e-5);
    }
    EXPECT_NEAR(sums[0], loss, 1e-4);
    EXPECT_NEAR(sums[2], errors, 1e-4);
}

TEST(DqnQuantiles, GradientIsThatOfTheQuantileHuberLoss) {
    for (const bool double_q : {false, true}) {
        const Problem p(3);
        expectGradientOf(p, *makeDqn({{"values", "quantiles"}, {"double_q", double_q}}), double_q, false,
                         quantileLossOf);
    }
}

TEST(DqnEnsemble, EveryMemberLearnsFromItsOwnTarget) {
    for (const bool double_q : {false, true})
        for (const bool is_huber : {false, true}) {
            const Problem p(5);
            expectGradientOf(p,
                             *makeDqn({{"values", "ensemble"},
                                       {"member_share", 1},
                                       {"double_q", double_q},
                                       {"loss", is_huber ? "huber" : "squared"}}),
                             double_q, true, [&](const auto& members, const auto& targets) {
                                 return ensembleLossOf(members, targets, is_huber);
                             });
        }
}

TEST(DqnEnsemble, EachMemberLearnsFromAFixedShareOfTheRows) {
    const auto algorithm = makeDqn({{"values", "ensemble"}, {"member_share", 0.25}, {"loss", "squared"}});
    int learned = 0, same = 0, all = 0;
    for (std::uint64_t round = 0; round < 40; ++round) {
        Problem p(7);
        for (RowRef& ref : p.refs) ref.t += 1000 * round;
        std::vector<double> sums(3, 0.0);
        FakeStep step = p.step(sums.data()), again = p.step(sums.data());
        algorithm->learn(step);
        algorithm->learn(again);
        EXPECT_EQ(step.net(0).gradients, again.net(0).gradients) << "masks belong to the row";
        for (int row = 0; row < kRows; ++row) {
            if (p.valid[static_cast<std::size_t>(row)] == 0) continue;
            const auto begin = static_cast<std::size_t>(row * kWords) +
                               static_cast<std::size_t>(p.action[static_cast<std::size_t>(row)]) * kParts;
            const auto learns = [&](std::size_t j) { return step.net(0).gradients[begin + j] != 0; };
            for (std::size_t j = 0; j < kParts; ++j) learned += learns(j) ? 1 : 0;
            same += learns(0) && learns(1) ? 1 : 0;
            ++all;
        }
    }
    // 3,200 draws of probability 0.25, and 640 pairs of probability 1/16: four standard deviations.
    EXPECT_NEAR(static_cast<double>(learned) / (all * kParts), 0.25, 0.031);
    EXPECT_NEAR(static_cast<double>(same) / all, 0.0625, 0.038);
}

TEST(DqnEnsemble, ActsByOneMemberPerEpisode) {
    EXPECT_EQ(makeDqn({{"values", "ensemble"}})->acting({}).members, kParts);
    EXPECT_EQ(makeDqn({{"values", "quantiles"}})->acting({}).members, 1);
    EXPECT_EQ(makeDqn(Json::object())->acting({}).members, 1);
}

}  // namespace
}  // namespace dqn_parts
}  // namespace seedbed
