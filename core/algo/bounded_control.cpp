// SPDX-License-Identifier: Apache-2.0
#include "core/algo/bounded_control.hpp"

#include <algorithm>
#include <cmath>

namespace seedbed {
namespace {

// The same leaves with bounds of -1 and 1.
Spaces unitSpaces(Spaces spaces) {
    for (ActionLeaf& leaf : spaces.actions) {
        leaf.low.assign(leaf.low.size(), -1.0);
        leaf.high.assign(leaf.high.size(), 1.0);
    }
    return spaces;
}

}  // namespace

std::size_t learnedRows(const Chunk& chunk) {
    return static_cast<std::size_t>(chunk.learned) * static_cast<std::size_t>(chunk.sequences);
}

bool hasBoundedActions(const Spaces& spaces) {
    return std::ranges::all_of(spaces.actions, [](const ActionLeaf& leaf) {
        if (leaf.kind != ActionLeaf::Kind::box) return false;
        for (std::size_t i = 0; i < leaf.low.size(); ++i)
            if (!std::isfinite(leaf.low[i]) || !std::isfinite(leaf.high[i])) return false;
        return true;
    });
}

AlgorithmDefaults boundedControlDefaults() {
    return {.settings = {{"network", {{"hidden", {256, 256}}, {"activation", "relu"}}},
                         {"optimiser", {{"max_grad_norm", 0}}}},
            .why = "critics of continuous actions need larger networks",
            .steps = 200'000};
}

UnitActions::UnitActions(const Spaces& spaces) : distribution_(unitSpaces(spaces), true) {
    for (const ActionLeaf& leaf : spaces.actions) {
        leaf_words_.push_back(leaf.low.size());
        for (std::size_t i = 0; i < leaf.low.size(); ++i) {
            const ActionRange range = rangeOf(leaf, i);
            centre_.push_back(static_cast<float>(range.centre));
            scale_.push_back(static_cast<float>(1 / range.half));
        }
    }
}

void UnitActions::noise(const Step& step, int draw, float* noise) const {
    const Chunk& chunk = step.chunk();
    for (int t = 0; t < chunk.learned; ++t) {
        distribution_.noise(chunk.sequences, step.key(draw, t), noise);
        noise += static_cast<std::size_t>(chunk.sequences) * words();
    }
}

void UnitActions::fromEnvironment(std::size_t rows, const float* action, float* unit) const {
    const std::size_t count = words();
    for (std::size_t row = 0; row < rows; ++row, action += count, unit += count)
        for (std::size_t i = 0; i < count; ++i) unit[i] = (action[i] - centre_[i]) * scale_[i];
}

std::vector<NetworkDecl> twinNetworks(double tau, int every) {
    const std::vector<HeadSpec> q{{"q", "value", 1, false}};
    const auto target = [&](const char* name, std::size_t of) {
        return NetworkDecl{.name = name,
                           .heads = q,
                           .trained = false,
                           .copy_of = of,
                           .follow = Follow{.of = of, .tau = tau, .every = every},
                           .action_input = true};
    };
    return {{.name = "policy", .heads = {{"policy", "policy", 0, false}}},
            {.name = "critic_1", .heads = q, .action_input = true},
            {.name = "critic_2", .heads = q, .action_input = true},
            target("target_1", TwinNets::critics),
            target("target_2", TwinNets::critics + 1)};
}

void burnIn(Step& step, std::size_t end) {
    if (step.chunk().burn_in == 0) return;
    for (std::size_t net = 0; net < end; ++net)
        step.forward(net, {.part = Step::Part::burn_in}, Keep::nothing);
}

SuccessorActions::SuccessorActions(const Chunk& chunk, std::size_t words, float* memory)
    : all_(memory), before_(static_cast<std::size_t>(chunk.sequences) * words) {
    std::fill_n(all_, before_, 0.0f);  // actions of the first rows, which are not successors
}

std::size_t SuccessorActions::size(const Chunk& chunk, std::size_t words) {
    return (learnedRows(chunk) + static_cast<std::size_t>(chunk.sequences)) * words;
}

const float* forwardSuccessors(Step& step, std::size_t net, const SuccessorActions* actions) {
    const Chunk& chunk = step.chunk();
    const bool is_sequence = chunk.learned > 1;
    const Step::Heads heads = step.forward(net,
                                           {.part = is_sequence ? Step::Part::all : Step::Part::successors,
                                            .action = actions == nullptr ? nullptr : actions->input(chunk)},
                                           Keep::nothing);
    if (!is_sequence) return heads.data;
    return heads.data +
           static_cast<std::size_t>(chunk.sequences) * static_cast<std::size_t>(heads.plan->head_words);
}

void smallestTarget(Step& step, const SuccessorActions& actions, float* smallest) {
    const std::size_t rows = learnedRows(step.chunk());
    for (std::size_t i = 0; i < 2; ++i) {
        const float* q = forwardSuccessors(step, TwinNets::targets + i, &actions);
        for (std::size_t row = 0; row < rows; ++row)
            smallest[row] = i == 0 ? q[row] : std::min(smallest[row], q[row]);
    }
}

void learnCritics(Step& step, const float* action, const float* target, double* sums) {
    const Chunk& chunk = step.chunk();
    const std::size_t rows = learnedRows(chunk);
    for (std::size_t i = 0; i < 2; ++i) {
        const std::size_t net = TwinNets::critics + i;
        const Step::Heads q = step.forward(net, {.action = action}, Keep::tape);
        float* gradients = step.gradients(net);
        for (std::size_t row = 0; row < rows; ++row) {
            if (chunk.valid[row] == 0) continue;
            const double value = q.data[row], error = value - static_cast<double>(target[row]);
            gradients[row] = static_cast<float>(error / chunk.valid_rows);
            sums[0] += 0.5 * error * error;
            if (i > 0) continue;
            sums[1] += value;
            sums[2] += std::abs(error);
        }
        step.backward(net, gradients);
    }
}

}  // namespace seedbed
