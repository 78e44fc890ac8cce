// SPDX-License-Identifier: Apache-2.0
// A learning step with given head outputs, for tests of losses without a learner.
#pragma once

#include <vector>

#include "core/algo/algorithm.hpp"

namespace seedbed {

class FakeStep final : public Step {
public:
    // The outputs of one network, for each part of the chunk.
    struct Net {
        const NetPlan* plan = nullptr;
        std::vector<float> rows{}, all{}, successors{}, burn_in{};
        std::vector<float> gradients{};  // gradients of the last backward()
        std::vector<float> buffer{};     // buffer for the gradients of the last forward()
    };

    FakeStep(const Chunk& chunk, std::vector<Net> nets, double* sums, float* priorities = nullptr)
        : Step(sums), nets_(std::move(nets)) {
        chunk_ = chunk;
        priorities_ = priorities;
    }

    Heads forward(std::size_t net, const Inputs& inputs, Keep keep) override {
        Net& own = nets_[net];
        calls.push_back({net, inputs.part, keep});
        const std::vector<float>& heads = inputs.part == Part::all          ? own.all
                                          : inputs.part == Part::successors ? own.successors
                                          : inputs.part == Part::burn_in    ? own.burn_in
                                                                            : own.rows;
        own.buffer.assign(heads.size(), 0.0f);
        const auto words = static_cast<std::size_t>(nets_[net].plan->head_words);
        return {nets_[net].plan, heads.data(), heads.size() / words};
    }
    float* gradients(std::size_t net) override { return nets_[net].buffer.data(); }
    void backward(std::size_t net, const float* gradients, bool = true, float* = nullptr) override {
        nets_[net].gradients.assign(gradients, gradients + nets_[net].buffer.size());
    }
    bool isStepped(std::size_t) const override { return true; }
    const Net& net(std::size_t index) const { return nets_[index]; }

    struct Call {
        std::size_t net;
        Part part;
        Keep keep;
        bool operator==(const Call&) const = default;
    };
    std::vector<Call> calls;  // calls to forward()

private:
    std::vector<Net> nets_;
};

// d loss / d heads of an algorithm with one network, [rows, head_words].
inline std::vector<float> learnOnce(const Algorithm& algorithm, const Chunk& chunk, const NetPlan& plan,
                                    const std::vector<float>& heads, double* sums) {
    FakeStep step(chunk, {{.plan = &plan, .rows = heads, .all = heads}}, sums);
    algorithm.learn(step);
    return step.net(0).gradients;
}

}  // namespace seedbed
