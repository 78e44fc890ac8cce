// SPDX-License-Identifier: Apache-2.0
#include "core/play/inspector.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/infer/joined_params.hpp"
#include "core/nn/acting_head.hpp"
#include "core/rollout/gather.hpp"

namespace seedbed {
namespace {

// The operation that normalises leaf `leaf`, or null.
const PlanOp* normaliserOfLeaf(const NetPlan& plan, std::size_t leaf) {
    for (const PlanOp& op : plan.ops) {
        if (op.kind != "normalise") continue;
        for (const PlanOp& source : plan.ops)
            if (source.output == op.inputs[0] && source.leaf == static_cast<int>(leaf)) return &op;
    }
    return nullptr;
}

// The standard deviation by which element i is divided.
float deviationOf(const NetPlan& plan, const PlanOp& op, const Params& params, std::size_t i) {
    return std::sqrt(params.at(plan.params[static_cast<std::size_t>(op.params[1])])[i] + 1e-8F);
}

std::vector<std::uint32_t> shapeOf(const ObsLeaf& leaf, std::size_t size) {
    if (leaf.kind != ObsLeaf::Kind::image) return {static_cast<std::uint32_t>(size)};
    return {static_cast<std::uint32_t>(leaf.stack * leaf.shape[0]), static_cast<std::uint32_t>(leaf.shape[1]),
            static_cast<std::uint32_t>(leaf.shape[2])};
}

}  // namespace

NetPlan planOnNumbers(const NetPlan& plan) {
    NetPlan numbers = plan;
    for (const PlanOp& op : plan.ops) {
        if (op.leaf < 0) continue;
        ObsLeaf& leaf = numbers.spec.spaces.obs[static_cast<std::size_t>(op.leaf)];
        leaf.kind = ObsLeaf::Kind::vector;
        leaf.dtype = DType::f32;
        leaf.stack = 1;
        leaf.shape = {static_cast<int>(plan.values[static_cast<std::size_t>(op.output)].size())};
    }
    return numbers;
}

std::vector<float> networkNumbers(const ObsLeaf& leaf, const std::uint8_t* bytes) {
    const std::size_t count = leaf.elements() * static_cast<std::size_t>(leaf.stack);
    std::vector<float> numbers(count);
    if (leaf.kind == ObsLeaf::Kind::vector) {
        std::memcpy(numbers.data(), bytes, count * sizeof(float));
    } else if (leaf.kind == ObsLeaf::Kind::image) {
        for (std::size_t i = 0; i < count; ++i)
            numbers[i] = static_cast<float>(bytes[i]) / static_cast<float>(leaf.high);
    } else {
        const auto cardinality = static_cast<std::size_t>(leaf.cardinality);
        numbers.assign(count * cardinality, 0.0F);
        for (std::size_t i = 0; i < count; ++i) {
            std::int32_t word = 0;
            std::memcpy(&word, bytes + i * sizeof word, sizeof word);
            if (word >= 0 && word < leaf.cardinality)
                numbers[i * cardinality + static_cast<std::size_t>(word)] = 1;
        }
    }
    return numbers;
}

Inspector::Inspector(std::unique_ptr<EngineNet> net, ActionDistribution distribution, RewardView reward)
    : net_(std::move(net)),
      context_(net_->context()),
      distribution_(std::move(distribution)),
      reward_(reward),
      numbers_(net_->plan().spec.spaces.obs.size()) {}

Result<std::unique_ptr<Inspector>> Inspector::create(const NetPlan& plan, ActionDistribution distribution,
                                                     RewardView reward) {
    // The kernels of `native` for pictures read bytes; plain loops read any numbers.
    const auto& leaves = plan.spec.spaces.obs;
    const bool only_vectors = std::all_of(
        leaves.begin(), leaves.end(), [](const ObsLeaf& leaf) { return leaf.kind == ObsLeaf::Kind::vector; });
    const NetPlan numbers = planOnNumbers(plan);
    auto net = compileNet(only_vectors ? "native" : "reference", numbers, {});
    if (!net) net = compileNet("reference", numbers, {});
    if (!net) return tl::unexpected<Error>(std::move(net).error());
    return std::unique_ptr<Inspector>(new Inspector(std::move(*net), std::move(distribution), reward));
}

void Inspector::readInputs(Ring& ring, int column, const float* state) {
    const std::uint64_t t = ring.head();
    const std::vector<Ring*> rings{&ring};
    const RowRef row{.t = t, .column = column};
    const Spaces& spaces = ring.spec().spaces;
    std::vector<std::uint8_t> bytes;
    for (std::size_t leaf = 0; leaf < spaces.obs.size(); ++leaf) {
        bytes.resize(static_cast<std::size_t>(spaces.obs[leaf].stack) * spaces.obs[leaf].bytes());
        gatherObs(rings, static_cast<int>(leaf), &row, 1, bytes.data());
        numbers_[leaf] = networkNumbers(spaces.obs[leaf], bytes.data());
    }
    first_ = ring.first(t)[column];
    const auto words = static_cast<std::size_t>(net_->plan().state_words);
    if (words > 0) {
        const float* from =
            (state != nullptr ? state : ring.state(t)) + static_cast<std::size_t>(column) * words;
        state_.assign(from, from + words);
    }
    previous_action_.assign(static_cast<std::size_t>(spaces.actionWords()), 0);
    previous_reward_.assign(1, 0);
    gatherPrevious(rings, &row, 1, previous_action_.data(), previous_reward_.data());
    if (!reward_.isIdentity()) previous_reward_[0] = reward_.apply(previous_reward_[0]);
}

void Inspector::readOutputs(const float* heads, const std::uint8_t* mask, Inspection& to) const {
    const NetPlan& plan = net_->plan();
    const PlanHead& acting = *actingHead(plan);
    const float* policy = heads + acting.begin;
    to.shown = shownOf(distribution_, policy, mask);
    if (acting.kind == "q") to.q.assign(policy, policy + acting.width);
    else distribution_.entropy(1, policy, mask, to.action.data(), &to.entropy);
    if (const PlanHead* q = plan.head("q"); to.q.empty() && q != nullptr)
        to.q.assign(heads + q->begin, heads + q->begin + q->width);
    if (const PlanHead* value = plan.head("value")) to.value = heads[value->begin];
}

// The derivative of InspectedLeaf::of_action with respect to the heads.
std::vector<float> Inspector::actionGradient(const Inspection& from) const {
    const NetPlan& plan = net_->plan();
    const PlanHead& acting = *actingHead(plan);
    std::vector<float> gradient(static_cast<std::size_t>(plan.head_words), 0);
    float* to = gradient.data() + acting.begin;
    if (acting.kind == "q") {
        to[static_cast<std::size_t>(from.action[0])] = 1;
        return gradient;
    }
    // log p(a) has the derivative [i = a] - p(i) for the logits of a discrete leaf.
    std::size_t param = 0, word = 0;
    for (const ActionLeaf& leaf : distribution_.spaces().actions) {
        if (leaf.kind == ActionLeaf::Kind::discrete) {
            for (std::size_t i = 0; i < static_cast<std::size_t>(leaf.n); ++i)
                to[param + i] =
                    (static_cast<float>(i) == from.action[word] ? 1.0F : 0.0F) - from.shown[param + i];
            param += static_cast<std::size_t>(leaf.n);
        } else {
            std::fill_n(to + param, leaf.low.size(), 1.0F);
            param += 2 * leaf.low.size();
        }
        word += static_cast<std::size_t>(leaf.words());
    }
    return gradient;
}

Result<> Inspector::addSaliency(const std::vector<float>& head_gradients, bool of_value, const Params& params,
                                Inspection& to) {
    const NetPlan& plan = net_->plan();
    std::vector<float*> inputs;
    for (InspectedLeaf& leaf : to.leaves) {
        std::vector<float>& saliency = of_value ? leaf.of_value : leaf.of_action;
        saliency.assign(leaf.seen.size(), 0);
        inputs.push_back(saliency.data());
    }
    SEEDBED_TRY(context_->backward(head_gradients.data(), nullptr, &inputs));
    for (std::size_t leaf = 0; leaf < to.leaves.size(); ++leaf) {
        const PlanOp* normaliser = normaliserOfLeaf(plan, leaf);
        if (normaliser == nullptr) continue;
        std::vector<float>& saliency = of_value ? to.leaves[leaf].of_value : to.leaves[leaf].of_action;
        for (std::size_t i = 0; i < saliency.size(); ++i)
            saliency[i] *= deviationOf(plan, *normaliser, params, i);
    }
    return {};
}

void Inspector::addLeaves(const Params& params, const Spaces& spaces, Inspection& to) const {
    const NetPlan& plan = net_->plan();
    for (std::size_t leaf = 0; leaf < numbers_.size(); ++leaf) {
        InspectedLeaf& seen = to.leaves.emplace_back();
        seen.name = spaces.obs[leaf].name;
        seen.seen = numbers_[leaf];
        seen.shape = shapeOf(spaces.obs[leaf], seen.seen.size());
        const PlanOp* normaliser = normaliserOfLeaf(plan, leaf);
        if (normaliser == nullptr) continue;
        seen.normalised = true;
        const float* mean = params.at(plan.params[static_cast<std::size_t>(normaliser->params[0])]);
        const auto clip = static_cast<float>(normaliser->clip);
        for (std::size_t i = 0; i < seen.seen.size(); ++i)
            seen.seen[i] =
                std::clamp((seen.seen[i] - mean[i]) / deviationOf(plan, *normaliser, params, i), -clip, clip);
    }
}

// The fields of the ring's row, and the parts of it that the network reads.
void Inspector::addRow(Ring& ring, int column, Inspection& to) const {
    const NetPlan& plan = net_->plan();
    const Spaces& spaces = ring.spec().spaces;
    const std::uint64_t t = ring.head();
    const auto words = static_cast<std::size_t>(spaces.actionWords()),
               bytes = static_cast<std::size_t>(spaces.maskBytes());
    const float* action = ring.action(t) + static_cast<std::size_t>(column) * words;
    to.action.assign(action, action + words);
    if (bytes > 0) {
        const std::uint8_t* mask = ring.mask(t) + static_cast<std::size_t>(column) * bytes;
        to.mask.assign(mask, mask + bytes);
    }
    if (plan.state_words > 0) to.state_before = first_ != 0 ? std::vector<float>(state_.size()) : state_;
    if (hasOp(plan, "previous_action")) to.previous_action = previous_action_;
    if (hasOp(plan, "previous_reward")) to.previous_reward = previous_reward_;
}

Result<Inspection> Inspector::look(const Params& params, Ring& ring, int column, const float* state) {
    const NetPlan& plan = net_->plan();
    readInputs(ring, column, state);
    Rows rows;
    rows.sequences = 1;
    rows.first = &first_;
    for (const std::vector<float>& leaf : numbers_)
        rows.obs.push_back(reinterpret_cast<const std::uint8_t*>(leaf.data()));
    if (plan.state_words > 0) rows.state = state_.data();
    rows.previous_action = previous_action_.data();
    rows.previous_reward = previous_reward_.data();
    Inspection found;
    found.weights_version = params.version();
    addRow(ring, column, found);
    std::vector<float> heads(static_cast<std::size_t>(plan.head_words));
    if (plan.state_words > 0) found.state_after.resize(static_cast<std::size_t>(plan.state_words));
    const Outputs out{heads.data(), found.state_after.empty() ? nullptr : found.state_after.data()};
    SEEDBED_TRY(context_->run(params, rows, out, Keep::tape));
    readOutputs(heads.data(), found.mask.empty() ? nullptr : found.mask.data(), found);
    addLeaves(params, ring.spec().spaces, found);
    SEEDBED_TRY(addSaliency(actionGradient(found), false, params, found));
    const PlanHead* value = plan.head("value");
    if (value == nullptr) return found;
    std::vector<float> gradient(heads.size(), 0);
    gradient[static_cast<std::size_t>(value->begin)] = 1;
    SEEDBED_TRY(addSaliency(gradient, true, params, found));
    return found;
}

std::vector<float> shownOf(const ActionDistribution& distribution, const float* policy,
                           const std::uint8_t* mask) {
    std::vector<float> shown;
    for (const ActionLeaf& leaf : distribution.spaces().actions) {
        if (leaf.kind == ActionLeaf::Kind::discrete) {
            const auto n = static_cast<std::size_t>(leaf.n);
            const bool masked = mask != nullptr && std::any_of(mask, mask + n, [](std::uint8_t allowed) {
                                    return allowed != 0;
                                });
            const auto allowed = [&](std::size_t i) { return !masked || mask[i] != 0; };
            float largest = -INFINITY;
            double sum = 0;
            for (std::size_t i = 0; i < n; ++i)
                if (allowed(i)) largest = std::max(largest, policy[i]);
            std::vector<double> weights(n);
            for (std::size_t i = 0; i < n; ++i)
                sum += weights[i] = allowed(i) ? std::exp(static_cast<double>(policy[i] - largest)) : 0.0;
            for (const double weight : weights) shown.push_back(static_cast<float>(weight / sum));
            policy += n;
            if (mask != nullptr) mask += n;
            continue;
        }
        // Means and deviations in the unit of the action. For a squashed Gaussian, the deviation is half the
        // distance between the squashed mean + deviation and mean - deviation.
        const std::size_t dims = leaf.low.size();
        std::vector<float> deviations;
        for (std::size_t d = 0; d < dims; ++d) {
            const double mean = policy[d], deviation = std::exp(static_cast<double>(policy[dims + d]));
            const bool squash = distribution.squash();
            const auto [centre, half] = squash || leaf.scaled ? rangeOf(leaf, d) : ActionRange{};
            shown.push_back(static_cast<float>(centre + half * (squash ? std::tanh(mean) : mean)));
            deviations.push_back(static_cast<float>(
                half *
                (squash ? (std::tanh(mean + deviation) - std::tanh(mean - deviation)) / 2 : deviation)));
        }
        shown.insert(shown.end(), deviations.begin(), deviations.end());
        policy += 2 * dims;
    }
    return shown;
}

void RowInspections::prepare(const SeatPlayer& player, Network& network) {
    if (network.inspector || !network.problem.empty()) return;
    if (player.net) {
        auto made = Inspector::create(player.net->plan(), player.distribution, player.reward);
        if (made) network.inspector = std::move(*made);
        else network.problem = made.error().text();
    } else if (player.scripted.empty()) {
        network.problem = "there is no policy, only recorded actions";
    } else {
        network.problem = "the seat is played by '" + player.scripted + "', which has no network";
    }
}

// Of the game's current row.
std::vector<std::byte> RowInspections::inspect(Player& game, int column, const Params& params,
                                               const Subject& subject) {
    const SeatPlayer& player = game.playerOf(subject.agent);
    const bool is_rival = game.isRival(subject.agent);
    Network& network = networks_[is_rival ? 1 : 0];
    prepare(player, network);
    Inspection found;
    found.unavailable = network.problem;
    if (network.inspector) {
        const std::vector<std::uint16_t>& of_seat = player.policies.of_seat;
        const auto seat = static_cast<std::size_t>(subject.agent);
        const Params& all = is_rival ? player.params : params;
        auto looked = network.inspector->look(
            of_seat.empty() ? all
                            : partOf(all, of_seat[seat], std::size_t{1} + *std::ranges::max_element(of_seat)),
            game.ring(), column, game.stateBefore(subject.agent).data());
        if (looked) found = std::move(*looked);
        else found.unavailable = looked.error().text();
        ++count_;
    }
    found.generation = subject.generation;
    found.row = game.row();
    found.env = static_cast<std::uint32_t>(subject.cell);
    found.agent = static_cast<std::uint32_t>(subject.agent);
    return encodeInspection(found);
}

Result<> RowInspections::show(Stage& stage, const Params& params, PlayerHistory& history,
                              const Subject& subject) {
    const StoredRow& shown = history.shown();
    const bool fits = !shown.inspection.empty() && shown.inspected_cell == subject.cell &&
                      shown.inspected_agent == subject.agent;
    const bool is_newest = shown.row == stage.player().row();
    const std::uint64_t version = params.empty() ? 0 : params.version();
    if (!fits && !is_newest && (shown.moment.empty() || shown.weights_version != version)) {
        Inspection missing;
        missing.generation = subject.generation;
        missing.row = shown.row;
        missing.unavailable =
            shown.moment.empty()
                ? "the state of this row is not stored, so that only inspections made when it was played "
                  "exist"
                : "this row was played with earlier weights, before the inspection of this agent began";
        return stream_.publish(encodeInspection(missing), {});
    }
    if (!fits && !is_newest) {
        SEEDBED_ASSIGN(const std::vector<PlayerCell> cells, decodeCells(shown.cells));
        SEEDBED_ASSIGN(Player * game, stage.lookAt(shown.moment, cells, subject.cell, params));
        // Not stored: the inspections of all rows would displace rows.
        return stream_.publish(inspect(*game, stage.columnOf(subject.cell, subject.agent), params, subject),
                               {});
    }
    if (!fits) history.setInspection(inspect(stage, params, subject), subject.cell, subject.agent);
    return stream_.publish(history.shown().inspection, {});
}

}  // namespace seedbed
