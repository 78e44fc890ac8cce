// SPDX-License-Identifier: Apache-2.0
// A training session in the sync schedule: all threads roll out, then all threads learn. No store, no clock, no files: the same
// configuration and seed give the same parameters for any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/thread.hpp"
#include "core/learn/learner.hpp"
#include "core/run/engine_choice.hpp"
#include "core/run/evaluation.hpp"
#include "core/run/group.hpp"
#include "core/run/settings.hpp"

namespace seedbed {

// Bytes a session will allocate, by part; computed from the specs before anything is allocated.
struct MemoryNeed {
    std::size_t rings = 0, learner = 0, networks = 0;
    std::size_t total() const { return rings + learner + networks; }
};

// What a configuration comes to, before anything big is allocated.
struct SessionPlan {
    TrainingConfig config;
    EnvSpec env;
    EngineChoice engine;
    int threads = 1;
    int groups = 1;
    LearnPlan learn;
    NetSpec net;                 // of the acting network
    std::size_t parameters = 0;  // floats of all networks
    MemoryNeed memory;
};

// What one iteration (a rollout of every group and one update) did.
struct IterationStats {
    UpdateStats update;
    std::vector<EpisodeEnd> episodes;   // column counted over all groups
    std::uint64_t decisions = 0;        // valid rows of this rollout
    double rollout_s = 0, learn_s = 0;  // wall
    double inference_s = 0, env_s = 0;  // thread-seconds
};

// Thread: one owner.
class Session {
public:
    // Checks everything a configuration says, compiles nothing. error: config, device.
    static Result<SessionPlan> plan(const TrainingConfig& config);
    // error: out_of_memory when the computed need exceeds what is free.
    static Result<> checkMemory(const SessionPlan& plan);
    // error: out_of_memory, as checkMemory; config, device.
    static Result<std::unique_ptr<Session>> create(SessionPlan plan);

    // One rollout of every group and one update. error: not-a-number, environment failure; parameters then are those before the failing
    // step.
    Result<IterationStats> iterate();
    Result<EvaluationResult> evaluate(int episodes, Selection selection, std::uint64_t seed, std::stop_token stop);

    const SessionPlan& plan() const { return plan_; }
    Learner& learner() { return *learner_; }
    WorkerPool& pool() { return *pool_; }
    const ActionDistribution& distribution() const { return distribution_; }
    // Agent decisions and updates so far.
    const Progress& progress() const { return progress_; }
    // Everything but the parameters: learner, environments, random streams, counters. Between iterations only.
    Result<> archive(Archive& archive);

private:
    Session() = default;
    Result<> rollOut(IterationStats& stats);

    SessionPlan plan_;
    ActionDistribution distribution_;
    std::unique_ptr<WorkerPool> pool_;
    std::shared_ptr<EngineNet> acting_;
    std::vector<std::unique_ptr<ActorGroup>> groups_;
    std::vector<Ring*> rings_;
    std::vector<std::vector<EpisodeEnd>> ended_;
    std::unique_ptr<Learner> learner_;
    Progress progress_;
};

// Plan of each network an algorithm declares, on the spaces of an environment.
Result<std::vector<NetSpec>> networkSpecs(const TrainingConfig& config, const Algorithm& algorithm, const EnvSpec& env);
// The action distribution of a configuration (squashed or not).
ActionDistribution distributionOf(const TrainingConfig& config, const EnvSpec& env);

}  // namespace seedbed
