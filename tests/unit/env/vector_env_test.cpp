// SPDX-License-Identifier: Apache-2.0
// Special cases of the vectoriser: the guard against NaN, random streams per lane, and restarts of
// environments that cannot be saved.
#include "core/env/vector_env.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "core/base/finite.hpp"
#include "core/env/batch_decorator.hpp"
#include "tests/unit/env/expected_history.hpp"

namespace seedbed::test {
namespace {

std::unique_ptr<Ring> ringFor(const EnvSpec& spec, int envs, int rows = 16) {
    return std::move(*Ring::create({.spaces = spec.spaces, .columns = envs * spec.agents, .rows = rows}));
}

// Replaces one number of the inner batch's output.
class Spoiled final : public BatchDecorator {
public:
    struct Fault {
        int after = 0;  // number of steps that succeed
        int column = 0;
        int element = -1;  // index in the vector leaf; -1: the reward
        float value = std::numeric_limits<float>::quiet_NaN();
        bool fails = false;
    };
    Spoiled(std::unique_ptr<LocalBatch> inner, Fault fault)
        : BatchDecorator(std::move(inner), {}), fault_(fault) {
        spec_ = inner_->spec();
    }
    Result<> step(const float* actions, const std::uint8_t* active, Rng* rngs, float* rewards,
                  std::uint8_t* terminated, std::uint8_t* truncated) override {
        SEEDBED_TRY(inner_->step(actions, active, rngs, rewards, terminated, truncated));
        ++steps_;
        if (steps_ > fault_.after && fault_.fails) return fail("the worker has died");
        if (steps_ > fault_.after && fault_.element < 0) rewards[fault_.column] = fault_.value;
        return {};
    }
    void observe(std::uint8_t* const* leaves, std::uint8_t* mask) const override {
        inner_->observe(leaves, mask);
        if (steps_ > fault_.after && fault_.element >= 0)
            reinterpret_cast<float*>(leaves[0])[fault_.column * 4 + fault_.element] = fault_.value;
    }

private:
    Fault fault_;
    int steps_ = 0;
};

// Error of the step with the fault; the ring must not have advanced.
std::string errorWith(const Spoiled::Fault& fault) {
    const CountingOptions counting{.agents = 2};
    const auto ring = ringFor(countingSpec(counting), 3);
    VectorEnv env(std::make_unique<Spoiled>(countingBatch(counting, 3), fault), *ring, {});
    std::vector<EpisodeEnd> ended;
    EXPECT_TRUE(env.reset());
    for (int step = 0; step < fault.after; ++step) EXPECT_TRUE(env.step(ended));
    const Result<> result = env.step(ended);
    EXPECT_FALSE(result);
    EXPECT_EQ(ring->head(), static_cast<std::uint64_t>(fault.after));
    return result ? "" : result.error().text();
}

TEST(VectorEnv, NanIsNamedByEnvironmentAgentLeafAndElement) {
    const float inf = std::numeric_limits<float>::infinity();
    EXPECT_EQ(errorWith({.after = 4, .column = 3, .element = 2}),
              "environment 1 (counting), agent 1 returned NaN in observation 'place', element 2 (step)");
    EXPECT_EQ(errorWith({.column = 0, .element = 0, .value = -inf}),
              "environment 0 (counting), agent 0 returned infinity in observation 'place', element 0 (tag)");
    EXPECT_EQ(errorWith({.after = 2, .column = 5}),
              "environment 2 (counting), agent 1 returned NaN as the reward for action [0.000000]");
    EXPECT_EQ(errorWith({.column = 4, .value = inf}),
              "environment 2 (counting), agent 0 returned infinity as the reward for action [0.000000]");
    EXPECT_NE(errorWith({.after = 1, .fails = true}).find("the worker has died"), std::string::npos);
}

TEST(VectorEnv, FirstObservationsAreAlsoGuarded) {
    const CountingOptions counting;
    const auto ring = ringFor(countingSpec(counting), 1);
    VectorEnv env(
        std::make_unique<Spoiled>(countingBatch(counting, 1), Spoiled::Fault{.after = -1, .element = 1}),
        *ring, {});
    EXPECT_FALSE(env.reset());
}

TEST(Finite, FindsTheOneBadNumberAnywhere) {
    std::vector<float> values(67, -1.5F);
    values[3] = std::numeric_limits<float>::max();
    values[4] = std::numeric_limits<float>::denorm_min();
    values[5] = -0.0F;
    EXPECT_TRUE(allFinite(values.data(), values.size()));
    EXPECT_TRUE(allFinite(values.data(), 0));
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN(),
          std::numeric_limits<float>::signaling_NaN(), std::numeric_limits<float>::infinity(),
          -std::numeric_limits<float>::infinity()}) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::vector<float> spoiled = values;
            spoiled[i] = bad;
            EXPECT_FALSE(allFinite(spoiled.data(), spoiled.size())) << i;
            EXPECT_EQ(firstNonFinite(spoiled.data(), spoiled.size()), i);
        }
    }
}

TEST(VectorEnv, AnEnvironmentsHistoryDependsOnItsLaneOnly) {
    const CountingOptions counting;
    const auto play = [&](int envs, int first_lane) {
        const auto ring = ringFor(countingSpec(counting), envs, 64);
        VectorEnv env(countingBatch(counting, envs), *ring, {.seed = 3, .first_lane = first_lane});
        std::vector<EpisodeEnd> ended;
        EXPECT_TRUE(env.reset());
        for (int step = 0; step < 50; ++step) EXPECT_TRUE(env.step(ended));
        std::vector<std::vector<float>> tags(static_cast<std::size_t>(envs));
        for (std::uint64_t t = 0; t <= 50; ++t)
            for (std::size_t e = 0; e < tags.size(); ++e)
                tags[e].push_back(reinterpret_cast<float*>(ring->obs(0, t))[e * 4]);
        return tags;
    };
    const auto together = play(4, 10);
    const auto left = play(1, 10);
    const auto right = play(3, 11);
    EXPECT_EQ(together[0], left[0]);
    for (std::size_t e = 0; e < 3; ++e) EXPECT_EQ(together[e + 1], right[e]);
    EXPECT_NE(together[0], together[1]);
}

class NotSaved final : public BatchDecorator {
public:
    explicit NotSaved(std::unique_ptr<LocalBatch> inner) : BatchDecorator(std::move(inner), {}) {
        spec_ = inner_->spec();
    }
    bool canArchive() const override { return false; }
    void archive(int, Archive&) override { FAIL() << "canArchive() returned false"; }
};

TEST(VectorEnv, EpisodesThatCannotBeSavedEndAsUncountedTruncations) {
    const CountingOptions counting{.agents = 2, .longest = 1000};
    const auto spec = countingSpec(counting);
    Archive saved = Archive::saving();
    {
        const auto ring = ringFor(spec, 2);
        VectorEnv env(std::make_unique<NotSaved>(countingBatch(counting, 2)), *ring, {.seed = 5});
        std::vector<EpisodeEnd> ended;
        ASSERT_TRUE(env.reset());
        for (int step = 0; step < 5; ++step) ASSERT_TRUE(env.step(ended));
        ASSERT_TRUE(ring->archive(saved, 2));
        ASSERT_TRUE(env.archive(saved));
    }
    const auto ring = ringFor(spec, 2);
    VectorEnv env(std::make_unique<NotSaved>(countingBatch(counting, 2)), *ring, {.seed = 5});
    Archive loading = Archive::loading(saved.bytes());
    ASSERT_TRUE(ring->archive(loading, 0));
    ASSERT_TRUE(env.archive(loading));
    EXPECT_EQ(env.decisions(), 20U);
    std::vector<EpisodeEnd> ended;
    ASSERT_TRUE(env.step(ended));
    ASSERT_TRUE(env.step(ended));
    EXPECT_TRUE(ended.empty());
    EXPECT_EQ(env.decisions(), 24U) << "the extra row is not a decision";
    for (int column = 0; column < 4; ++column) {
        EXPECT_EQ(ring->discount(4)[column], 1) << "the interrupted episode bootstraps from row 5";
        EXPECT_EQ(ring->valid(5)[column], 0);
        EXPECT_EQ(ring->discount(5)[column], 0);
        EXPECT_EQ(ring->reward(5)[column], 0);
        EXPECT_EQ(ring->first(6)[column], 1);
        EXPECT_EQ(ring->valid(6)[column], 1);
        EXPECT_EQ(ring->episodeStep(7)[column], 1);
    }
}

TEST(VectorEnv, ArchivesOfAnotherShapeAreRejected) {
    const CountingOptions counting;
    const auto ring = ringFor(countingSpec(counting), 2);
    VectorEnv env(countingBatch(counting, 2), *ring, {});
    ASSERT_TRUE(env.reset());
    Archive saved = Archive::saving();
    ASSERT_TRUE(env.archive(saved));
    for (std::size_t length = 0; length < saved.bytes().size(); length += 5) {
        Archive cut = Archive::loading(
            {saved.bytes().begin(), saved.bytes().begin() + static_cast<std::ptrdiff_t>(length)});
        EXPECT_FALSE(env.archive(cut)) << length;
    }
    const auto other_ring = ringFor(countingSpec(counting), 3);
    VectorEnv other(countingBatch(counting, 3), *other_ring, {});
    Archive loading = Archive::loading(saved.bytes());
    EXPECT_FALSE(other.archive(loading));
}

// Records the actions that reach the environment.
class Listening final : public BatchDecorator {
public:
    explicit Listening(std::unique_ptr<LocalBatch> inner, std::vector<float>& received)
        : BatchDecorator(std::move(inner), {}), received_(received) {
        spec_ = inner_->spec();
        spec_.spaces.actions = {
            ActionLeaf{.name = "push", .kind = ActionLeaf::Kind::box, .low = {-1, 0}, .high = {1, 0.5}},
            ActionLeaf{.name = "choice", .n = 3}};
    }
    Result<> step(const float* actions, const std::uint8_t* active, Rng* rngs, float* rewards,
                  std::uint8_t* terminated, std::uint8_t* truncated) override {
        received_.assign(actions, actions + 3 * inner_->count());
        const std::vector<float> none(static_cast<std::size_t>(inner_->count()) * 16);
        return inner_->step(none.data(), active, rngs, rewards, terminated, truncated);
    }

private:
    std::vector<float>& received_;
};

TEST(VectorEnv, ClipsBoxActionsForTheEnvironmentButNotInTheRing) {
    std::vector<float> received;
    const CountingOptions counting;
    auto batch = std::make_unique<Listening>(countingBatch(counting, 2), received);
    const auto ring = ringFor(batch->spec(), 2);
    VectorEnv env(std::move(batch), *ring, {});
    ASSERT_TRUE(env.reset());
    const std::vector<float> drawn{-7, 0.75F, 2, 0.25F, -0.5F, 1};
    std::copy(drawn.begin(), drawn.end(), ring->action(0));
    std::vector<EpisodeEnd> ended;
    ASSERT_TRUE(env.step(ended));
    EXPECT_EQ(received, (std::vector<float>{-1, 0.5F, 2, 0.25F, 0, 1}));
    EXPECT_TRUE(std::equal(drawn.begin(), drawn.end(), ring->action(0)));
}

}  // namespace
}  // namespace seedbed::test
