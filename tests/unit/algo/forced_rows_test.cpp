// SPDX-License-Identifier: Apache-2.0
// Advantages that pass over rows without a choice, compared with their definition as sums over decisions.
#include "core/algo/forced_rows.hpp"

#include <optional>

#include <gtest/gtest.h>

#include "core/base/rng.hpp"
#include "tests/unit/algo/policy_problem.hpp"

namespace seedbed {
namespace {

constexpr double kGamma = 0.9, kLambda = 0.8;

// Two leaves of two choices each; a row is forced if both allow one action only.
struct Game {
    Spaces spaces{.actions = {choice(2), choice(2)}, .has_mask = true};
    Batch batch;
    std::vector<bool> forced;

    Game(int steps, int columns) {
        Rng rng(3, RngPurpose::test);
        batch.steps = steps;
        batch.columns = columns;
        batch.mask_bytes = 4;
        const auto mask = [&](std::vector<std::uint8_t>& to) {
            const bool is_forced = rng.bernoulli(0.5);
            const std::uint8_t other = is_forced ? 0 : 1;
            // A mask that allows nothing allows all.
            const bool none = !is_forced && rng.bernoulli(0.2);
            for (const int allowed : {none ? 0 : 1, 0, 1, none ? 0 : int{other}})
                to.push_back(static_cast<std::uint8_t>(allowed));
            return is_forced;
        };
        for (int row = 0; row < batch.rows(); ++row) {
            const bool extra = rng.bernoulli(0.05), ends = rng.bernoulli(0.1);
            forced.push_back(mask(batch.mask) && !extra);
            batch.valid.push_back(extra ? 0 : 1);
            batch.reward.push_back(extra ? 0 : static_cast<float>(rng.uniform(-1, 1)));
            batch.discount.push_back(extra || ends ? 0.0f : 1.0f);
            // The value estimates of forced rows must not be used.
            batch.value.push_back(forced.back() ? 1e6f : static_cast<float>(rng.uniform(-1, 1)));
        }
        for (int n = 0; n < columns; ++n)
            batch.last_value.push_back(mask(batch.last_mask) ? 1e6f : static_cast<float>(rng.uniform(-1, 1)));
    }
    ReturnInput input() const {
        return {.steps = batch.steps,
                .columns = batch.columns,
                .reward = batch.reward.data(),
                .discount = batch.discount.data(),
                .value = batch.value.data(),
                .last_value = batch.last_value.data(),
                .valid = batch.valid.data(),
                .gamma = kGamma};
    }
};

// The definition for one column. `game`: as before find().
struct Decisions {
    const Game& game;
    std::size_t column;
    std::size_t at(int t) const { return static_cast<std::size_t>(t * game.batch.columns) + column; }
    bool extra(int t) const { return game.batch.valid[at(t)] == 0; }
    bool lastForced() const {
        const std::uint8_t* mask = &game.batch.last_mask[4 * column];
        return mask[0] + mask[1] == 1 && mask[2] + mask[3] == 1;
    }
    // The row of the next decision, T, or -1 if the episode ends before it; null if it is unknown.
    std::optional<int> next(int t) const {
        for (; t < game.batch.steps; ++t) {
            if (game.batch.discount[at(t)] == 0) return -1;
            if (t + 1 == game.batch.steps) return lastForced() ? std::nullopt : std::optional(t + 1);
            if (extra(t + 1)) return std::nullopt;
            if (!game.forced[at(t + 1)]) return t + 1;
        }
        return std::nullopt;
    }
    bool learns(int t) const {
        return t + 1 < game.batch.steps && !extra(t) && !game.forced[at(t)] && next(t).has_value();
    }
    double advantage(int t) const {
        if (t >= game.batch.steps || !learns(t)) return 0;
        const int to = *next(t);
        double sum = -game.batch.value[at(t)], discount = 1, trace = 1;
        for (int k = t; k < game.batch.steps && k != to; ++k) {
            sum += discount * game.batch.reward[at(k)];
            discount *= kGamma;
            trace *= kGamma * kLambda;
            if (game.batch.discount[at(k)] == 0) return sum;
        }
        const double value =
            to == game.batch.steps ? game.batch.last_value[column] : game.batch.value[at(to)];
        return sum + discount * value + trace * advantage(to);
    }
};

TEST(ForcedRows, ADecisionIsFollowedByTheAgentsNextDecision) {
    const Game before(60, 50);
    Game game = before;
    ForcedRows forced;
    forced.find(game.batch, game.spaces);
    forced.fill(game.input(), game.batch.value.data());
    std::vector<float> advantage(before.forced.size()), target(before.forced.size());
    estimateAdvantages(game.input(), {.lambda = kLambda}, nullptr, advantage.data(), target.data());
    // Without a correction to make, V-trace estimates the same.
    std::vector<float> corrected(advantage.size());
    const std::vector<float> ratio(advantage.size(), 0.0f);
    estimateAdvantages(game.input(), {.lambda = kLambda}, ratio.data(), corrected.data(), target.data());
    forced.exclude(game.batch);
    int learned = 0, unknown = 0;
    for (std::size_t column = 0; column < 50; ++column) {
        const Decisions decisions{before, column};
        for (int t = 0; t < 60; ++t) {
            const std::size_t row = decisions.at(t);
            ASSERT_EQ(game.batch.valid[row] != 0, decisions.learns(t)) << t << ", " << column;
            unknown += !decisions.learns(t) && !decisions.extra(t) && !before.forced[row];
            if (!decisions.learns(t)) continue;
            ++learned;
            // Values are stored as float and are at most 10.
            ASSERT_NEAR(advantage[row], decisions.advantage(t), 1e-5) << t << ", " << column;
            ASSERT_NEAR(corrected[row], decisions.advantage(t), 1e-5) << t << ", " << column;
            ASSERT_NEAR(target[row], advantage[row] + before.batch.value[row], 1e-5);
        }
    }
    EXPECT_GT(learned, 1000);
    EXPECT_GT(unknown, 100);
}

}  // namespace
}  // namespace seedbed
