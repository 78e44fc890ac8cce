// SPDX-License-Identifier: Apache-2.0
// Normalisation with running statistics.
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

class Normalise : public BoundOp {
public:
    explicit Normalise(const Binding& binding)
        : clip_(binding.op.clip),
          in_(binding.inputs[0]),
          out_(binding.output),
          mean_(binding.frame.param(binding.op.params[0])),
          var_(binding.frame.param(binding.op.params[1])),
          scale_(binding.frame.place({mean_.size(0)})),
          epsilon_(at::scalar_tensor(kEpsilon, mean_.options())) {}

    void forward() override {
        at::add_out(scale_, var_, epsilon_);
        at::rsqrt_out(scale_, scale_);
        at::sub_out(out_.value, in_.slot->value, mean_);
        out_.value.mul_(scale_);
        out_.value.clamp_(-clip_, clip_);
    }

    // Computes only the gradient of the observation; the statistics are buffers.
    void backward(bool input_gradients) override {
        if (!in_.slot->wants(input_gradients)) return;
        const at::Tensor inside = at::lt(out_.value.abs(), clip_);
        in_.addGradient(out_.gradient * scale_ * inside);
    }

private:
    static constexpr double kEpsilon = 1e-8;

    double clip_;
    Input in_;
    Slot& out_;
    at::Tensor mean_, var_, scale_, epsilon_;
};

[[maybe_unused]] const bool registered_normalise = registerOperation({
    .id = "normalise",
    .bind = makeBound<Normalise>,
    .inputs = Inputs::rows,
});

}  // namespace

}  // namespace seedbed::torch_module
