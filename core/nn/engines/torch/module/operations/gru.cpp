// SPDX-License-Identifier: Apache-2.0
// Gated recurrent unit.
#include "core/nn/engines/torch/module/operation.hpp"
#include "core/nn/engines/torch/module/recurrent.hpp"

namespace seedbed::torch_module {

namespace {

// Cho et al. 2014 in the form of torch.nn.GRUCell: gates r, z, n; the reset gate is applied after the product
// with the state.
class Gru : public Recurrent {
public:
    explicit Gru(const Binding& binding) : Recurrent(binding, 3) {
        gates_ = frame_.place({frame_.rows(), 3 * size_});
        state_gates_ = frame_.place({frame_.rows(), 3 * size_});
        if (frame_.shape().train) {
            state_gradient_ = frame_.place({frame_.rows(), 3 * size_});
            scratch_ = frame_.place({sequences_, size_});
        }
    }

    void forward() override {
        at::addmm_out(gates_, bias_in_, in_.slot->value, weight_in_t_);
        for (std::int64_t t = 0; t < steps_; ++t) {
            const at::Tensor before = step(before_, t), gates = step(gates_, t);
            loadState(before, previousOf(out_.value, t, 0), t);
            at::Tensor state_gates = step(state_gates_, t), y = step(out_.value, t);
            at::addmm_out(state_gates, bias_state_, before, weight_state_t_);
            at::Tensor reset_update = gates.narrow(1, 0, 2 * size_), n = gate(gates, 2);
            reset_update.add_(state_gates.narrow(1, 0, 2 * size_)).sigmoid_();
            n.addcmul_(gate(gates, 0), gate(state_gates, 2)).tanh_();
            // h' = n + z (h - n)
            at::sub_out(y, before, n);
            y.mul_(gate(gates, 1)).add_(n);
        }
        storeState(out_.value, 0);
    }

    void backward(bool input_gradients) override {
        carried_.zero_();
        for (std::int64_t t = steps_; t-- > 0;) {
            const at::Tensor gates = step(gates_, t), before = step(before_, t);
            const at::Tensor r = gate(gates, 0), z = gate(gates, 1), n = gate(gates, 2),
                             state_n = gate(step(state_gates_, t), 2);
            const at::Tensor gradient = step(gradient_, t), state_gradient = step(state_gradient_, t);
            at::Tensor dr = gate(gradient, 0), dz = gate(gradient, 1), dn = gate(gradient, 2),
                       state_dn = gate(state_gradient, 2);
            carried_.add_(step(out_.gradient, t));
            at::sub_out(scratch_, before, n);
            scratch_.mul_(carried_);
            at::sigmoid_backward_out(dz, scratch_, z);
            // dh (1 - z) propagates to n, and dh z propagates to the state.
            at::mul_out(scratch_, carried_, z);
            carried_.sub_(scratch_);
            at::tanh_backward_out(dn, carried_, n);
            carried_.copy_(scratch_);
            at::mul_out(state_dn, dn, r);
            at::mul_out(scratch_, dn, state_n);
            at::sigmoid_backward_out(dr, scratch_, r);
            state_gradient.narrow(1, 0, 2 * size_).copy_(gradient.narrow(1, 0, 2 * size_));
            carried_.addmm_(state_gradient, weight_state_);
            if (frame_.continues().defined()) carried_.mul_(step(frame_.continues(), t));
        }
        addGradients(gradient_, state_gradient_, input_gradients);
    }

private:
    at::Tensor gate(const at::Tensor& gates, std::int64_t index) const {
        return gates.narrow(1, index * size_, size_);
    }

    at::Tensor gates_,
        state_gates_;  // [B, 3H]: activated gates; the state's contribution before activation
    at::Tensor state_gradient_, scratch_;
};

[[maybe_unused]] const bool registered_gru = registerOperation({
    .id = "gru",
    .bind = makeBound<Gru>,
    .inputs = Inputs::rows,
});

}  // namespace

}  // namespace seedbed::torch_module
