// SPDX-License-Identifier: Apache-2.0
// The reward of the previous row; zero in the first row of an episode.
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

class PreviousReward : public BoundOp {
public:
    explicit PreviousReward(const Binding& binding)
        : frame_(binding.frame),
          out_(binding.output),
          reward_(frame_.workspace().previous_reward.port().view({frame_.rows(), 1})) {}

    void forward() override {
        out_.value.copy_(reward_);
        frame_.clearFirst(out_.value, -1);
    }

    void backward(bool) override {}

private:
    Frame& frame_;
    Slot& out_;
    at::Tensor reward_;
};

[[maybe_unused]] const bool registered_previous_reward = registerOperation({
    .id = "previous_reward",
    .bind = makeBound<PreviousReward>,
});

}  // namespace

}  // namespace seedbed::torch_module
