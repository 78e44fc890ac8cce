// SPDX-License-Identifier: Apache-2.0
// The conformance check of environments.
#include "core/env/conformance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/env/env.hpp"

namespace seedbed {
namespace {

// Episodes of ten steps; the observation is the number of the step. `fails`: every fifth step fails.
class TenSteps final : public EnvBatch {
public:
    TenSteps(int count, bool fails) : steps_(static_cast<std::size_t>(count), 0), fails_(fails) {
        spec_.id = "ten_steps";
        spec_.spaces.obs = {ObsLeaf{.shape = {1}, .low = 0, .high = 10}};
        spec_.spaces.actions = {ActionLeaf{.n = 2}};
    }
    int count() const override { return static_cast<int>(steps_.size()); }
    const EnvSpec& spec() const override { return spec_; }
    Result<> begin(const Exchange& exchange) override {
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const bool resets = exchange.commands[i] == EnvCommand::reset;
            steps_[i] = resets ? 0 : steps_[i] + 1;
            exchange.flags[i] = resets            ? column_flag::first
                                : steps_[i] == 10 ? column_flag::terminated
                                                  : std::uint8_t{0};
            exchange.rewards[i] = resets ? 0.0F : 1.0F;
            reinterpret_cast<float*>(exchange.leaves[0])[i] = static_cast<float>(steps_[i]);
        }
        if (fails_ && steps_[0] == 5) exchange.flags[0] = column_flag::failed;
        return {};
    }
    std::vector<std::string> takeNotices() override {
        std::vector<std::string> notices;
        for (int i = 0; fails_ && i < 12; ++i) notices.push_back("failure " + std::to_string(10 + i));
        return notices;
    }
    void draw(int, Scene&) const override {}
    bool canArchive() const override { return false; }
    void archive(int, Archive&) override {}
    Json state(int) const override { return {}; }
    Result<> setState(int, const Json&) override { return {}; }

private:
    EnvSpec spec_;
    std::vector<int> steps_;
    bool fails_;
};

struct Checked {
    explicit Checked(bool fails) {
        EnvEntry entry;
        entry.id = "ten_steps";
        entry.spec = [](const Json&) -> Result<EnvSpec> { return TenSteps(1, false).spec(); };
        entry.make = [&](const Json&, int count) -> Result<std::unique_ptr<EnvBatch>> {
            ++plays;
            return std::make_unique<TenSteps>(count, fails);
        };
        const auto checked = checkConformance(entry, Json::object(), {.steps = 200});
        EXPECT_TRUE(checked.has_value()) << checked.error().text();
        if (checked) report = *checked;
    }
    const ConformanceFinding* find(const std::string& check) const {
        const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                        [&](const ConformanceFinding& each) { return each.check == check; });
        return found == report.findings.end() ? nullptr : &*found;
    }

    int plays = 0;
    ConformanceReport report;
};

TEST(Conformance, AnEnvironmentThatWorksIsPlayedThreeTimes) {
    const Checked checked(false);
    EXPECT_EQ(checked.plays, 3);
    EXPECT_TRUE(checked.report.passed());
    ASSERT_NE(checked.find("determinism"), nullptr);
    EXPECT_NE(checked.find("determinism")->text.find("the seed has no effect"), std::string::npos)
        << checked.find("determinism")->text;
}

TEST(Conformance, AnEnvironmentThatFailsIsNotPlayedAgain) {
    const Checked checked(true);
    EXPECT_EQ(checked.plays, 1);
    EXPECT_FALSE(checked.report.passed());
    std::vector<std::string> failures;
    for (const ConformanceFinding& each : checked.report.findings)
        if (each.check == "failure") failures.push_back(each.text);
    ASSERT_EQ(failures.size(), 2U) << "one message of each kind, and a count";
    EXPECT_EQ(failures.front(), "failure 10");
    EXPECT_NE(failures.back().find("more failures"), std::string::npos) << failures.back();
    ASSERT_NE(checked.find("determinism"), nullptr);
    EXPECT_NE(checked.find("determinism")->text.find("not checked"), std::string::npos);
}

}  // namespace
}  // namespace seedbed
