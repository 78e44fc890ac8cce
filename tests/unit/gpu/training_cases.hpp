// SPDX-License-Identifier: Apache-2.0
// Small trainings with every algorithm, and their comparison between a device and the engine "reference".
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/session/session.hpp"
#include "tests/unit/session/configs.hpp"

namespace seedbed::testing_gpu {

struct TrainingCase {
    std::string name;
    std::string env;
    Json changes;
    int updates = 6;
};

inline TrainingConfig configOf(const TrainingCase& each, const std::string& device) {
    Json changes = each.changes;
    changes["run"] = {{"engine", device == "cpu" ? "reference" : "auto"},
                      {"device", device},
                      {"on_device_failure", "stop"}};
    return test::smallConfig(each.env, changes);
}

// The parameters after the case's updates. `inference`: run.inference.
inline std::vector<float> trained(const TrainingCase& each, const std::string& device,
                                  const std::string& inference = "inline") {
    TrainingConfig config = configOf(each, device);
    config.run.inference = inference;
    const auto session = test::makeSession(config);
    for (int i = 0; i < each.updates; ++i) {
        const auto stats = session->iterate();
        EXPECT_TRUE(stats.has_value()) << stats.error().text();
        if (!stats) break;
    }
    const bool on_cuda = device.starts_with("cuda");
    EXPECT_EQ(session->plan().engine.id, device == "cpu" ? "reference" : on_cuda ? "torch" : "vulkan");
    const auto blob = session->learner().params().blob();
    return {blob.begin(), blob.end()};
}

// Removes the PPO settings of the small configuration.
inline Json without(Json algo) {
    algo.update({{"epochs", nullptr}, {"minibatches", nullptr}});
    return algo;
}

inline Json replay(const std::string& id, int batch_size, const Json& more = Json::object()) {
    Json algo{{"id", id},          {"rollout_length", 8}, {"replay_size", 600}, {"replay_start", 200},
              {"replay_ratio", 4}, {"n_step", 3},         {"target_period", 7}, {"batch_size", batch_size}};
    algo.update(more);
    return algo;
}

inline Json continuous(const std::string& id) {
    return {{"id", id},
            {"rollout_length", 8},
            {"replay_size", 600},
            {"replay_start", 200},
            {"random_steps", 240},
            {"replay_ratio", 4},
            {"batch_size", 24}};
}

inline std::vector<TrainingCase> trainingCases() {
    return {
        {"ppo", "cartpole", Json::object()},
        {"ppo_lstm", "catch", {{"network", {{"core", "lstm"}, {"core_size", 8}, {"previous_action", true}}}}},
        {"ppo_box", "pendulum", {{"network", {{"normalise_obs", true}}}}},
        {"ppo_conv", "minatar_breakout", Json::object()},
        {"ppo_popart",
         "cartpole",
         {{"algo", {{"popart", true}}},
          {"learner", {{"echo", 2}}},
          {"optimiser", {{"kind", "rmsprop"}, {"momentum", 0.5}, {"weight_decay", 0.01}}}}},
        {"a2c", "cartpole", {{"algo", without({{"id", "a2c"}})}}},
        {"vtrace", "cartpole", {{"algo", without({{"id", "vtrace"}, {"entropy_cost", 0.01}})}}},
        {"vmpo", "cartpole", {{"algo", {{"id", "vmpo"}}}}},
        {"pqn", "cartpole", {{"algo", {{"id", "pqn"}}}}},
        {"dqn", "cartpole", {{"algo", without(replay("dqn", 24))}}},
        {"r2d2",
         "cartpole",
         {{"network", {{"core", "gru"}, {"core_size", 8}, {"previous_reward", true}}},
          {"algo", without(replay("r2d2", 6, {{"sequence", 8}, {"burn_in", 4}, {"stride", 4}}))}}},
        {"awr",
         "cartpole",
         {{"network", {{"core", "lstm"}, {"core_size", 8}}},
          {"algo", without({{"id", "awr"},
                            {"rollout_length", 8},
                            {"replay_size", 600},
                            {"replay_start", 200},
                            {"replay_ratio", 4},
                            {"batch_size", 6},
                            {"sequence", 8},
                            {"stride", 4}})}}},
        {"sac", "pendulum", {{"algo", without(continuous("sac"))}}},
        {"td3", "pendulum", {{"algo", without(continuous("td3"))}}},
    };
}

// The parameters after a few updates on `device` agree with those of the engine "reference".
inline void expectSameTraining(const TrainingCase& each, const std::string& device) {
    const std::vector<float> truth = trained(each, "cpu"), tested = trained(each, device);
    ASSERT_EQ(truth.size(), tested.size());
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        difference += std::pow(static_cast<double>(truth[i]) - static_cast<double>(tested[i]), 2);
        norm += std::pow(static_cast<double>(truth[i]), 2);
    }
    // Rounding errors of a few updates, as long as no sampled action changes.
    EXPECT_LT(std::sqrt(difference / norm), 1e-4);
    EXPECT_GT(std::sqrt(difference), 0) << "both engines have the same bits: is the second one used?";
}

}  // namespace seedbed::testing_gpu
