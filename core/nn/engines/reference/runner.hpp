// SPDX-License-Identifier: Apache-2.0
// The reference engine for one number type. Tests run it in double on double parameters, so that no value is
// rounded to float.
#pragma once

#include "core/nn/engines/reference/operations/shared/pass.hpp"

namespace seedbed::reference {

// Thread: one owner. F is float or double.
template <class F>
class Runner {
public:
    // Every operation of the plan must be in kernelRegistry<F>().
    explicit Runner(const NetPlan& plan);

    // Copies the parameters for the following calls, [param_floats], and prepares them for the kernels.
    void setParams(const F* blob);
    // Forward pass: heads [rows, head_words]; state_in and state_out [sequences, state_words] (state_out may
    // be null).
    void forward(const Rows& rows, const F* state_in, F* heads, F* state_out);
    // Backward pass of the last forward(), whose `rows` must still be valid: adds to lane [param_floats]
    // unless it is null; input_gradient as in NetContext::backward.
    void backward(const F* head_gradients, F* lane, const std::vector<F*>* input_gradient);

private:
    const NetPlan& plan_;
    std::vector<const Kernels<F>*> kernels_;  // per operation
    Pass<F> pass_;
    std::vector<F> blob_, state_out_;
    Rows rows_;
};

extern template class Runner<float>;
extern template class Runner<double>;

}  // namespace seedbed::reference
