// SPDX-License-Identifier: Apache-2.0
// The action of the previous row; zeros in the first row of an episode.
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

class PreviousAction : public BoundOp {
public:
    explicit PreviousAction(const Binding& binding) : frame_(binding.frame), out_(binding.output) {
        const Spaces& spaces = frame_.plan().spec.spaces;
        const at::Tensor words =
            frame_.workspace().previous_action.port().view({frame_.rows(), spaces.actionWords()});
        std::int64_t word = 0, column = 0;
        for (const ActionLeaf& leaf : spaces.actions) {
            const bool discrete = leaf.kind == ActionLeaf::Kind::discrete;
            const std::int64_t width = discrete ? leaf.n : leaf.words();
            parts_.push_back({words.narrow(1, word, leaf.words()), out_.value.narrow(1, column, width),
                              discrete ? at::arange(leaf.n, words.options()) : at::Tensor()});
            word += leaf.words();
            column += width;
        }
    }

    void forward() override {
        for (Part& part : parts_) {
            if (part.choices.defined()) at::eq_out(part.to, part.from, part.choices);
            else part.to.copy_(part.from);
        }
        frame_.clearFirst(out_.value, -1);
    }

    void backward(bool) override {}

private:
    struct Part {
        at::Tensor from, to, choices;  // choices: discrete only
    };

    Frame& frame_;
    Slot& out_;
    std::vector<Part> parts_;
};

[[maybe_unused]] const bool registered_previous_action = registerOperation({
    .id = "previous_action",
    .bind = makeBound<PreviousAction>,
});

}  // namespace

}  // namespace seedbed::torch_module
