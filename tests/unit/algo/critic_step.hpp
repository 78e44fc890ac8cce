// SPDX-License-Identifier: Apache-2.0
// A learning step whose critics are closed-form functions of the action, for tests of algorithms with a
// policy and twin critics without a learner.
#pragma once

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/algo/algorithm.hpp"
#include "core/algo/bounded_control.hpp"
#include "core/base/rng.hpp"

namespace seedbed {

// Q(row, a) = sum over words of c0 a + c1 a^2 + c2 sin(3 a), with different coefficients in each row.
struct ClosedCritic {
    std::vector<double> coefficient;  // [rows, words, 3]

    double value(std::size_t row, const double* action, std::size_t words) const {
        double sum = 0;
        for (std::size_t i = 0; i < words; ++i) {
            const double* c = &coefficient[(row * words + i) * 3];
            sum += c[0] * action[i] + c[1] * action[i] * action[i] + c[2] * std::sin(3 * action[i]);
        }
        return sum;
    }
    double slope(std::size_t row, std::size_t word, double a, std::size_t words) const {
        const double* c = &coefficient[(row * words + word) * 3];
        return c[0] + 2 * c[1] * a + 3 * c[2] * std::cos(3 * a);
    }
};

// Rows of single decisions whose action has two leaves and three words. Networks are numbered as in TwinNets;
// number 5 is the temperature of SAC or the target policy of TD3.
struct CriticProblem {
    static constexpr std::size_t kRows = 19, kWords = 3;
    Spaces spaces;
    NetPlan policy_plan, one_plan;
    std::vector<float> policy, next_policy;     // heads [rows, 2 words]: policy in rows and successors
    ClosedCritic critics[2], targets[2];        // for rows; for their successors
    std::vector<float> fifth_rows, fifth_next;  // heads of network 5
    std::vector<float> action, reward, discount;
    std::vector<std::uint8_t> valid;
    Chunk chunk;

    explicit CriticProblem(std::uint64_t seed = 3) {
        spaces.actions = {{.name = "a", .kind = ActionLeaf::Kind::box, .low = {-2, 0}, .high = {2, 10}},
                          {.name = "b", .kind = ActionLeaf::Kind::box, .low = {-1}, .high = {1}}};
        policy_plan.head_words = 2 * kWords;
        one_plan.head_words = 1;
        Rng rng(seed, RngPurpose::test);
        for (auto* heads : {&policy, &next_policy})
            for (std::size_t i = 0; i < kRows * 2 * kWords; ++i)
                heads->push_back(static_cast<float>(0.8 * rng.normal()));
        for (auto* pair : {critics, targets})
            for (int j = 0; j < 2; ++j)
                for (std::size_t i = 0; i < kRows * kWords * 3; ++i)
                    pair[j].coefficient.push_back(rng.normal());
        const double low[] = {-2, 0, -1}, high[] = {2, 10, 1};
        for (std::size_t row = 0; row < 2 * kRows; ++row) {
            // The row ahead of the learned one may be the extra row of a truncation; it has no reward.
            const bool ahead = row >= kRows;
            valid.push_back(ahead || row == 4 ? 0 : 1);
            reward.push_back(ahead ? 0.0f : static_cast<float>(rng.normal()));
            discount.push_back(ahead || row % 5 == 2 ? 0.0f : 1.0f);
            for (std::size_t i = 0; i < kWords; ++i)
                action.push_back(static_cast<float>(rng.uniform(low[i], high[i])));
        }
        chunk.sequences = kRows;
        chunk.steps = 2;
        chunk.learned = 1;
        chunk.action = action.data();
        chunk.reward = reward.data();
        chunk.discount = discount.data();
        chunk.valid = valid.data();
        chunk.valid_rows = 2 * kRows - 1;  // as in a minibatch with another chunk
    }
    // A word of the taken action, in units of [-1, 1].
    double taken(std::size_t row, std::size_t word) const {
        const double centre[] = {0, 5, 0}, half[] = {2, 5, 1};
        return (static_cast<double>(action[row * kWords + word]) - centre[word]) / half[word];
    }
    double smallestNext(std::size_t row, const double* unit) const {
        return std::min(targets[0].value(row, unit, kWords), targets[1].value(row, unit, kWords));
    }
    // The positions of the leaves' means and log standard deviations in a row of heads.
    static std::size_t meanAt(std::size_t word) { return word < 2 ? word : 4; }
    static std::size_t logStdAt(std::size_t word) { return word < 2 ? word + 2 : 5; }
};

class CriticStep final : public Step {
public:
    CriticStep(const CriticProblem& problem, std::vector<double>& sums, bool policy_is_stepped = true)
        : Step(sums.data()), problem_(problem), policy_is_stepped_(policy_is_stepped) {
        chunk_ = problem.chunk;
        place_ = Place{.seed = 11, .optimiser_step = 6, .first_row = 40, .columns = 64};
    }

    Heads forward(std::size_t net, const Inputs& inputs, Keep keep) override {
        const bool next = inputs.part == Part::successors;
        EXPECT_FALSE(next && keep == Keep::tape);
        std::vector<float>& out = heads_[net];
        const bool is_critic = net >= TwinNets::critics && net < TwinNets::other;
        EXPECT_EQ(is_critic, inputs.action != nullptr) << net;
        if (net == TwinNets::policy) out = next ? problem_.next_policy : problem_.policy;
        if (net == TwinNets::other) out = next ? problem_.fifth_next : problem_.fifth_rows;
        if (is_critic) {
            EXPECT_EQ(next, net >= TwinNets::targets) << "targets value successors";
            const auto index = (net - 1) % 2;
            critic_[net] = net >= TwinNets::targets ? &problem_.targets[index] : &problem_.critics[index];
            actions_[net].assign(inputs.action, inputs.action + CriticProblem::kRows * CriticProblem::kWords);
            out.clear();
            for (std::size_t row = 0; row < CriticProblem::kRows; ++row) {
                double a[CriticProblem::kWords];
                for (std::size_t i = 0; i < CriticProblem::kWords; ++i) a[i] = actionOf(net, row, i);
                out.push_back(static_cast<float>(critic_[net]->value(row, a, CriticProblem::kWords)));
            }
        }
        const std::size_t words = out.size() / CriticProblem::kRows;
        buffer_[net].assign(out.size(), 0.0f);
        return {words == 1 ? &problem_.one_plan : &problem_.policy_plan, out.data(), CriticProblem::kRows};
    }
    float* gradients(std::size_t net) override { return buffer_[net].data(); }
    void backward(std::size_t net, const float* gradients, bool parameters, float* d_action) override {
        if (parameters) trained[net].assign(gradients, gradients + buffer_[net].size());
        for (std::size_t row = 0; d_action != nullptr && row < CriticProblem::kRows; ++row)
            for (std::size_t i = 0; i < CriticProblem::kWords; ++i)
                d_action[row * CriticProblem::kWords + i] = static_cast<float>(
                    static_cast<double>(gradients[row]) *
                    critic_[net]->slope(row, i, actionOf(net, row, i), CriticProblem::kWords));
    }
    bool isStepped(std::size_t net) const override { return net != TwinNets::policy || policy_is_stepped_; }

    // The action of the last pass of a critic, in units of [-1, 1].
    double actionOf(std::size_t net, std::size_t row, std::size_t word) const {
        return static_cast<double>(actions_[net][row * CriticProblem::kWords + word]);
    }
    // Gradients with respect to the heads of the passes that train parameters.
    std::vector<float> trained[6];

private:
    const CriticProblem& problem_;
    bool policy_is_stepped_;
    const ClosedCritic* critic_[6] = {};
    std::vector<float> actions_[6], heads_[6], buffer_[6];
};

}  // namespace seedbed
