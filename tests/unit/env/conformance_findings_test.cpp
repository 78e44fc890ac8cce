// SPDX-License-Identifier: Apache-2.0
// The findings of the conformance check of environments.
#include "core/env/conformance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

namespace seedbed {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Observations are {0.5, 9}; one exchange can fail. A second agent is absent from all episodes; its
// observations are arbitrary.
class Steady final : public EnvBatch {
public:
    Steady(EnvSpec spec, int count, int failing_exchange)
        : spec_(std::move(spec)), count_(count), failing_exchange_(failing_exchange) {}

    int count() const override { return count_; }
    const EnvSpec& spec() const override { return spec_; }
    Result<> begin(const Exchange& exchange) override {
        ++exchanges_;
        auto* obs = reinterpret_cast<float*>(exchange.leaves[0]);
        for (int column = 0; column < count_ * spec_.agents; ++column) {
            const bool reset = exchange.commands[column / spec_.agents] == EnvCommand::reset;
            const bool is_absent = column % spec_.agents == 1;
            exchange.flags[column] = reset ? column_flag::first : 0;
            if (is_absent) exchange.flags[column] |= column_flag::inactive;
            if (exchanges_ == failing_exchange_) exchange.flags[column] = column_flag::failed;
            exchange.rewards[column] = 1;
            if (exchange.mask != nullptr) std::memset(exchange.mask + 2 * column, 0, 2);
            obs[2 * column] = is_absent ? static_cast<float>(++arbitrary_) : 0.5F;
            obs[2 * column + 1] = 9;
        }
        return {};
    }
    std::vector<std::string> takeNotices() override { return {"it broke"}; }
    void draw(int, Scene&) const override {}
    bool canArchive() const override { return false; }
    void archive(int, Archive&) override {}
    Json state(int) const override { return {}; }
    Result<> setState(int, const Json&) override { return {}; }

private:
    EnvSpec spec_;
    int count_, failing_exchange_;
    int exchanges_ = 0;
    static inline int arbitrary_ = 1000;
};

// failing_play: number (from 1) of the play in which an exchange fails; 0: none.
ConformanceReport reportOf(double low, double high, int failing_play = 0, int agents = 1,
                           std::vector<ActionLeaf> actions = {ActionLeaf{.n = 2}}, bool has_mask = false) {
    EnvSpec spec;
    spec.agents = agents;
    spec.id = "steady";
    spec.spaces.obs = {ObsLeaf{.name = "place", .shape = {2}, .low = low, .high = high}};
    spec.spaces.actions = std::move(actions);
    spec.spaces.has_mask = has_mask;
    EnvEntry entry;
    entry.id = spec.id;
    entry.spec = [spec](const Json&) { return spec; };
    entry.make = [spec, failing_play, play = 0](const Json&,
                                                int count) mutable -> Result<std::unique_ptr<EnvBatch>> {
        return std::make_unique<Steady>(spec, count, ++play == failing_play ? 3 : 0);
    };
    return checkConformance(entry, Json::object(), {.steps = 10}).value();
}

std::vector<std::string> textsOf(const ConformanceReport& report, const std::string& check) {
    std::vector<std::string> texts;
    for (const ConformanceFinding& finding : report.findings)
        if (finding.check == check) texts.push_back(finding.text);
    return texts;
}

using Texts = std::vector<std::string>;

TEST(ConformanceFindings, ChecksBoundsOnlyIfAllElementsHaveThem) {
    EXPECT_EQ(textsOf(reportOf(0, 9), "bounds"), Texts{"all observations are within their bounds"});
    const std::string range = "observation 'place' is between 0.5 and 9";
    EXPECT_EQ(textsOf(reportOf(0, 8), "bounds"), Texts{range + ", outside its bounds 0 to 8"});
    EXPECT_EQ(textsOf(reportOf(-kInfinity, 8), "bounds"),
              Texts{range + ", outside its bounds no limit to 8"});
    const Texts open = {range + "; at least one of its elements has no bound, so bounds were not checked"};
    EXPECT_EQ(textsOf(reportOf(-kInfinity, kInfinity), "bounds"), open);
    EXPECT_EQ(textsOf(reportOf(0, kInfinity), "bounds"), open);
    EXPECT_TRUE(reportOf(0, kInfinity).passed());
}

TEST(ConformanceFindings, ObservationsOfAbsentAgentsDoNotCount) {
    const ConformanceReport report = reportOf(0, 9, 0, 2);
    EXPECT_EQ(textsOf(report, "bounds"), Texts{"all observations are within their bounds"});
    EXPECT_EQ(textsOf(report, "determinism"),
              Texts{"another seed gave the same observations: the seed has no effect"});
}

TEST(ConformanceFindings, ReportsKindsAndTypes) {
    EXPECT_EQ(textsOf(reportOf(0, 9), "spaces"),
              (Texts{"observation 'place': vector, f32 [2]", "action 'action' has 2 choices"}));
}

TEST(ConformanceFindings, NamesActionsThatCannotBeLearned) {
    const auto notes = [](std::vector<ActionLeaf> actions) {
        Texts short_texts;
        for (std::string& text : textsOf(reportOf(0, 9, 0, 1, std::move(actions)), "actions"))
            short_texts.push_back(text.substr(0, text.find(':')));
        return short_texts;
    };
    const auto box = [](std::vector<double> low, std::vector<double> high) {
        return ActionLeaf{.kind = ActionLeaf::Kind::box, .low = std::move(low), .high = std::move(high)};
    };
    EXPECT_EQ(notes({box({-1, 100, -0.01, 0}, {1, 200, 0.01, 1e7})}), Texts{});
    EXPECT_EQ(notes({box({-kInfinity, 0, 0}, {kInfinity, kInfinity, 1})}),
              Texts{"action 'action' has no finite bounds for 2 of its 3 numbers"});
    EXPECT_EQ(notes({box({1, 0}, {1, 1})}),
              Texts{"action 'action' has equal bounds for 1 of its 2 numbers, which are therefore always the "
                    "same"});
    EXPECT_EQ(notes({box({1e6}, {1e6 + 1})}),
              Texts{"action 'action' has bounds too close together for 1 of its 1 numbers"});
    EXPECT_EQ(notes({box({3}, {3}), ActionLeaf{.name = "other", .n = 1}}).back(),
              "every action is always the same, so there is nothing to learn");
    EXPECT_EQ(notes({ActionLeaf{.n = 20'000}}).size(), 1U);
}

TEST(ConformanceFindings, CountsMasksThatAllowNothing) {
    EXPECT_EQ(textsOf(reportOf(0, 9), "masks"), Texts{"no (every choice is always allowed)"});
    EXPECT_EQ(textsOf(reportOf(0, 9, 0, 1, {ActionLeaf{.n = 2}}, true), "masks"),
              (Texts{"yes (on average, 0 % of the choices were allowed)",
                     "20 masks allowed no choice; allow at least one, or end the episode"}));
}

TEST(ConformanceFindings, ReportsTheFailuresOfAllPlays) {
    EXPECT_EQ(textsOf(reportOf(0, 9), "failure"), Texts{"the environment never failed"});
    for (const int play : {1, 2, 3}) {
        const ConformanceReport report = reportOf(0, 9, play);
        EXPECT_EQ(textsOf(report, "failure"), (Texts{"it broke", "1 more failure"}));
        EXPECT_FALSE(report.passed());
    }
}

}  // namespace
}  // namespace seedbed
