// SPDX-License-Identifier: Apache-2.0
// Code shared by LSTM and GRU: one matrix product over all rows for the inputs, then a loop over the steps,
// which clears the state before the first row of an episode.
#pragma once

#include "core/nn/engines/torch/module/frame.hpp"

namespace seedbed::torch_module {

// Manages weights, lanes, the state before each row, and the gradients of weights and inputs.
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
    // Part `part` of the initial state, which has `size_` columns.
    at::Tensor given(std::int64_t part) const { return state_in_.narrow(1, part * size_, size_); }

    // Sets `into` to the state of the previous row, or to zero.
    void loadState(at::Tensor into, const at::Tensor& previous, std::int64_t t) const {
        if (!previous.defined()) into.zero_();
        else into.copy_(previous);
        frame_.clearFirst(into, t);
    }
    at::Tensor previousOf(const at::Tensor& all, std::int64_t t, std::int64_t part) const {
        if (t > 0) return step(all, t - 1);
        return frame_.shape().has_state ? given(part) : at::Tensor();
    }
    void storeState(const at::Tensor& all, std::int64_t part) {
        if (frame_.workspace().state_wanted)
            state_out_.narrow(1, part * size_, size_).copy_(step(all, steps_ - 1));
    }

    // Gradients of weights, biases and input, given the gradients of the contributions of the input and of
    // the state to the gates.
    void addGradients(const at::Tensor& of_input, const at::Tensor& of_state, bool input_gradients) {
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
    at::Tensor before_;    // [B, H] the state h before each row
    at::Tensor gradient_;  // [B, gates * H] gradient of the gates before activation
    at::Tensor carried_;   // [N, H] gradient of h, to be propagated to earlier steps

private:
    at::Tensor state_in_, state_out_, ones_;
    at::Tensor lanes_[4];
};

}  // namespace seedbed::torch_module
