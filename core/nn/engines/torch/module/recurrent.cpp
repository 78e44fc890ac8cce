// SPDX-License-Identifier: Apache-2.0
// LSTM and GRU over T steps of N sequences: one matrix product over all rows for the inputs, then step by
// step, with the state cleared before the first row of an episode.
#include "core/nn/engines/torch/module/frame.hpp"

namespace seedbed::torch_module {

namespace {

// What both cores share: weights, lanes, the state before each row and the way gradients leave.
class Recurrent : public BoundOp {
protected:
    Recurrent(const Binding& binding, int gates)
        : frame_(binding.frame),
          in_(binding.inputs[0]),
          out_(binding.output),
          sequences_(frame_.shape().sequences),
          steps_(frame_.shape().steps),
          size_(frame_.valueSize(binding.op.output)),
          weight_in_(frame_.param(binding.op.params[0])),
          weight_state_(frame_.param(binding.op.params[1])),
          bias_in_(frame_.param(binding.op.params[2])),
          bias_state_(frame_.param(binding.op.params[3])),
          weight_in_t_(weight_in_.t()),
          weight_state_t_(weight_state_.t()),
          before_(frame_.place({frame_.rows(), size_})) {
        const std::int64_t words = frame_.plan().state_words;
        state_in_ = frame_.workspace()
                        .state_in.port()
                        .view({sequences_, words})
                        .narrow(1, binding.op.state_offset, words - binding.op.state_offset);
        state_out_ = frame_.workspace()
                         .state_out.port()
                         .view({sequences_, words})
                         .narrow(1, binding.op.state_offset, words - binding.op.state_offset);
        if (!frame_.shape().train) return;
        for (std::size_t i = 0; i < 4; ++i) lanes_[i] = frame_.lane(binding.op.params[i]);
        gradient_ = frame_.place({frame_.rows(), gates * size_});
        carried_ = frame_.place({sequences_, size_});
        ones_ = frame_.ones();
    }

    // The rows of step t.
    at::Tensor step(const at::Tensor& all, std::int64_t t) const {
        return all.narrow(0, t * sequences_, sequences_);
    }
    // `words` columns of the state of step 0.
    at::Tensor given(std::int64_t part) const { return state_in_.narrow(1, part * size_, size_); }

    // into = the state of the row before, or zero.
    void enter(at::Tensor into, const at::Tensor& previous, std::int64_t t) const {
        if (!previous.defined()) into.zero_();
        else into.copy_(previous);
        frame_.clearFirst(into, t);
    }
    at::Tensor previousOf(const at::Tensor& all, std::int64_t t, std::int64_t part) const {
        if (t > 0) return step(all, t - 1);
        return frame_.shape().has_state ? given(part) : at::Tensor();
    }
    void leave(const at::Tensor& all, std::int64_t part) {
        if (frame_.workspace().state_wanted)
            state_out_.narrow(1, part * size_, size_).copy_(step(all, steps_ - 1));
    }

    // Gradients of weights, biases and input, given those of the gates as the input and as the state feeds
    // them.
    void finish(const at::Tensor& of_input, const at::Tensor& of_state, bool input_gradients) {
        const at::Tensor input_t = of_input.t(), state_t = of_state.t();
        lanes_[0].addmm_(input_t, in_.slot->value);
        lanes_[1].addmm_(state_t, before_);
        lanes_[2].addmv_(input_t, ones_);
        lanes_[3].addmv_(state_t, ones_);
        if (!in_.slot->wants(input_gradients)) return;
        if (in_.accumulate) in_.slot->gradient.addmm_(of_input, weight_in_);
        else at::mm_out(in_.slot->gradient, of_input, weight_in_);
    }

    Frame& frame_;
    Input in_;
    Slot& out_;
    std::int64_t sequences_, steps_, size_;
    at::Tensor weight_in_, weight_state_, bias_in_, bias_state_, weight_in_t_, weight_state_t_;
    at::Tensor before_;    // [B, H] the state h that each row started from
    at::Tensor gradient_;  // [B, gates * H] of the gates before their activations
    at::Tensor carried_;   // [N, H] gradient of h, on its way to earlier steps

private:
    at::Tensor state_in_, state_out_, ones_;
    at::Tensor lanes_[4];
};

// Hochreiter & Schmidhuber 1997 with forget gate, in torch.nn.LSTMCell's order i, f, g, o.
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
            enter(step(before_, t), previousOf(out_.value, t, 0), t);
            enter(step(cell_before_, t), previousOf(cell_, t, 1), t);
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
        leave(out_.value, 0);
        leave(cell_, 1);
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
            if (!frame_.going().defined()) continue;
            cell_carried_.mul_(step(frame_.going(), t));
            carried_.mul_(step(frame_.going(), t));
        }
        finish(gradient_, gradient_, input_gradients);
    }

private:
    at::Tensor gate(const at::Tensor& gates, std::int64_t index) const {
        return gates.narrow(1, index * size_, size_);
    }

    at::Tensor gates_, cell_before_, cell_, cell_tanh_;  // [B, 4H] after their activations, [B, H]
    at::Tensor cell_carried_, scratch_;
};

// Cho et al. 2014 as torch.nn.GRUCell: gates r, z, n; the reset gate acts after the state's product.
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
            enter(before, previousOf(out_.value, t, 0), t);
            at::Tensor state_gates = step(state_gates_, t), y = step(out_.value, t);
            at::addmm_out(state_gates, bias_state_, before, weight_state_t_);
            at::Tensor reset_update = gates.narrow(1, 0, 2 * size_), n = gate(gates, 2);
            reset_update.add_(state_gates.narrow(1, 0, 2 * size_)).sigmoid_();
            n.addcmul_(gate(gates, 0), gate(state_gates, 2)).tanh_();
            // h' = n + z (h - n)
            at::sub_out(y, before, n);
            y.mul_(gate(gates, 1)).add_(n);
        }
        leave(out_.value, 0);
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
            // dh (1 - z) reaches n, dh z the state.
            at::mul_out(scratch_, carried_, z);
            carried_.sub_(scratch_);
            at::tanh_backward_out(dn, carried_, n);
            carried_.copy_(scratch_);
            at::mul_out(state_dn, dn, r);
            at::mul_out(scratch_, dn, state_n);
            at::sigmoid_backward_out(dr, scratch_, r);
            state_gradient.narrow(1, 0, 2 * size_).copy_(gradient.narrow(1, 0, 2 * size_));
            carried_.addmm_(state_gradient, weight_state_);
            if (frame_.going().defined()) carried_.mul_(step(frame_.going(), t));
        }
        finish(gradient_, state_gradient_, input_gradients);
    }

private:
    at::Tensor gate(const at::Tensor& gates, std::int64_t index) const {
        return gates.narrow(1, index * size_, size_);
    }

    at::Tensor gates_,
        state_gates_;  // [B, 3H] after their activations; what the state contributed before them
    at::Tensor state_gradient_, scratch_;
};

}  // namespace

std::unique_ptr<BoundOp> bindLstm(const Binding& binding) { return std::make_unique<Lstm>(binding); }
std::unique_ptr<BoundOp> bindGru(const Binding& binding) { return std::make_unique<Gru>(binding); }

}  // namespace seedbed::torch_module
