// SPDX-License-Identifier: Apache-2.0
// A toy environment for tests of the learner: random observations, an actor that fills a ring as in a run,
// and networks on the reference engine.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/algo/algorithm.hpp"
#include "core/learn/learner.hpp"
#include "core/nn/engine.hpp"
#include "core/rollout/ring.hpp"

namespace seedbed::testing {

// The shape of the networks, and how episodes end.
struct ToyOptions {
    std::vector<ActionLeaf> actions{{.name = "action", .kind = ActionLeaf::Kind::discrete, .n = 3}};
    bool mask = false;
    NetworkParams network;
    int columns = 6;
    int rows = 80;  // rows of the ring
    double terminate = 0.1, truncate = 0.1;
    std::uint64_t seed = 1;
    // Reward of an action for an observation.
    std::function<float(const float* obs, const float* action)> reward =
        [](const float* obs, const float* action) { return obs[0] * action[0]; };
};

Spaces toySpaces(const ToyOptions& options);
std::shared_ptr<EngineNet> toyEngine(const ToyOptions& options, std::vector<HeadSpec> heads);
// The distribution of actions.
ActionDistribution toyDistribution(const ToyOptions& options);

// Acts in the toy environment and records into a ring.
class ToyActor {
public:
    ToyActor(ToyOptions options, std::shared_ptr<EngineNet> net);

    // Appends `steps` rows; every column has its own random streams.
    void act(const Params& params, int steps);
    // The network's outputs for the head row, without recording them: [columns, head_words].
    std::vector<float> peek(const Params& params);
    // The last `length` rows of all columns.
    Window window(int length) const;
    Ring& ring() { return *ring_; }
    std::vector<Ring*> rings() { return {ring_.get()}; }
    const ActionDistribution& distribution() const { return distribution_; }

private:
    struct Column {
        bool extra = false;  // the head row is the extra row of a truncation
        std::int32_t step = 0;
        Rng rng;
    };
    void writeObservation(std::uint64_t t, int column, bool first);
    std::vector<float> evaluate(const Params& params, std::vector<float>& state_out);

    ToyOptions options_;
    std::shared_ptr<EngineNet> net_;
    std::unique_ptr<NetContext> context_;
    ActionDistribution distribution_;
    std::unique_ptr<Ring> ring_;
    std::vector<Column> columns_;
    std::vector<float> state_;
};

// A PPO learner for the toy environment; `params` overrides PPO's defaults.
struct ToyLearner {
    std::shared_ptr<EngineNet> engine;
    std::unique_ptr<Learner> learner;
};
std::unique_ptr<Algorithm> toyPpo(const ToyOptions& options, const Json& params);
ToyLearner makeLearner(const ToyOptions& options, std::unique_ptr<Algorithm> algorithm,
                       const LearnerOptions& learner = {}, std::uint64_t param_seed = 1);

// The value of a metric; fails the test if it is missing.
double metric(const UpdateStats& stats, const std::string& name);

}  // namespace seedbed::testing
