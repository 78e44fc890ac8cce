// SPDX-License-Identifier: Apache-2.0
// Runs a plan on the native kernels: its operations in order, or in reverse order for the backward pass.
#pragma once

#include "core/nn/engines/native/work.hpp"

namespace seedbed::native {

// Thread: one owner.
class Runner {
public:
    explicit Runner(const NetPlan& plan) : plan_(plan), work_(plan) {}

    // Parameters for the following calls, [param_floats]; the blob must not change until they have finished.
    void setParams(const float* blob);
    // Threads that calls with few rows may use; null: only the caller's.
    void setPool(WorkerPool* pool) { work_.pool = pool; }
    // heads [rows, head_words]; state_out [sequences, state_words] may be null.
    void forward(const Rows& rows, const float* state_in, float* heads, float* state_out, Keep keep);
    // Like NetContext::backward, for the last forward(), which kept the tape and whose `rows` must still be
    // valid.
    void backward(const float* head_gradients, float* lane, const std::vector<float*>* input_gradient);

private:
    bool byImage() const;
    void placeValues(float* heads, Keep keep);
    void placeGradients(const float* head_gradients);
    bool hasGradient(const PlanOp& op) const;
    void backwardImages(std::size_t begin, std::size_t end);

    const NetPlan& plan_;
    Work work_;
    Rows rows_;
    std::vector<float> state_out_;
    std::vector<std::size_t> active_;  // operations of the current backwardImages
};

}  // namespace seedbed::native
