// SPDX-License-Identifier: Apache-2.0
// The contents of a web page: a policy, the environment that it was trained in, and one game. Runs inside the
// WebAssembly module; module.cpp exports it to JavaScript.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/json.hpp"
#include "core/base/scene.hpp"
#include "core/export/executor.hpp"
#include "core/export/play.hpp"

namespace seedbed {

// The page's policy and its game with one environment. Not movable, because parts refer to each other.
class Game {
public:
    // `config` and `tensors`: contents of config.json and model.safetensors. error: the policy or its
    // environment cannot be used in this module.
    static Result<std::unique_ptr<Game>> load(const std::string& config, std::span<const std::byte> tensors);

    // Title, actions with labels, provenance, and the meaning of the outputs.
    Json describe() const;
    // Compares the network with golden vectors (empty: none) and the environment with a recording. Returns
    // {passed, golden: parity report or null, environment: sentence or null}.
    Result<Json> check(const std::vector<std::uint8_t>& golden, const std::string& trace);

    // Floats per row of the inputs and outputs of decide(): all fields of ModelBatch, all of ModelResult.
    std::size_t inputWords() const;
    std::size_t outputWords() const;
    // Runs rows without the environment. The input has one field after the other, the output one row after
    // the other. `own_memory`: the rows are the steps of one episode.
    Result<> decide(int rows, bool own_memory, const float* input, float* output);

    // Begins a game; the same seed and actions give the same episodes.
    Result<> start(std::uint64_t seed);
    // Runs the network on the current observation. The policy samples its choice if `sampled`; otherwise it
    // takes the most probable one. The arrays are valid until the next call.
    Result<> decideNext(bool sampled);
    const ModelResult& outputs() const { return result_; }
    // The policy's next action for each seat, [seats, A].
    const std::vector<float>& choice() const { return choice_; }
    const ModelBatch& look() const { return look_; }
    // Plays one step. Seats with `taken` use `actions` [seats, A], the others their choice. Requires a call
    // of decideNext() since the last step.
    Result<> step(const std::uint8_t* taken, const float* actions);

    int seats() const { return play_->rows(); }
    float reward(int seat) const { return play_->reward(seat); }
    // Whether the current observation is the last one of a truncated episode; the next step starts another.
    bool waits() const { return !play_->valid(0); }
    const std::vector<EpisodeEnd>& ended() const { return ended_; }
    // The current state, or the last one of the episode that ended in the latest step.
    const Scene& scene(bool last) const { return last ? last_ : now_; }

private:
    Game(PolicyModel model) : model_(std::move(model)) {}

    PolicyModel model_;
    std::string title_, sentence_;
    std::unique_ptr<EngineNet> net_;
    std::unique_ptr<Executor> executor_;
    std::optional<Play> play_;
    std::optional<PlayMemory> memory_;
    std::uint64_t seed_ = 0, step_ = 0;
    ModelBatch look_;
    ModelResult result_;
    std::vector<float> choice_, log_prob_;
    std::vector<std::uint8_t> mask_;
    std::vector<EpisodeEnd> ended_;
    Scene now_, last_;
};

}  // namespace seedbed
