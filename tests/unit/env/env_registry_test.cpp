// SPDX-License-Identifier: Apache-2.0
// Entries made from classes: parameters, overridden defaults, wrappers, ids and aliases.
#include "core/env/env_registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/env/batch_decorator.hpp"
#include "core/env/random_policy.hpp"

namespace seedbed {
namespace {

using ::testing::HasSubstr;

// The reward is the number of the action (0 to `choices` - 1); episodes end after `length` steps.
class Line final : public Env {
public:
    struct Params {
        int length = 4;
        int choices = 3;
        bool masked = false;
        static const Description<Params>& describe() {
            static const Description<Params> description =
                Description<Params>("line", "A line.")
                    .field(&Params::length, "length", "Steps of an episode.",
                           {.unit = "steps", .min = 1, .max = 100})
                    .field(&Params::choices, "choices", "Number of actions.",
                           {.unit = {}, .min = 2, .max = 9})
                    .field(&Params::masked, "masked", "Whether only action 1 is allowed.");
            return description;
        }
    };
    static EnvSpec spec(const Params& params) {
        EnvSpec spec;
        spec.id = "line";
        spec.title = "Line " + std::to_string(params.length);
        spec.spaces.obs = {ObsLeaf{.shape = {1}}};
        spec.spaces.actions = {ActionLeaf{.n = params.choices}};
        spec.spaces.has_mask = params.masked;
        spec.horizon = 50;
        spec.random_return = 1;
        return spec;
    }
    explicit Line(const Params& params) : params_(params) {}
    void reset(Rng&) override { step_ = 0; }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        rewards[0] = actions[0];
        return {rewards[0], ++step_ == params_.length, false};
    }
    void observe(int, ObsOut out) const override {
        *out.leaf<float>(0) = static_cast<float>(step_);
        if (out.mask == nullptr) return;
        for (int choice = 0; choice < params_.choices; ++choice) out.mask[choice] = choice == 1 ? 1 : 0;
    }
    void draw(Scene& scene) const override { scene.clear(-1, -1, 1, 1); }
    void archive(Archive& archive) override { archive.field("step", step_, range(0, 1000)); }
    Json state() const override { return {{"step", step_}}; }
    Result<> setState(const Json&) override { return fail("no states here"); }

private:
    Params params_;
    int step_ = 0;
};

// The same environment as its own batch class.
class LineBatch final : public BatchDecorator {
public:
    using BatchDecorator::spec;
    using Params = Line::Params;
    static EnvSpec spec(const Params& params) { return Line::spec(params); }
    LineBatch(const Params& params, int count) : BatchDecorator(inside(params, count), Line::spec(params)) {}

private:
    static std::unique_ptr<LocalBatch> inside(const Params& params, int count) {
        std::vector<std::unique_ptr<Env>> envs;
        for (int env = 0; env < count; ++env) envs.push_back(std::make_unique<Line>(params));
        return batchOf(Line::spec(params), std::move(envs));
    }
};

SEEDBED_REGISTER_ENV(test_line, Line, "Line-v0", "line_trace")
SEEDBED_REGISTER_ENV(test_line_batch, LineBatch)
SEEDBED_REGISTER_ENV_AS(test_long_line, Line, Json({{"length", 20}, {"wrap", {{"sticky_actions", 0.1}}}}),
                        "LongLine-v0")

TEST(EnvRegistry, FindsByIdAndAlias) {
    for (const char* name : {"test_line", "Line-v0", "line_trace"}) {
        const auto entry = envRegistry().get(name, "environment");
        ASSERT_TRUE(entry) << name;
        EXPECT_EQ((*entry)->id, "test_line");
    }
    const auto missing = envRegistry().get("tset_line", "environment");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::config);
    EXPECT_THAT(missing.error().text(), HasSubstr("test_line"));
}

TEST(EnvRegistry, SpecAndBatchFollowTheParameters) {
    for (const char* id : {"test_line", "test_line_batch"}) {
        const EnvEntry& entry = *envRegistry().find(id);
        EXPECT_EQ(entry.spec(Json::object())->id, id) << "the id of the entry, not of the class";
        EXPECT_EQ(entry.spec(Json::object())->title, "Line 4");
        const Json params = {{"length", 7}, {"wrap", {{"action_repeat", 2}}}};
        const EnvSpec spec = *entry.spec(params);
        EXPECT_EQ(spec.title, "Line 7");
        EXPECT_EQ(spec.horizon, 25);
        EXPECT_EQ(spec.frames_per_step, 2);
        EXPECT_FALSE(spec.random_return.has_value()) << "it was measured without wrappers";
        const auto batch = entry.makeLocal(params, 3);
        ASSERT_TRUE(batch);
        EXPECT_EQ((*batch)->count(), 3);
        EXPECT_EQ((*batch)->spec().id, id);
        EXPECT_EQ((*batch)->spec().horizon, 25);
        EXPECT_EQ((*batch)->spec().title, "Line 7");
    }
}

TEST(EnvRegistry, WrongParametersAreExplained) {
    const EnvEntry& entry = *envRegistry().find("test_line");
    const auto unknown = entry.make({{"lenght", 3}}, 1);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, ErrorCode::config);
    EXPECT_THAT(unknown.error().text(), HasSubstr("length"));
    const auto range = entry.make({{"length", 1000}}, 1);
    ASSERT_FALSE(range);
    EXPECT_THAT(range.error().text(), HasSubstr("1 to 100"));
    const auto wrapper = entry.make({{"wrap", {{"action_repeat", 0}}}}, 1);
    ASSERT_FALSE(wrapper);
    EXPECT_THAT(wrapper.error().text(), HasSubstr("wrap.action_repeat"));
    EXPECT_FALSE(entry.wrapperParams({{"wrap", {{"sticky_actions", 2}}}}));
}

TEST(EnvRegistry, OverriddenDefaultsBelongToTheirEntryOnly) {
    const EnvEntry& longer = *envRegistry().find("LongLine-v0");
    EXPECT_EQ(longer.id, "test_long_line");
    EXPECT_EQ(longer.params->defaults().at("length"), 20);
    EXPECT_EQ(longer.spec(Json::object())->title, "Line 20");
    EXPECT_EQ(longer.wrapperParams(Json::object())->sticky_actions, 0.1);
    EXPECT_TRUE(longer.spec(Json::object())->random_return.has_value());
    EXPECT_FALSE(longer.spec({{"wrap", {{"sticky_actions", 0}}}})->random_return.has_value());
    EXPECT_EQ(longer.bareParams().at("wrap").at("sticky_actions"), 0.0)
        << "traces are recorded without wrappers";
    EXPECT_EQ(longer.bareParams().at("length"), 20);
    EXPECT_EQ(envRegistry().find("test_line")->params->defaults().at("length"), 4);
    EXPECT_EQ(envRegistry().find("test_line")->wrapperParams(Json::object())->sticky_actions, 0);
}

TEST(RandomPolicy, ScoresLineAsItsFormula) {
    const EnvEntry& entry = *envRegistry().find("test_line");
    const auto scores = scoreRandomPolicy(std::move(*entry.make(Json::object(), 7)), 4000, {.seed = 11});
    ASSERT_TRUE(scores);
    ASSERT_EQ(scores->size(), 1U);
    const PolicyScore& score = scores->front();
    EXPECT_GE(score.episodes, 4000);
    EXPECT_EQ(score.episodes % 7, 0);
    EXPECT_EQ(score.mean_length, 4);
    // Four actions, each uniform on {0, 1, 2}: mean 4, variance 4 * 2/3.
    EXPECT_NEAR(score.standard_error, std::sqrt(4 * 2.0 / 3 / static_cast<double>(score.episodes)), 2e-3);
    EXPECT_NEAR(score.mean, 4, 5 * score.standard_error);
}

TEST(RandomPolicy, ChoosesOnlyWhatTheMaskAllows) {
    const EnvEntry& entry = *envRegistry().find("test_line");
    const auto scores =
        scoreRandomPolicy(std::move(*entry.make({{"masked", true}, {"choices", 9}}, 2)), 20, {});
    ASSERT_TRUE(scores);
    EXPECT_EQ(scores->front().mean, 4) << "reward 1 in each of four steps";
    EXPECT_EQ(scores->front().standard_error, 0);
}

TEST(RandomPolicy, DrawsWithinBoundsAndNormalWithoutThem) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    Spaces spaces;
    spaces.actions = {ActionLeaf{.n = 5},
                      ActionLeaf{.kind = ActionLeaf::Kind::box, .low = {-2, -kInf}, .high = {3, kInf}},
                      ActionLeaf{.n = 2}};
    Rng rng(1, RngPurpose::test);
    constexpr int kColumns = 20000;
    std::vector<float> actions(kColumns * 4);
    randomActions(spaces, kColumns, nullptr, rng, actions.data());
    std::vector<int> counts(5, 0);
    double sum = 0, squares = 0, bounded = 0;
    for (std::size_t i = 0; i < actions.size(); i += 4) {
        ++counts.at(static_cast<std::size_t>(actions[i]));
        ASSERT_GE(actions[i + 1], -2);
        ASSERT_LE(actions[i + 1], 3);
        bounded += static_cast<double>(actions[i + 1]) / kColumns;
        sum += static_cast<double>(actions[i + 2]) / kColumns;
        squares += static_cast<double>(actions[i + 2]) * static_cast<double>(actions[i + 2]) / kColumns;
        ASSERT_TRUE(actions[i + 3] == 0 || actions[i + 3] == 1);
    }
    // Each within five standard deviations.
    for (const int count : counts) EXPECT_NEAR(count, kColumns / 5, 5 * std::sqrt(kColumns * 0.16));
    EXPECT_NEAR(bounded, 0.5, 5 * 5 / std::sqrt(12.0 * kColumns));
    EXPECT_NEAR(sum, 0, 5 / std::sqrt(1.0 * kColumns));
    EXPECT_NEAR(squares, 1, 5 * std::sqrt(2.0 / kColumns));
    // Each of several allowed choices occurs.
    const std::vector<std::uint8_t> mask{0, 1, 0, 1, 1, 1, 0};
    std::vector<int> masked(5, 0);
    for (int i = 0; i < 3000; ++i) {
        randomActions(spaces, 1, mask.data(), rng, actions.data());
        ++masked.at(static_cast<std::size_t>(actions[0]));
        ASSERT_EQ(actions[3], 0);
    }
    EXPECT_EQ(masked[0] + masked[2], 0);
    for (const std::size_t choice : {1U, 3U, 4U})
        EXPECT_NEAR(masked[choice], 1000, 5 * std::sqrt(3000 * 2 / 9.0));
}

}  // namespace
}  // namespace seedbed
