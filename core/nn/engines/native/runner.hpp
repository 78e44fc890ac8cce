// SPDX-License-Identifier: Apache-2.0
// Runs a plan on the native kernels: operations in order, and backwards.
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
    void forward(const Rows& rows, const float* state_in, float* heads, float* state_out);
    // Like NetContext::backward, for the last forward(), whose `rows` must still be valid.
    void backward(const float* head_gradients, float* lane, const std::vector<float*>* input_gradient);

private:
    void placeValues(float* heads);
    void placeGradients(const float* head_gradients);

    const NetPlan& plan_;
    Work work_;
    Rows rows_;
    std::vector<float> state_out_;
};

}  // namespace seedbed::native
