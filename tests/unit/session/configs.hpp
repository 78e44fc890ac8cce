// SPDX-License-Identifier: Apache-2.0
// Small configurations for tests of training sessions.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "core/session/session.hpp"

namespace seedbed::test {

// An environment trained by PPO in short rollouts; `changes` is merged into it section by section.
inline TrainingConfig smallConfig(const std::string& env, const Json& changes = Json::object()) {
    Json document{{"env", {{"id", env}}},
                  {"algo", {{"id", "ppo"}, {"rollout_length", 16}, {"epochs", 2}, {"minibatches", 2}}},
                  {"network", {{"hidden", {16, 16}}}},
                  {"actor", {{"num_envs", 6}, {"groups", 3}}},
                  {"learner", {{"chunk_rows", 16}}},
                  {"run", {{"seed", 5}, {"engine", "reference"}, {"threads", 2}, {"inference", "inline"}}}};
    document.merge_patch(changes);
    auto config = parseTrainingConfig(document);
    EXPECT_TRUE(config.has_value()) << config.error().text();
    return *config;
}

inline std::unique_ptr<Session> makeSession(const TrainingConfig& config) {
    auto plan = Session::plan(config);
    EXPECT_TRUE(plan.has_value()) << plan.error().text();
    auto session = Session::create(std::move(*plan));
    EXPECT_TRUE(session.has_value()) << session.error().text();
    return std::move(*session);
}

// A metric of the async schedule.
inline double metricOf(const IterationStats& stats, const std::string& name) {
    for (const auto& [known, value] : stats.metrics)
        if (known == name) return value;
    ADD_FAILURE() << "no metric " << name;
    return -1;
}

// The largest relative difference, over all roles, between the sum of a role's phases and the time of its
// threads.
inline double largestTimingError(const TimingTree& times) {
    double largest = 0;
    for (const RoleTimes& role : times.roles) {
        const double parts = std::accumulate(role.seconds.begin(), role.seconds.end(), 0.0);
        largest = std::max(largest, std::abs(parts / role.thread_s - 1));
    }
    return largest;
}

}  // namespace seedbed::test
