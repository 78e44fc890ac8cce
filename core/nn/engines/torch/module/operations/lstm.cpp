// SPDX-License-Identifier: Apache-2.0
// Long short-term memory.
#include "core/nn/engines/torch/module/operation.hpp"
#include "core/nn/engines/torch/module/recurrent.hpp"

namespace seedbed::torch_module {

namespace {

// Hochreiter & Schmidhuber 1997 with a forget gate, in torch.nn.LSTMCell's order i, f, g, o.
class Lstm : public Recurrent {
public:
    explicit Lstm(const Binding& binding) : Recurrent(binding, 4) {
        const std::int64_t rows = frame_.rows();
        gates_ = frame_.place({rows, 4 * size_});
        cell_before_ = frame_.place({rows, size_});
        cell_ = frame_.place({rows, size_});
        cell_tanh_ = frame_.place({rows, size_});
        if (frame_.shape().train) {
            cell_carried_ = frame_.place({sequences_, size_});
            scratch_ = frame_.place({sequences_, size_});
        }
    }

    void forward() override {
        at::addmm_out(gates_, bias_in_, in_.slot->value, weight_in_t_);
        gates_.add_(bias_state_);
        for (std::int64_t t = 0; t < steps_; ++t) {
            loadState(step(before_, t), previousOf(out_.value, t, 0), t);
            loadState(step(cell_before_, t), previousOf(cell_, t, 1), t);
            at::Tensor gates = step(gates_, t), cell = step(cell_, t), cell_tanh = step(cell_tanh_, t),
                       y = step(out_.value, t);
            gates.addmm_(step(before_, t), weight_state_t_);
            gates.narrow(1, 0, 2 * size_).sigmoid_();
            gates.narrow(1, 2 * size_, size_).tanh_();
            gates.narrow(1, 3 * size_, size_).sigmoid_();
            at::mul_out(cell, gate(gates, 1), step(cell_before_, t));
            cell.addcmul_(gate(gates, 0), gate(gates, 2));
            at::tanh_out(cell_tanh, cell);
            at::mul_out(y, gate(gates, 3), cell_tanh);
        }
        storeState(out_.value, 0);
        storeState(cell_, 1);
    }

    void backward(bool input_gradients) override {
        carried_.zero_();
        cell_carried_.zero_();
        for (std::int64_t t = steps_; t-- > 0;) {
            const at::Tensor gates = step(gates_, t), cell_tanh = step(cell_tanh_, t);
            const at::Tensor i = gate(gates, 0), f = gate(gates, 1), g = gate(gates, 2), o = gate(gates, 3);
            const at::Tensor gradient = step(gradient_, t);
            at::Tensor di = gate(gradient, 0), df = gate(gradient, 1), dg = gate(gradient, 2),
                       d_o = gate(gradient, 3);
            carried_.add_(step(out_.gradient, t));
            at::mul_out(scratch_, carried_, cell_tanh);
            at::sigmoid_backward_out(d_o, scratch_, o);
            at::mul_out(scratch_, carried_, o);
            at::tanh_backward_out(scratch_, scratch_, cell_tanh);
            cell_carried_.add_(scratch_);
            at::mul_out(scratch_, cell_carried_, g);
            at::sigmoid_backward_out(di, scratch_, i);
            at::mul_out(scratch_, cell_carried_, step(cell_before_, t));
            at::sigmoid_backward_out(df, scratch_, f);
            at::mul_out(scratch_, cell_carried_, i);
            at::tanh_backward_out(dg, scratch_, g);
            cell_carried_.mul_(f);
            at::mm_out(carried_, gradient, weight_state_);
            if (!frame_.continues().defined()) continue;
            cell_carried_.mul_(step(frame_.continues(), t));
            carried_.mul_(step(frame_.continues(), t));
        }
        addGradients(gradient_, gradient_, input_gradients);
    }

private:
    at::Tensor gate(const at::Tensor& gates, std::int64_t index) const {
        return gates.narrow(1, index * size_, size_);
    }

    at::Tensor gates_, cell_before_, cell_, cell_tanh_;  // [B, 4H] after their activations, [B, H]
    at::Tensor cell_carried_, scratch_;
};

[[maybe_unused]] const bool registered_lstm = registerOperation({
    .id = "lstm",
    .bind = makeBound<Lstm>,
    .inputs = Inputs::rows,
});

}  // namespace

}  // namespace seedbed::torch_module
