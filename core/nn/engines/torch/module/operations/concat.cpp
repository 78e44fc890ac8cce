// SPDX-License-Identifier: Apache-2.0
// Concatenation of values.
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

class Concat : public BoundOp {
public:
    explicit Concat(const Binding& binding) {
        std::int64_t column = 0;
        for (std::size_t i = 0; i < binding.inputs.size(); ++i) {
            const Input& input = binding.inputs[i];
            const int index = binding.op.inputs[i];
            const std::int64_t width = binding.frame.valueSize(index);
            const at::Tensor& value = input.slot->value;
            // Values that are stored inside the result need no copy.
            const at::Tensor place = binding.output.value.narrow(1, column, width);
            const bool inside = value.defined() && value.is_alias_of(place) &&
                                value.storage_offset() == place.storage_offset();
            if (!inside) {
                const at::Tensor& gradient = binding.output.gradient;
                parts_.push_back({input, place,
                                  gradient.defined() ? gradient.narrow(1, column, width) : at::Tensor(),
                                  binding.frame.valueShape(index)});
            }
            column += width;
        }
    }

    void forward() override {
        for (Part& part : parts_) part.place.copy_(part.input.slot->value.reshape(part.place.sizes()));
    }

    void backward(bool input_gradients) override {
        for (const Part& part : parts_) {
            if (!part.input.slot->wants(input_gradients)) continue;
            if (part.input.slot->value.dim() == 2) {
                part.input.addGradient(part.gradient);
            } else {
                const PlanValue& shape = part.shape;
                const Sizes sizes{part.place.size(0), shape.channels, shape.height, shape.width};
                part.input.moveGradient(part.gradient.reshape(sizes).clone(at::MemoryFormat::ChannelsLast));
            }
        }
    }

private:
    struct Part {
        Input input;
        at::Tensor place, gradient;
        PlanValue shape;
    };
    std::vector<Part> parts_;
};

[[maybe_unused]] const bool registered_concat = registerOperation({
    .id = "concat",
    .bind = makeBound<Concat>,
    .flattens = true,
    .joins = true,
    .writes_columns = alwaysColumns,
});

}  // namespace

}  // namespace seedbed::torch_module
