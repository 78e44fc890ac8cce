// SPDX-License-Identifier: Apache-2.0
// Operations, shapes and parameter offsets of a plan under construction.
#include "core/nn/plan_builder.hpp"

#include "core/nn/operation.hpp"

namespace seedbed {

namespace {

// Limits that are far larger than any network trained on a desktop, but small enough that sizes cannot
// overflow.
constexpr std::size_t kMaxValue = std::size_t{1} << 27;   // floats of one value, per row
constexpr std::size_t kMaxParams = std::size_t{1} << 30;  // floats of all parameters
// Limit for the numbers of operations and of parameters. The search for a name is linear, so building a plan
// takes quadratic time.
constexpr std::size_t kMaxParts = 4096;
constexpr std::size_t kAlignment = 16;  // floats: one cache line

std::size_t aligned(std::size_t count) { return (count + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

Activation activationFromName(const std::string& name) {
    if (name == "tanh") return Activation::tanh;
    if (name == "relu") return Activation::relu;
    if (name == "elu") return Activation::elu;
    return Activation::none;
}

PlanBuilder::PlanBuilder(const NetSpec& spec) { plan_.spec = spec; }

void PlanBuilder::refuse(const std::string& reason) {
    if (refusal_.empty()) refusal_ = reason.empty() ? "the network is invalid" : reason;
}

int PlanBuilder::makeValue(std::size_t channels, int height, int width) {
    // Divides because products could overflow: sizes in untrusted documents can be up to 2^28.
    const bool fits =
        channels >= 1 && height >= 1 && width >= 1 &&
        channels <= kMaxValue / static_cast<std::size_t>(height) / static_cast<std::size_t>(width);
    if (!fits)
        refuse("a layer of the network would have invalid sizes (" + std::to_string(channels) + " x " +
               std::to_string(height) + " x " + std::to_string(width) + ")");
    plan_.values.push_back(fits ? PlanValue{static_cast<int>(channels), height, width} : PlanValue{1, 1, 1});
    return static_cast<int>(plan_.values.size()) - 1;
}

int PlanBuilder::param(const std::string& name, std::vector<int> shape, ParamEntry::Init init, double gain,
                       ParamEntry::Role role) {
    if (plan_.params.size() >= kMaxParts) {
        refuse("the network would have more than " + std::to_string(kMaxParts) + " layers");
        return 0;
    }
    ParamEntry entry;
    entry.name = scope_.empty() ? name : scope_ + "." + name;
    entry.role = is_fixed_ ? ParamEntry::Role::buffer : role;
    entry.init = init;
    entry.gain = gain;
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

int PlanBuilder::append(PlanOp op, std::size_t channels, int height, int width, int state_words) {
    if (plan_.ops.size() >= kMaxParts) {
        refuse("the network would have more than " + std::to_string(kMaxParts) + " layers");
        return 0;
    }
    op.output = makeValue(channels, height, width);
    if (state_words > 0) op.state_offset = plan_.state_words;
    plan_.state_words += state_words;
    plan_.ops.push_back(std::move(op));
    return plan_.ops.back().output;
}

int PlanBuilder::add(const std::string& kind, const OpSpec& spec) {
    if (const Operation* operation = operationRegistry().find(kind)) return operation->build(*this, spec);
    refuse("there is no operation '" + kind + "'");
    return 0;
}

int PlanBuilder::concat(const std::vector<int>& inputs) {
    SEEDBED_CHECK(!inputs.empty());
    return inputs.size() == 1 ? inputs[0] : add("concat", {.inputs = inputs});
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
