// SPDX-License-Identifier: Apache-2.0
// Operations, shapes and parameter places of a plan under construction.
#include "core/nn/plan_builder.hpp"

#include <algorithm>
#include <limits>

namespace seedbed {

namespace {

// Far above any network that a desktop trains, far below overflow of the sizes computed from them.
constexpr std::size_t kMaxValue = std::size_t{1} << 27;   // floats of one value, per row
constexpr std::size_t kMaxParams = std::size_t{1} << 30;  // floats of all parameters
constexpr std::size_t kAlignment = 16;                    // floats: one cache line

std::size_t aligned(std::size_t count) { return (count + kAlignment - 1) / kAlignment * kAlignment; }

// Output size of a convolution or pooling along one axis, 0 when it does not fit.
int slid(int size, int kernel, int stride, int pad) {
    const int room = size + 2 * pad - kernel;
    return room < 0 ? 0 : room / stride + 1;
}

}  // namespace

Activation activationFromName(const std::string& name) {
    if (name == "tanh") return Activation::tanh;
    if (name == "relu") return Activation::relu;
    if (name == "elu") return Activation::elu;
    return Activation::none;
}

PlanBuilder::PlanBuilder(const NetSpec& spec) { plan_.spec = spec; }

void PlanBuilder::refuse(const std::string& reason) {
    if (refusal_.empty()) refusal_ = reason.empty() ? "the network does not fit" : reason;
}

int PlanBuilder::makeValue(int channels, int height, int width) {
    PlanValue value{channels, height, width};
    if (channels < 1 || height < 1 || width < 1 || value.size() > kMaxValue) {
        refuse("a layer of the network would have impossible sizes (" + std::to_string(channels) + " x " +
               std::to_string(height) + " x " + std::to_string(width) + ")");
        value = {1, 1, 1};
    }
    plan_.values.push_back(value);
    return static_cast<int>(plan_.values.size()) - 1;
}

int PlanBuilder::param(const std::string& name, std::vector<int> shape, ParamEntry::Init init, double gain,
                       ParamEntry::Role role) {
    ParamEntry entry;
    entry.name = scope_.empty() ? name : scope_ + "." + name;
    entry.role = role, entry.init = init, entry.gain = gain;
    entry.offset = plan_.param_floats;
    entry.count = 1;
    for (const int size : shape) {
        if (size < 1 || entry.count > kMaxParams / static_cast<std::size_t>(size)) {
            refuse("the layer '" + entry.name + "' would be larger than " + std::to_string(kMaxParams) +
                   " parameters");
            return 0;
        }
        entry.count *= static_cast<std::size_t>(size);
    }
    if (plan_.param_floats + entry.count > kMaxParams) {
        refuse("the network would have more than " + std::to_string(kMaxParams) + " parameters");
        return 0;
    }
    if (plan_.param(entry.name) != nullptr)
        refuse("two parts of the network are called '" + entry.name + "'");
    entry.shape = std::move(shape);
    plan_.param_floats = aligned(entry.offset + entry.count);
    plan_.params.push_back(std::move(entry));
    return static_cast<int>(plan_.params.size()) - 1;
}

int PlanBuilder::append(PlanOp op, int channels, int height, int width) {
    op.output = makeValue(channels, height, width);
    plan_.ops.push_back(std::move(op));
    return plan_.ops.back().output;
}

int PlanBuilder::input(int leaf) {
    const ObsLeaf& spec = plan_.spec.spaces.obs[static_cast<std::size_t>(leaf)];
    PlanOp op{.kind = OpKind::input, .leaf = leaf};
    // 64-bit products: shapes of documents from outside can be anything up to 2^28.
    const auto sized = [&](std::size_t count) {
        if (count <= kMaxValue) return static_cast<int>(count);
        refuse("observation '" + spec.name + "' is too large");
        return 1;
    };
    const auto stack = static_cast<std::size_t>(spec.stack);
    if (spec.kind == ObsLeaf::Kind::image) {
        if (!(spec.high > 0)) refuse("image '" + spec.name + "' needs an upper bound above 0");
        return append(op, sized(stack * static_cast<std::size_t>(spec.shape[0])), spec.shape[1],
                      spec.shape[2]);
    }
    std::size_t count = spec.elements() * stack;
    if (spec.kind == ObsLeaf::Kind::discrete) count *= static_cast<std::size_t>(spec.cardinality);
    return append(op, sized(count));
}

int PlanBuilder::normalise(int x, const std::string& name) {
    const auto size = static_cast<int>(value(x).size());
    PlanOp op{.kind = OpKind::normalise, .inputs = {x}, .clip = plan_.spec.normalise_clip};
    constexpr auto buffer = ParamEntry::Role::buffer;
    op.params = {param(name + ".mean", {size}, ParamEntry::Init::zero, 0, buffer),
                 param(name + ".var", {size}, ParamEntry::Init::one, 1, buffer),
                 param(name + ".count", {1}, ParamEntry::Init::zero, 0, buffer)};
    return append(std::move(op), size);
}

int PlanBuilder::previousAction() {
    int width = 0;
    for (const ActionLeaf& leaf : plan_.spec.spaces.actions)
        width += leaf.kind == ActionLeaf::Kind::discrete ? leaf.n : leaf.words();
    return append({.kind = OpKind::previous_action}, width);
}

int PlanBuilder::previousReward() { return append({.kind = OpKind::previous_reward}, 1); }

int PlanBuilder::linear(int x, const std::string& name, int out, double gain, Activation activation,
                        double bias) {
    PlanOp op{.kind = OpKind::linear, .inputs = {x}, .activation = activation};
    op.params = {
        param(name + ".weight", {out, static_cast<int>(value(x).size())}, ParamEntry::Init::orthogonal, gain),
        param(name + ".bias", {out}, bias == 0 ? ParamEntry::Init::zero : ParamEntry::Init::constant, bias)};
    return append(std::move(op), out);
}

int PlanBuilder::conv2d(int x, const std::string& name, int channels, int kernel, int stride, int pad,
                        double gain, Activation activation) {
    const PlanValue from = value(x);
    const int height = slid(from.height, kernel, stride, pad), width = slid(from.width, kernel, stride, pad);
    if (height == 0 || width == 0)
        refuse("an image of " + std::to_string(from.width) + " x " + std::to_string(from.height) +
               " pixels is too small for '" + scope_ + "." + name + "', which looks at " +
               std::to_string(kernel) + " x " + std::to_string(kernel));
    PlanOp op{.kind = OpKind::conv2d,
              .inputs = {x},
              .activation = activation,
              .kernel = kernel,
              .stride = stride,
              .pad = pad};
    op.params = {param(name + ".weight", {channels, from.channels, kernel, kernel},
                       ParamEntry::Init::orthogonal, gain),
                 param(name + ".bias", {channels}, ParamEntry::Init::zero, 0)};
    return append(std::move(op), channels, height, width);
}

int PlanBuilder::layerNorm(int x, const std::string& name, Activation activation) {
    const PlanValue from = value(x);
    const auto size = static_cast<int>(from.size());
    PlanOp op{.kind = OpKind::layer_norm, .inputs = {x}, .activation = activation};
    op.params = {param(name + ".gain", {size}, ParamEntry::Init::one, 1),
                 param(name + ".bias", {size}, ParamEntry::Init::zero, 0)};
    return append(std::move(op), from.channels, from.height, from.width);
}

int PlanBuilder::activation(int x, Activation activation) {
    const PlanValue from = value(x);
    return append({.kind = OpKind::activation, .inputs = {x}, .activation = activation}, from.channels,
                  from.height, from.width);
}

int PlanBuilder::maxPool(int x, int kernel, int stride, int pad) {
    const PlanValue from = value(x);
    SEEDBED_CHECK(pad < kernel, "every pooling window must hold a pixel");
    return append({.kind = OpKind::max_pool, .inputs = {x}, .kernel = kernel, .stride = stride, .pad = pad},
                  from.channels, slid(from.height, kernel, stride, pad),
                  slid(from.width, kernel, stride, pad));
}

int PlanBuilder::add(int x, int y) {
    const PlanValue from = value(x);
    if (from.size() != value(y).size()) refuse("the two inputs of an addition differ in size");
    return append({.kind = OpKind::add, .inputs = {x, y}}, from.channels, from.height, from.width);
}

int PlanBuilder::concat(const std::vector<int>& inputs) {
    SEEDBED_CHECK(!inputs.empty());
    if (inputs.size() == 1) return inputs[0];
    std::size_t size = 0;
    for (const int x : inputs) size += value(x).size();
    return append({.kind = OpKind::concat, .inputs = inputs},
                  static_cast<int>(std::min(size, kMaxValue + 1)));
}

int PlanBuilder::recurrent(OpKind kind, int x, const std::string& name, int size, int gates) {
    if (size < 1 || size > (1 << 16)) {
        refuse("the size of the recurrent core is outside 1 to 65536");
        return x;
    }
    PlanOp op{.kind = kind, .inputs = {x}, .state_offset = plan_.state_words};
    op.params = {param(name + ".weight_ih", {gates * size, static_cast<int>(value(x).size())},
                       ParamEntry::Init::orthogonal, 1),
                 param(name + ".weight_hh", {gates * size, size}, ParamEntry::Init::orthogonal, 1),
                 param(name + ".bias_ih", {gates * size}, ParamEntry::Init::zero, 0),
                 param(name + ".bias_hh", {gates * size}, ParamEntry::Init::zero, 0)};
    plan_.state_words += kind == OpKind::lstm ? 2 * size : size;
    return append(std::move(op), size);
}

int PlanBuilder::lstm(int x, const std::string& name, int size) {
    return recurrent(OpKind::lstm, x, name, size, 4);
}
int PlanBuilder::gru(int x, const std::string& name, int size) {
    return recurrent(OpKind::gru, x, name, size, 3);
}

int PlanBuilder::parameterRows(const std::string& name, int width, double initial) {
    PlanOp op{.kind = OpKind::parameter_rows};
    op.params = {
        param(name, {width}, initial == 0 ? ParamEntry::Init::zero : ParamEntry::Init::constant, initial)};
    return append(std::move(op), width);
}

int PlanBuilder::dueling(int value_index, int advantage) {
    SEEDBED_CHECK(value(value_index).size() == 1);
    return append({.kind = OpKind::dueling, .inputs = {value_index, advantage}},
                  static_cast<int>(value(advantage).size()));
}

void PlanBuilder::head(const std::string& name, const std::string& kind, int x) {
    if (plan_.head(name) != nullptr) refuse("two heads are called '" + name + "'");
    const auto width = static_cast<int>(value(x).size());
    plan_.heads.push_back({name, kind, plan_.head_words, width, x});
    plan_.head_words += width;
}

Result<NetPlan> PlanBuilder::finish() {
    if (!refusal_.empty()) return fail(ErrorCode::config, refusal_);
    return std::move(plan_);
}

}  // namespace seedbed
