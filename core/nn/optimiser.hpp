// SPDX-License-Identifier: Apache-2.0
// Optimisers of the flat parameter blob, with global-norm clipping and the update fused in one pass.
// Deterministic for any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/archive.hpp"
#include "core/base/describe.hpp"
#include "core/nn/net_plan.hpp"

namespace seedbed {

class WorkerPool;

struct OptimiserParams {
    std::string kind = "adam";          // adam | rmsprop | sgd
    double beta1 = 0.9, beta2 = 0.999;  // adam
    double epsilon = 1e-5;
    double alpha = 0.99;               // rmsprop: decay of the mean of squares
    double momentum = 0;               // rmsprop, sgd
    bool epsilon_inside_sqrt = false;  // rmsprop: inside the root as in TensorFlow, or outside as in PyTorch
    double weight_decay = 0;           // decoupled
    double max_grad_norm = 0.5;        // global norm over the blob; 0: no clipping

    static const Description<OptimiserParams>& describe();
};

// A range of the blob with its own learning-rate scale and decay.
struct ParamGroup {
    std::size_t begin = 0, end = 0;  // floats
    double lr_scale = 1;
    double weight_decay = 0;
};

class Optimiser {
public:
    // Buffers of the plan are excluded from every group. Parameters outside all groups never change and are
    // excluded from the norm. Groups are ascending and do not overlap. Default group: the whole blob with
    // OptimiserParams::weight_decay.
    Optimiser(const NetPlan& plan, OptimiserParams params, std::vector<ParamGroup> groups = {});

    struct StepInfo {
        double grad_norm = 0;  // norm before clipping; summed in a fixed order
        bool finite = true;    // false: nothing was changed
        std::string culprit;   // name of the first parameter with a non-finite gradient
    };
    // blob <- blob - update. The squared norm is summed in double in a fixed tree, so it depends neither on
    // threads nor on the instruction set. The pool's threads process the blocks of a large blob; without a
    // pool, the caller's thread processes all of them. Thread: the learner's.
    StepInfo step(std::vector<float>& blob, std::vector<float>& gradient, double learning_rate,
                  WorkerPool* pool = nullptr);
    // Saves or loads moments and step count. The size follows from the plan and the kind of optimiser, so
    // Archive::finish() fails for the state of another network.
    void archive(Archive& archive);
    std::uint64_t steps() const { return steps_; }

    // --- for devices that step with their own copy of the moments (learn_device.hpp)
    // The part of one parameter entry that is in one group.
    struct Range {
        std::size_t begin = 0, end = 0;
        double lr_scale = 1, weight_decay = 0;
        std::string name;
    };
    const std::vector<Range>& ranges() const { return ranges_; }
    const OptimiserParams& params() const { return params_; }
    // The numbers of one step that all parameters share.
    struct Factors {
        double learning_rate = 0, rate_correction = 1;  // Adam: 1 - beta1^t
        float square_correction = 1, clip = 1;          // Adam: 1 / sqrt(1 - beta2^t)
    };
    // Counts a step with a finite gradient of this norm.
    Factors beginStep(double learning_rate, double grad_norm);
    // The contents of archive(); `second` is empty for sgd.
    struct State {
        std::uint64_t& steps;
        std::span<float> first, second;
    };
    State state() { return {steps_, first_, second_}; }

private:
    // A part of a range that fits in the L1 cache; the blocks of a range are consecutive.
    struct Block {
        std::size_t begin = 0, count = 0, range = 0;
    };
    struct Step;

    // Pairwise sum of the squares of `count` blocks, starting at block `first`.
    double treeSum(std::size_t first, std::size_t count) const;
    void updateBlock(const Step& step, const Block& block);

    OptimiserParams params_;
    std::vector<Range> ranges_;
    std::vector<Block> blocks_;
    std::vector<double> squares_;  // per block
    std::vector<float> first_, second_;
    std::uint64_t steps_ = 0;
};

}  // namespace seedbed
