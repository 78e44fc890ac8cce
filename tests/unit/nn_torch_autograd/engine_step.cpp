// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/nn_torch_autograd/engine_step.hpp"

#include <algorithm>

#include "core/nn/net_spec.hpp"

namespace seedbed::testing_torch {

ReplayChunk::ReplayChunk(const ChunkShape& s, const Spaces& spaces, std::uint64_t seed) : shape(s) {
    Rng rng(seed, RngPurpose::test);
    const std::size_t rows = s.rows(s.learned + s.ahead), last = s.rows(s.learned + s.ahead - 1);
    for (std::size_t row = 0; row < rows; ++row) {
        // The last row only has an observation; others may be extra rows of truncations, or terminate.
        const bool is_valid = row < last && rng.below(8) != 0;
        valid.push_back(is_valid ? 1 : 0);
        reward.push_back(is_valid ? static_cast<float>(rng.normal()) : 0.0f);
        discount.push_back(is_valid && rng.below(6) != 0 ? 1.0f : 0.0f);
        for (const ActionLeaf& leaf : spaces.actions)
            for (int i = 0; i < leaf.words(); ++i) {
                const auto word = static_cast<std::size_t>(i);
                const double drawn = leaf.kind == ActionLeaf::Kind::box
                                         ? rng.uniform(leaf.low[word], leaf.high[word])
                                         : rng.below(static_cast<std::uint32_t>(leaf.n));
                action.push_back(is_valid ? static_cast<float>(drawn) : 0.0f);
            }
    }
    chunk.sequences = s.sequences;
    chunk.steps = s.learned + s.ahead;
    chunk.learned = s.learned;
    chunk.burn_in = s.burn_in;
    chunk.action = action.data();
    chunk.reward = reward.data();
    chunk.discount = discount.data();
    chunk.valid = valid.data();
    chunk.valid_rows = static_cast<double>(rows);  // as in a minibatch with other chunks
}

EngineStep::EngineStep(const Algorithm& algorithm, const NetworkParams& network, const Spaces& spaces,
                       const ReplayChunk& chunk, const std::string& engine, std::uint64_t seed, double* sums)
    : Step(sums), shape_(chunk.shape) {
    chunk_ = chunk.chunk;
    place_ = Place{.seed = seed, .optimiser_step = 5, .first_row = 3, .columns = 40};
    for (const NetworkDecl& decl : algorithm.networks()) {
        Net net;
        net.decl = decl;
        Spaces seen = spaces;
        if (decl.action_input) seen = withActionInput(std::move(seen)).value();
        NetworkParams own = network;
        if (!decl.memory) own.core = "none";
        NetSpec spec = makeNetSpec(seen, own, decl.heads).value();
        spec.action_input = decl.action_input;
        net.plan = buildPlan(spec).value();
        net.blob = sampleBlob(net.plan, seed + nets_.size());
        net.params = Params(net.blob, 1);
        // All networks get the same observations and episode ends, but separate states.
        Rng rng(seed, RngPurpose::test, 1);
        net.panel = samplePanel(net.plan, shape_.sequences, shape_.steps(), rng);
        if (!nets_.empty()) {
            net.panel.obs[0] = nets_[0].panel.obs[0];
            net.panel.first = nets_[0].panel.first;
        }
        if (net.plan.spec != (nets_.empty() ? net : nets_[0]).plan.spec)
            std::fill(net.panel.state.begin(), net.panel.state.end(), 0.0f);
        net.engine = compileNet(engine, net.plan, {}).value();
        net.context = net.engine->context();
        net.lane.assign(net.plan.param_floats, 0.0f);
        nets_.push_back(std::move(net));
    }
}

Step::Heads EngineStep::forward(std::size_t index, const Inputs& inputs, Keep keep) {
    Net& net = nets_[index];
    const bool is_burn_in = inputs.part == Part::burn_in;
    int begin = shape_.burn_in, steps = shape_.learned;
    if (is_burn_in) {
        begin = 0;
        steps = shape_.burn_in;
    }
    if (inputs.part == Part::all) steps += shape_.ahead;
    if (inputs.part == Part::successors) ++begin;
    const std::size_t from = shape_.rows(begin);
    net.count = shape_.rows(steps);
    const bool unrolled = net.plan.state_words > 0;
    Rows rows = net.panel.rows();
    rows.sequences = unrolled ? shape_.sequences : static_cast<int>(net.count);
    rows.steps = unrolled ? steps : 1;
    for (std::size_t leaf = 0; leaf < rows.obs.size(); ++leaf)
        rows.obs[leaf] += from * net.plan.spec.spaces.obs[leaf].bytes();
    if (net.decl.action_input) {
        net.no_action.assign(net.count * static_cast<std::size_t>(net.plan.spec.spaces.actionWords()), 0.0f);
        const float* action = is_burn_in ? net.no_action.data() : inputs.action;
        rows.obs.back() = reinterpret_cast<const std::uint8_t*>(action);
    }
    rows.first += from;
    if (!is_burn_in && !net.burned.empty()) rows.state = net.burned.data();
    const auto words = static_cast<std::size_t>(net.plan.head_words);
    net.heads.resize(net.count * words);
    if (is_burn_in)
        net.burned.resize(static_cast<std::size_t>(shape_.sequences) *
                          static_cast<std::size_t>(net.plan.state_words));
    net.rows = std::move(rows);
    const auto done = net.context->run(
        net.params, net.rows, {.heads = net.heads.data(), .state = is_burn_in ? net.burned.data() : nullptr},
        keep);
    SEEDBED_CHECK(done.has_value(), done.error().text());
    return {&net.plan, net.heads.data(), net.count};
}

float* EngineStep::gradients(std::size_t index) {
    Net& net = nets_[index];
    net.gradients.assign(net.count * static_cast<std::size_t>(net.plan.head_words), 0.0f);
    return net.gradients.data();
}

void EngineStep::backward(std::size_t index, const float* gradients, bool parameters, float* d_action) {
    Net& net = nets_[index];
    SEEDBED_CHECK(!parameters || net.decl.trained);
    std::vector<float*> inputs(net.plan.spec.spaces.obs.size(), nullptr);
    inputs.back() = d_action;
    const auto done = net.context->backward(gradients, parameters ? net.lane.data() : nullptr,
                                            d_action == nullptr ? nullptr : &inputs);
    SEEDBED_CHECK(done.has_value(), done.error().text());
}

}  // namespace seedbed::testing_torch
