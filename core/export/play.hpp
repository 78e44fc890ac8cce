// SPDX-License-Identifier: Apache-2.0
// Environments played by executors, for golden observations, closed-loop comparisons and replays.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/scene.hpp"
#include "core/env/vector_env.hpp"
#include "core/export/executor.hpp"

namespace seedbed {

// The environments of a policy, stepped together; the caller chooses the actions. Thread: one owner.
class Play {
public:
    // error: config if this program does not have the environment, or the environment has different spaces.
    static Result<Play> create(const PolicyModel& model, int envs, std::uint64_t seed);

    int rows() const { return ring_->columns(); }  // agents of all environments
    int agents() const;
    // Input of the current decision without the recurrent state, which is in PlayMemory. Valid until step().
    const ModelBatch& observe();
    // first(): the decision is the first of an episode. valid(): it is a decision, not the final observation
    // of a truncated episode.
    bool first(int row) const;
    bool valid(int row) const;
    // Applies `actions` [rows, A] and stores `feedback` [rows, A] as previous actions; appends the episodes
    // that ended in this step.
    Result<> step(const std::vector<float>& actions, const std::vector<float>& feedback,
                  std::vector<EpisodeEnd>& ended);
    Scene scene() const;
    // `stepped` is called in each step before any environment is reset, when scene() still shows the last
    // state of an episode that ended.
    void onStepped(std::function<void()> stepped);
    float reward(int row) const;  // of the latest step

private:
    explicit Play(const PolicyModel& model) : model_(&model) {}
    const PolicyModel* model_;
    std::unique_ptr<Ring> ring_;
    std::unique_ptr<VectorEnv> env_;
    ModelBatch batch_;
    std::vector<float> feedback_;
    std::vector<std::vector<std::uint8_t>> bytes_;
};

// The recurrent state of an executor while it plays; zeros at the start of episodes.
class PlayMemory {
public:
    PlayMemory(const PolicyModel& model, int rows)
        : words_(static_cast<std::size_t>(model.stateWords())),
          state_(static_cast<std::size_t>(rows) * words_, 0.0f) {}
    // Writes the state into `batch`.
    void give(const Play& play, ModelBatch& batch);
    void take(const ModelResult& result) { state_ = result.state; }

private:
    std::size_t words_;
    std::vector<float> state_;
};

}  // namespace seedbed
