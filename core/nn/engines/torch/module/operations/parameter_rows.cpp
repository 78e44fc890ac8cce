// SPDX-License-Identifier: Apache-2.0
// A learned vector, the same for every row.
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

class ParameterRows : public BoundOp {
public:
    explicit ParameterRows(const Binding& binding)
        : out_(binding.output), row_(binding.frame.param(binding.op.params[0])) {
        if (!binding.frame.shape().train) return;
        lane_ = binding.frame.lane(binding.op.params[0]);
        gradient_t_ = out_.gradient.t();
        ones_ = binding.frame.ones();
    }

    void forward() override { out_.value.copy_(row_); }
    void backward(bool) override { lane_.addmv_(gradient_t_, ones_); }

private:
    Slot& out_;
    at::Tensor row_, lane_, gradient_t_, ones_;
};

[[maybe_unused]] const bool registered_parameter_rows = registerOperation({
    .id = "parameter_rows",
    .bind = makeBound<ParameterRows>,
    .writes_columns = alwaysColumns,
});

}  // namespace

}  // namespace seedbed::torch_module
