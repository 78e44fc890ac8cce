// SPDX-License-Identifier: Apache-2.0
// libseedbed_policy beyond the matrix: sampling as in training, many rows, two threads, saved and restored
// memory, and invalid arguments.
#include <thread>

#include "tests/unit/export/export_fixture.hpp"

#include "core/policy/networks.hpp"
#include "core/policy/runtime/seedbed_policy.h"

namespace seedbed::testing {
namespace {

class Runtime : public ExportTest {
protected:
    void use(PolicyBundle bundle) {
        bundle_ = std::move(bundle);
        FolderWriter writer = must(FolderWriter::create(files_, folder()));
        must(addNetworks(writer, std::span(&bundle_.network, 1), bundle_.squash, bundle_.reward,
                         bundle_.provenance));
        must(writer.finish({{"format", "test"}}));
        char error[256];
        policy_.reset(seedbed_policy_load(folder().c_str(), error, sizeof error));
        ASSERT_NE(policy_, nullptr) << error;
    }
    PolicyBundle mixedBundle(bool recurrent) {
        NetworkParams params;
        params.core = recurrent ? "lstm" : "none", params.core_size = 8,
        params.previous_action = params.previous_reward = recurrent;
        Spaces spaces;
        spaces.obs = {vectorLeaf(3)},
        spaces.actions = {choiceLeaf(3), boxLeaf({-1}, {1}), choiceLeaf(2, "second")}, spaces.has_mask = true;
        return bundleOf(must(
            makeNetSpec(spaces, params, {{"policy", "policy", 0, false}, {"value", "value", 1, false}})));
    }
    using Actor = std::unique_ptr<seedbed_actor, decltype(&seedbed_actor_free)>;
    Actor actor(int rows) const { return {seedbed_actor_new(policy_.get(), rows), seedbed_actor_free}; }
    // Actions for `rows` rows whose observations depend on row and step.
    std::vector<float> act(seedbed_actor* actor, int rows, int step,
                           const unsigned char* mask = nullptr) const {
        std::vector<float> obs, rewards, actions(static_cast<std::size_t>(rows * 3));
        for (int row = 0; row < rows; ++row) {
            for (int i = 0; i < 3; ++i) obs.push_back(std::sin(static_cast<float>(7 * row + 3 * step + i)));
            rewards.push_back(static_cast<float>(step - row));
        }
        const void* observations[1] = {obs.data()};
        EXPECT_EQ(seedbed_actor_act(actor, observations, mask, rewards.data(), actions.data()), SEEDBED_OK)
            << seedbed_actor_error(actor);
        return actions;
    }

    PolicyBundle bundle_;
    std::unique_ptr<seedbed_policy, decltype(&seedbed_policy_free)> policy_{nullptr, seedbed_policy_free};
};

TEST_F(Runtime, SamplesAsInTrainingFromTheSameNumbers) {
    use(mixedBundle(false));
    const NetPlan plan = must(buildPlan(bundle_.network.spec));
    const auto net = must(compileNet("native", plan, EngineOptions{}));
    const ActionDistribution distribution(bundle_.spaces(), false);
    constexpr int kRows = 5;
    const unsigned char mask[kRows * 5] = {1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0,
                                           1, 1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1};
    const Actor one = actor(kRows);
    ASSERT_EQ(seedbed_actor_sample(one.get(), 42), SEEDBED_OK);
    const auto context = net->context();
    for (int step = 0; step < 20; ++step) {
        std::vector<float> obs, heads(static_cast<std::size_t>(kRows * plan.head_words)), expected(kRows * 3),
            log_prob(kRows);
        for (int row = 0; row < kRows; ++row)
            for (int i = 0; i < 3; ++i) obs.push_back(std::sin(static_cast<float>(7 * row + 3 * step + i)));
        const std::vector<std::uint8_t> first(kRows, 0);
        Rows rows;
        rows.sequences = kRows, rows.obs = {reinterpret_cast<const std::uint8_t*>(obs.data())},
        rows.first = first.data();
        must(context->run(bundle_.network.params, rows, {heads.data(), nullptr}, Keep::nothing));
        distribution.sample(kRows, heads.data() + plan.head("policy")->begin, mask, Selection::sample,
                            {42, RngPurpose::play, 0, static_cast<std::uint64_t>(step)}, expected.data(),
                            log_prob.data(), plan.head_words);
        distribution.envAction(kRows, expected.data(), expected.data());
        EXPECT_EQ(act(one.get(), kRows, step, mask), expected) << step;
    }
}

TEST_F(Runtime, RowsDecideTheSameTogetherAndSeparately) {
    use(mixedBundle(true));
    const Actor together = actor(4);
    std::vector<Actor> alone;
    for (int row = 0; row < 4; ++row) alone.push_back(actor(1));
    for (int step = 0; step < 12; ++step) {
        // Row 2 begins a new episode in between.
        if (step == 6) {
            ASSERT_EQ(seedbed_actor_reset(together.get(), 2), SEEDBED_OK);
            ASSERT_EQ(seedbed_actor_reset(alone[2].get(), -1), SEEDBED_OK);
        }
        const std::vector<float> all = act(together.get(), 4, step);
        for (int row = 0; row < 4; ++row) {
            float obs[3], reward = static_cast<float>(step - row), action[3];
            for (int i = 0; i < 3; ++i) obs[i] = std::sin(static_cast<float>(7 * row + 3 * step + i));
            const void* observations[1] = {obs};
            ASSERT_EQ(seedbed_actor_act(alone[static_cast<std::size_t>(row)].get(), observations, nullptr,
                                        &reward, action),
                      SEEDBED_OK);
            for (int i = 0; i < 3; ++i)
                EXPECT_EQ(all[static_cast<std::size_t>(3 * row + i)], action[i]) << step << " " << row;
        }
    }
}

TEST_F(Runtime, MemoryIsSavedAndRestoredInAnotherActor) {
    use(mixedBundle(true));
    const Actor before = actor(2);
    for (int step = 0; step < 5; ++step) act(before.get(), 2, step);
    std::vector<float> memory(seedbed_policy_memory_words(policy_.get()));
    const Actor after = actor(2);
    for (int row = 0; row < 2; ++row) {
        ASSERT_EQ(seedbed_actor_save(before.get(), row, memory.data()), SEEDBED_OK);
        ASSERT_EQ(seedbed_actor_restore(after.get(), row, memory.data()), SEEDBED_OK);
    }
    const std::vector<float> expected = act(before.get(), 2, 5);
    EXPECT_EQ(act(after.get(), 2, 5), expected);
    EXPECT_NE(act(actor(2).get(), 2, 5), expected) << "a new actor has different memory";
}

TEST_F(Runtime, TwoThreadsActWithOnePolicy) {
    use(mixedBundle(true));
    const auto play = [&](std::vector<float>& played) {
        const Actor one = actor(3);
        for (int step = 0; step < 200; ++step) {
            const std::vector<float> actions = act(one.get(), 3, step);
            played.insert(played.end(), actions.begin(), actions.end());
        }
    };
    std::vector<float> a, b, alone;
    {
        const std::jthread first([&] { play(a); }), second([&] { play(b); });
    }
    play(alone);
    EXPECT_EQ(a, alone);
    EXPECT_EQ(b, alone);
}

TEST_F(Runtime, InvalidArgumentsAreReported) {
    use(mixedBundle(true));
    for (const int leaf : {-1, 1, 1000}) {
        EXPECT_EQ(seedbed_policy_leaf_name(policy_.get(), leaf), nullptr);
        EXPECT_EQ(seedbed_policy_leaf_elements(policy_.get(), leaf), 0u);
        EXPECT_EQ(seedbed_policy_leaf_type(policy_.get(), leaf), SEEDBED_NO_TYPE);
    }
    EXPECT_EQ(seedbed_policy_leaves(nullptr), 0);
    EXPECT_EQ(seedbed_actor_new(nullptr, 1), nullptr);
    EXPECT_EQ(seedbed_actor_new(policy_.get(), 0), nullptr);
    const Actor one = actor(2);
    std::vector<float> memory(seedbed_policy_memory_words(policy_.get()));
    for (const int row : {-2, 2, 99}) {
        EXPECT_EQ(seedbed_actor_reset(one.get(), row), SEEDBED_BAD_ARGUMENT);
        EXPECT_EQ(seedbed_actor_save(one.get(), row, memory.data()), SEEDBED_BAD_ARGUMENT);
        EXPECT_EQ(seedbed_actor_restore(one.get(), row, memory.data()), SEEDBED_BAD_ARGUMENT);
    }
    EXPECT_EQ(seedbed_actor_reset(nullptr, 0), SEEDBED_BAD_ARGUMENT);
    float action[6];
    const void* nothing[1] = {nullptr};
    EXPECT_EQ(seedbed_actor_act(one.get(), nothing, nullptr, nullptr, action), SEEDBED_BAD_ARGUMENT);
    EXPECT_EQ(seedbed_actor_act(one.get(), nullptr, nullptr, nullptr, action), SEEDBED_BAD_ARGUMENT);
    EXPECT_NE(std::string(seedbed_actor_error(one.get())), "");
    const float poison[6] = {NAN, 0, 0, 0, 0, 0};
    const void* observations[1] = {poison};
    EXPECT_EQ(seedbed_actor_act(one.get(), observations, nullptr, nullptr, action), SEEDBED_NOT_A_NUMBER);
    // A failed decision changes nothing.
    const Actor other = actor(2);
    EXPECT_EQ(act(one.get(), 2, 0), act(other.get(), 2, 0));
    seedbed_actor_free(nullptr);
    seedbed_policy_free(nullptr);
}

TEST_F(Runtime, PoliciesThatCannotActAreRejectedWithTheReason) {
    const auto refused = [&](PolicyBundle bundle, const char* shows_text) {
        const Path place = folder("refused");
        FolderWriter writer = must(FolderWriter::create(files_, place));
        must(addNetworks(writer, std::span(&bundle.network, 1), bundle.squash, bundle.reward,
                         bundle.provenance));
        must(writer.finish({{"format", "test"}}));
        char error[256];
        EXPECT_EQ(seedbed_policy_load(place.c_str(), error, sizeof error), nullptr);
        EXPECT_NE(std::string(error).find(shows_text), std::string::npos) << error;
        must(removeTree(files_, place));
    };
    PolicyBundle bundle = mixedBundle(false);
    bundle.squash = true;
    bundle.network.spec.spaces.actions[1].high = {-2};
    refused(bundle, "low is above high");
    bundle.network.spec.spaces.actions[1].high = {INFINITY};
    refused(bundle, "squashed");
    NetSpec spec = mixedBundle(false).network.spec;
    spec.heads = {{"value", "value", 1, false}};
    refused({{"policy", spec, initialParams(must(buildPlan(spec)), 1)}, false, {}, {}}, "no head");
    EXPECT_EQ(seedbed_policy_load(nullptr, nullptr, 0), nullptr);
}

}  // namespace
}  // namespace seedbed::testing
