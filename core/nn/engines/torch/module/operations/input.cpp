// SPDX-License-Identifier: Apache-2.0
// Observations.
#include "core/nn/engines/torch/module/frame.hpp"
#include "core/nn/engines/torch/module/operation.hpp"

namespace seedbed::torch_module {

namespace {

// An f32 leaf: the value is the caller's memory itself.
class VectorInput : public BoundOp {
public:
    explicit VectorInput(const Binding& binding)
        : workspace_(binding.frame.workspace()),
          leaf_(static_cast<std::size_t>(binding.op.leaf)),
          out_(binding.output) {
        const Sizes sizes{binding.frame.rows(), binding.frame.valueSize(binding.op.output)};
        out_.value = workspace_.leaves[leaf_].port().view(sizes);
        gradient_ = workspace_.leaf_gradients[leaf_].port().view(sizes);
    }

    void forward() override {}

    // Adds to the caller's memory, which was cleared first, because several inputs may read one leaf.
    void backward(bool) override {
        if (workspace_.leaf_wanted[leaf_]) gradient_.add_(out_.gradient);
    }

private:
    Workspace& workspace_;
    std::size_t leaf_;
    Slot& out_;
    at::Tensor gradient_;
};

// A u8 leaf: numbers in [0, 1], with channels last if a convolution follows.
class ImageInput : public BoundOp {
public:
    explicit ImageInput(const Binding& binding) : out_(binding.output) {
        Frame& frame = binding.frame;
        const ObsLeaf& leaf = frame.plan().spec.spaces.obs[static_cast<std::size_t>(binding.op.leaf)];
        const PlanValue& shape = frame.valueShape(binding.op.output);
        scale_ = static_cast<float>(1 / leaf.high);
        rows_ = frame.rows();
        channels_ = shape.channels;
        pixels_ = std::int64_t{shape.height} * shape.width;
        const Sizes sizes{rows_, channels_, shape.height, shape.width};
        raw_ = frame.workspace().leaves[static_cast<std::size_t>(binding.op.leaf)].port().view(sizes);
        const at::Tensor memory = frame.place({rows_, channels_ * pixels_});
        channels_last_ = frame.seenAsImage(binding.op.output);
        floats_ = memory.as_strided(sizes,
                                    channels_last_
                                        ? Sizes{channels_ * pixels_, 1, shape.width * channels_, channels_}
                                        : Sizes{channels_ * pixels_, pixels_, shape.width, 1},
                                    memory.storage_offset());
        out_.value = channels_last_ ? floats_ : memory;
    }

    void forward() override {
        if (!raw_.device().is_cpu()) {
            floats_.copy_(raw_);
            floats_.mul_(scale_);
        } else if (channels_last_) {
            interleave();
        } else {
            const auto* from = raw_.data_ptr<std::uint8_t>();
            auto* to = floats_.data_ptr<float>();
            for (std::int64_t i = 0; i < rows_ * channels_ * pixels_; ++i)
                to[i] = static_cast<float>(from[i]) * scale_;
        }
    }

    void backward(bool) override {}

private:
    // [C, pixels] u8 to [pixels, C] f32, row by row; a copy kernel with two layouts takes four times as long.
    void interleave() {
        const auto* from = raw_.data_ptr<std::uint8_t>();
        auto* to = floats_.data_ptr<float>();
        for (std::int64_t r = 0; r < rows_; ++r, from += channels_ * pixels_, to += channels_ * pixels_) {
            if (channels_ == 4) {
                const auto *a = from, *b = a + pixels_, *c = b + pixels_, *d = c + pixels_;
                for (std::int64_t p = 0; p < pixels_; ++p) {
                    to[4 * p] = static_cast<float>(a[p]) * scale_;
                    to[4 * p + 1] = static_cast<float>(b[p]) * scale_;
                    to[4 * p + 2] = static_cast<float>(c[p]) * scale_;
                    to[4 * p + 3] = static_cast<float>(d[p]) * scale_;
                }
            } else {
                for (std::int64_t c = 0; c < channels_; ++c)
                    for (std::int64_t p = 0; p < pixels_; ++p)
                        to[p * channels_ + c] = static_cast<float>(from[c * pixels_ + p]) * scale_;
            }
        }
    }

    Slot& out_;
    at::Tensor raw_, floats_;
    float scale_ = 1;
    std::int64_t rows_ = 0, channels_ = 0, pixels_ = 0;
    bool channels_last_ = false;
};

// An i32 leaf: one-hot encoded.
class DiscreteInput : public BoundOp {
public:
    explicit DiscreteInput(const Binding& binding) {
        Frame& frame = binding.frame;
        const ObsLeaf& leaf = frame.plan().spec.spaces.obs[static_cast<std::size_t>(binding.op.leaf)];
        const std::int64_t width = frame.valueSize(binding.op.output), elements = width / leaf.cardinality;
        raw_ = frame.workspace().leaves[static_cast<std::size_t>(binding.op.leaf)].port().view(
            {frame.rows(), elements, 1});
        choices_ = at::arange(leaf.cardinality, raw_.options());
        one_hot_ = binding.output.value.view({frame.rows(), elements, leaf.cardinality});
    }

    void forward() override { at::eq_out(one_hot_, raw_, choices_); }
    void backward(bool) override {}

private:
    at::Tensor raw_, choices_, one_hot_;
};

std::unique_ptr<BoundOp> bindInput(const Binding& binding) {
    switch (binding.frame.plan().spec.spaces.obs[static_cast<std::size_t>(binding.op.leaf)].kind) {
        case ObsLeaf::Kind::image: return std::make_unique<ImageInput>(binding);
        case ObsLeaf::Kind::discrete: return std::make_unique<DiscreteInput>(binding);
        case ObsLeaf::Kind::vector: break;
    }
    return std::make_unique<VectorInput>(binding);
}

[[maybe_unused]] const bool registered_input = registerOperation({
    .id = "input",
    .bind = bindInput,
    .output = Output::like_leaf,
});

}  // namespace

}  // namespace seedbed::torch_module
