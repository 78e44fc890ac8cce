// SPDX-License-Identifier: Apache-2.0
// A data folder with a small run, and players of its policies.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "core/play/player_session.hpp"
#include "core/run/run.hpp"
#include "tests/unit/base/temporary_folder.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed::test {

// Counts steps and ignores everything else.
class SilentObserver final : public RunObserver {
public:
    void started(std::int64_t, const SessionPlan&) override {}
    void progress(const ProgressReport& p) override { steps = p.steps; }
    void evaluated(std::uint64_t, const EvaluationResult&) override {}
    void message(const std::string&) override {}
    std::atomic<std::uint64_t> steps{0};
};

// Waits until the condition holds, with a generous timeout for loaded machines.
template <class Condition>
bool eventually(const Condition& condition, int seconds = 60) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
}

class PlayerTest : public ::testing::Test {
protected:
    // A run of a few hundred steps with checkpoints and replays.
    void train(const std::string& env = "cartpole", const Json& changes = Json::object()) {
        Json all{{"run", {{"steps", 600}}}, {"eval", {{"episodes", 5}, {"final_episodes", 5}}}};
        all.merge_patch(changes);
        const auto outcome =
            trainRun({smallConfig(env, all), "", "", folder(), ""}, observer_, {}, files_, clock_);
        ASSERT_TRUE(outcome) << outcome.error().text();
    }
    std::unique_ptr<PlayerPolicy> policy(const std::string& name, bool follow = false) {
        auto opened = PlayerPolicy::open(
            files_, {.data_folder = folder(), .name = name, .follow = follow, .engine = "reference"}, {});
        EXPECT_TRUE(opened) << opened.error().text();
        return std::move(*opened);
    }
    std::string refusal(const std::string& name, bool follow = false) {
        auto opened = PlayerPolicy::open(
            files_, {.data_folder = folder(), .name = name, .follow = follow, .engine = "reference"}, {});
        return opened ? "opened" : opened.error().text();
    }
    std::unique_ptr<Player> player(PlayerPolicy& of, int envs, Selection selection = Selection::greedy) {
        auto made = Player::create({.env = &of.env(),
                                    .env_params = of.envParams(),
                                    .envs = envs,
                                    .player = of.seatPlayer(),
                                    .selection = selection},
                                   of.params());
        EXPECT_TRUE(made) << made.error().text();
        return std::move(*made);
    }
    std::filesystem::path folder() const { return temporary_.path() / "data"; }

    testing::TemporaryFolder temporary_;
    RealFileSystem files_;
    RealClock clock_;
    SilentObserver observer_;
};

}  // namespace seedbed::test
