// SPDX-License-Identifier: Apache-2.0
// Hindsight: which goals the strategy "future" draws, the rewards and observations that the learner then
// sees, the row that keeps the last achieved goal, and whole sessions.
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/env/env_registry.hpp"
#include "core/env/vector_env.hpp"
#include "core/learn/batch_gather.hpp"
#include "core/session/session.hpp"
#include "core/session/windows/hindsight_windows.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed {
namespace hindsight_test {
namespace {

using test::makeSession;
using ::testing::HasSubstr;

// Returns one window for every call.
class OneWindow final : public WindowSource {
public:
    const TakenWindows* take() override {
        ++taken.draw;
        return &taken;
    }
    TakenWindows taken;
};

// A ring of one column with episodes of 5 decisions and an extra row; the achieved goal is the row's number.
std::unique_ptr<Ring> episodes(int rows) {
    ObsLeaf leaf{.name = "achieved", .kind = ObsLeaf::Kind::vector, .dtype = DType::f32, .shape = {1}};
    ObsLeaf desired = leaf;
    desired.name = "desired";
    Spaces spaces;
    spaces.obs = {leaf, desired};
    spaces.actions = {{.name = "action", .kind = ActionLeaf::Kind::discrete, .n = 2}};
    auto ring = *Ring::create({.spaces = spaces, .columns = 1, .rows = 100, .policy_words = 2});
    for (int t = 0; t <= rows; ++t) {
        const auto row = static_cast<std::uint64_t>(t);
        *reinterpret_cast<float*>(ring->obs(0, row)) = static_cast<float>(t);
        *reinterpret_cast<float*>(ring->obs(1, row)) = -1;
        ring->episodeStep(row)[0] = t % 6;
        ring->first(row)[0] = t % 6 == 0 ? 1 : 0;
        ring->valid(row)[0] = t % 6 == 5 ? 0 : 1;
        ring->discount(row)[0] = t % 6 < 4 ? 1 : 0;
        ring->reward(row)[0] = t % 6 == 5 ? 0 : -7;
        if (t < rows) ring->advance();
    }
    return ring;
}

TEST(Hindsight, DrawsGoalsThatWereAchievedLaterInTheEpisode) {
    const auto ring = episodes(33);  // the last episode has rows 30 to 33
    OneWindow inner;
    HindsightWindows source(inner, {ring.get()}, 4, 9);
    const struct {
        std::uint64_t t, last;
    } cases[]{{6, 11}, {8, 11}, {10, 11}, {30, 33}, {32, 33}};
    for (const auto& c : cases) {
        inner.taken.windows = {{.group = 0, .t0 = c.t, .length = 3, .column = 0, .columns = 1}};
        std::map<std::uint64_t, int> goals;
        int kept = 0;
        for (int i = 0; i < 5000; ++i) {
            const TakenWindows* taken = source.take();
            ASSERT_EQ(taken->relabels.size(), 1u);
            if (taken->relabels[0].end == 0) {
                ++kept;
                continue;
            }
            EXPECT_EQ(taken->relabels[0].end, c.last + 1);
            ++goals[taken->relabels[0].goal];
        }
        // One of five windows keeps its goal; six standard deviations of 5,000 draws.
        EXPECT_NEAR(kept / 5000.0, 0.2, 0.034);
        EXPECT_EQ(goals.size(), c.last - c.t) << "every later row";
        EXPECT_EQ(goals.begin()->first, c.t + 1);
        EXPECT_EQ(goals.rbegin()->first, c.last);
        const double share = 0.8 / static_cast<double>(goals.size());
        for (const auto& [goal, count] : goals) EXPECT_NEAR(count / 5000.0, share, 0.042) << goal;
    }
}

TEST(Hindsight, TheSameDrawsForTheSameSeedAndPositionOnly) {
    const auto ring = episodes(33);
    OneWindow first, second;
    HindsightWindows a(first, {ring.get()}, 4, 9), b(second, {ring.get()}, 4, 9);
    const Window window{.group = 0, .t0 = 6, .length = 1, .column = 0, .columns = 1};
    first.taken.windows = second.taken.windows = {window, window, window, window};
    const auto goalsOf = [](const TakenWindows* taken) {
        std::vector<std::uint64_t> goals;
        for (const Relabel& relabel : taken->relabels) goals.push_back(relabel.goal);
        return goals;
    };
    for (int i = 0; i < 5; ++i) static_cast<void>(a.take());
    second.taken.draw = 5;  // as after a resume
    const auto goals = goalsOf(a.take());
    EXPECT_EQ(goals, goalsOf(b.take()));
    int others = 0;
    for (int i = 0; i < 20; ++i) others += goalsOf(b.take()) == goals ? 0 : 1;
    EXPECT_GT(others, 15);
}

TEST(Hindsight, ReplacesRewardsAndDesiredGoalsOfTheEpisodeOnly) {
    const auto ring = episodes(33);
    const std::vector<Ring*> rings{ring.get()};
    // The reward is not an equality test, so that every row's pair of goals is visible.
    const GoalScore score{.achieved = 0, .desired = 1, .reward = [](auto achieved, auto desired) {
                              return 100 * desired[0] + achieved[0];
                          }};
    BatchSource source;
    source.assign(rings, {{.group = 0, .t0 = 8, .length = 6, .column = 0, .columns = 1},
                          {.group = 0, .t0 = 8, .length = 6, .column = 0, .columns = 1}});
    source.relabel({{.goal = 10, .end = 12}, {}}, score);
    Batch batch;
    WorkerPool pool(1);
    ASSERT_TRUE(source.fill(batch, pool).has_value());
    std::vector<float> replaced, kept;
    std::vector<std::uint32_t> rows;
    std::vector<RowRef> refs;
    for (std::uint32_t row = 0; row < 12; ++row) {
        (row % 2 == 0 ? replaced : kept).push_back(batch.reward[row]);
        rows.push_back(row);
        refs.push_back(source.ref(row));
    }
    // Rows 8, 9 and 10 lead to the goals 9, 10 and 11; row 11 is the extra row; the next episode begins
    // at 12.
    EXPECT_EQ(replaced, (std::vector<float>{1009, 1010, 1011, 0, -7, -7}));
    EXPECT_EQ(kept, (std::vector<float>{-7, -7, -7, 0, -7, -7}));
    std::vector<float> achieved(12), desired(12);
    source.gatherLeaf(0, refs, rows, 12, reinterpret_cast<std::uint8_t*>(achieved.data()));
    source.gatherLeaf(1, refs, rows, 12, reinterpret_cast<std::uint8_t*>(desired.data()));
    EXPECT_EQ(achieved, (std::vector<float>{8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}));
    EXPECT_EQ(desired, (std::vector<float>{10, -1, 10, -1, 10, -1, 10, -1, -1, -1, -1, -1}));
}

TrainingConfig config(const Json& changes = Json::object(), const std::string& env = "bit_flipping") {
    Json all{{"algo",
              {{"id", "dqn"},
               {"rollout_length", 8},
               {"epochs", nullptr},
               {"minibatches", nullptr},
               {"replay_size", 600},
               {"replay_start", 200},
               {"replay_ratio", 4},
               {"batch_size", 24},
               {"n_step", 2},
               {"hindsight", 4},
               {"learning_rate", 0.01}}},
             {"checkpoint", {{"replay", "full"}}}};
    all.merge_patch(changes);
    return test::smallConfig(env, all);
}

TEST(HindsightSession, TheRowAfterATerminationHasTheLastAchievedGoal) {
    constexpr int kEnvs = 3, kBits = 10;
    const EnvEntry* entry = *findEnv("bit_flipping");
    auto batch = entry->make(entry->params->complete(Json::object(), "env").value(), kEnvs);
    ASSERT_TRUE(batch.has_value()) << batch.error().text();
    const auto ring =
        *Ring::create({.spaces = (*batch)->spec().spaces, .columns = kEnvs, .rows = 70, .policy_words = 11});
    VectorEnv envs(std::move(*batch), *ring, {.seed = 4});
    ASSERT_TRUE(envs.reset().has_value());
    std::vector<EpisodeEnd> ended;
    // Every step flips a bit, so that the goals achieved by consecutive rows differ.
    for (std::uint64_t t = 0; t < 62; ++t) {
        for (int n = 0; n < kEnvs; ++n) ring->action(t)[n] = static_cast<float>((t + 3) % kBits);
        ASSERT_TRUE(envs.step(ended).has_value());
    }
    EXPECT_EQ(ended.size(), 3u * kEnvs) << "episodes of 20 decisions and an extra row";
    EXPECT_EQ(envs.decisions(), 60u * kEnvs);
    for (const std::uint64_t t : {20u, 41u})
        for (int n = 0; n < kEnvs; ++n) {
            EXPECT_EQ(ring->valid(t)[n], 0);
            EXPECT_EQ(ring->episodeStep(t)[n], 20);
            EXPECT_EQ(ring->discount(t - 1)[n], 0) << "a termination has no value";
            EXPECT_EQ(ring->first(t + 1)[n], 1);
            const auto leafOf = [&](int leaf, std::uint64_t row) {
                const auto* begin = reinterpret_cast<const float*>(ring->obs(leaf, row)) + n * kBits;
                return std::vector<float>(begin, begin + kBits);
            };
            auto flipped = leafOf(0, t - 1);
            float& bit = flipped[static_cast<std::size_t>(ring->action(t - 1)[n])];
            bit = 1 - bit;
            EXPECT_EQ(leafOf(0, t), flipped);
            EXPECT_EQ(leafOf(1, t), leafOf(1, t - 1)) << "the goal of the episode";
        }
}

std::string hashes(Session& session) {
    return session.learner().params(0).sha256() + session.learner().params(1).sha256();
}

TEST(HindsightSession, TheSameBitsForAnyNumberOfThreads) {
    const auto run = [&](int threads, double k, const char* inference = "inline") {
        const auto session = makeSession(config(
            {{"run", {{"threads", threads}, {"inference", inference}}}, {"algo", {{"hindsight", k}}}}));
        for (int i = 0; i < 20; ++i) EXPECT_TRUE(session->iterate().has_value());
        return hashes(*session);
    };
    const std::string once = run(1, 4);
    EXPECT_EQ(once, run(2, 4));
    EXPECT_EQ(once, run(3, 4, "central"));
    EXPECT_NE(once, run(1, 0)) << "goals are replaced";
}

TEST(HindsightSession, ContinuesBitForBitWithTheSavedReplay) {
    for (const bool prioritised : {false, true}) {
        const TrainingConfig settings = config({{"algo", {{"prioritised", prioritised}}}});
        const auto whole = makeSession(settings);
        for (int i = 0; i < 17; ++i) ASSERT_TRUE(whole->iterate().has_value());
        Archive saved = Archive::saving();
        ASSERT_TRUE(whole->archive(saved).has_value());
        const auto other = makeSession(settings);
        for (std::size_t i = 0; i < 2; ++i) other->learner().setParams(i, whole->learner().params(i));
        Archive loaded = Archive::loading(saved.bytes());
        ASSERT_TRUE(other->archive(loaded).has_value());
        for (int i = 0; i < 6; ++i) {
            const auto a = whole->iterate(), b = other->iterate();
            ASSERT_TRUE(a.has_value() && b.has_value());
            EXPECT_EQ(a->update.metrics, b->update.metrics);
        }
        EXPECT_EQ(hashes(*whole), hashes(*other));
    }
}

TEST(HindsightSession, AnEnvironmentWithoutGoalsIsRefused) {
    const auto error = [](const TrainingConfig& settings) {
        const auto plan = Session::plan(settings);
        return plan ? "" : plan.error().text();
    };
    EXPECT_EQ(error(config()), "");
    EXPECT_THAT(error(config(Json::object(), "cartpole")),
                HasSubstr("algo.hindsight=4 needs an environment with goals; 'cartpole' has none"));
    EXPECT_THAT(error(config({{"env", {{"wrap", {{"action_repeat", 2}}}}}})),
                HasSubstr("wrap.action_repeat"));
}

}  // namespace
}  // namespace hindsight_test
}  // namespace seedbed
