// SPDX-License-Identifier: Apache-2.0
// Gathers a chunk's rows, runs the networks on them, and propagates gradients.
#include "core/learn/chunk_worker.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>

#include "core/algo/returns.hpp"
#include "core/base/finite.hpp"
#include "core/learn/size.hpp"
#include "core/rollout/gather.hpp"

namespace seedbed {
namespace {

template <class T>
void grow(std::vector<T>& values, std::size_t count) {
    if (values.size() < count) values.resize(count);
}

// Adds the time from construction to destruction to `seconds`.
class Stopwatch {
public:
    explicit Stopwatch(double& seconds) : seconds_(seconds), begin_(std::chrono::steady_clock::now()) {}
    ~Stopwatch() {
        seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    double& seconds_;
    std::chrono::steady_clock::time_point begin_;
};

std::string describe(const RowRef& element) {
    return "row " + std::to_string(element.t) + ", column " + std::to_string(element.column) + " of group " +
           std::to_string(element.group);
}

template <class T>
void gatherField(std::vector<T>& to, const std::vector<T>& from, std::span<const std::uint32_t> rows,
                 int words, T bootstrap) {
    const std::size_t width = size(words), limit = width == 0 ? 0 : from.size() / width;
    grow(to, rows.size() * width);
    if (width == 1) {
        for (std::size_t i = 0; i < rows.size(); ++i) to[i] = rows[i] < limit ? from[rows[i]] : bootstrap;
        return;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        T* out = to.data() + i * width;
        if (rows[i] < limit) std::copy_n(from.data() + rows[i] * width, width, out);
        else std::fill_n(out, width, bootstrap);
    }
}

}  // namespace

ChunkWorker::ChunkWorker(const std::vector<LearnerNet>& nets)
    : nets_(nets),
      spaces_(nets[0].engine->plan().spec.spaces),
      state_words_(nets[0].engine->plan().state_words) {
    for (const LearnerNet& net : nets_) {
        contexts_.push_back(net.engine->context());
        const NetPlan& plan = net.engine->plan();
        recurrent_ |= plan.state_words > 0;
        stored_.push_back(plan.spec == nets_[0].engine->plan().spec);
        previous_ |= hasOp(plan, "previous_action") || hasOp(plan, "previous_reward");
    }
    obs_.resize(spaces_.obs.size());
    successor_obs_.resize(obs_.size());
    heads_.resize(nets_.size());
    gradients_.resize(nets_.size());
    panel_.resize(nets_.size());
    passes.resize(nets_.size());
    head_rows_.resize(nets_.size());
    burned_.resize(nets_.size());
    burned_state_.resize(nets_.size());
    input_gradient_.resize(nets_.size());
    successor_panel_.resize(nets_.size());
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        // Includes the action if it is an input.
        const std::size_t leaves = nets_[net].engine->plan().spec.spaces.obs.size();
        successor_panel_[net].obs.resize(leaves);
        input_gradient_[net].resize(leaves);
    }
}

void ChunkWorker::begin(const BatchSource& source, const Batch& batch, int sequences, int burn_in) {
    const Stopwatch watch(seconds.gather);
    source_ = &source;
    batch_ = &batch;
    sequences_ = sequences;
    burn_in_ = size(burn_in) * size(sequences);
    burned_.assign(burned_.size(), false);
    loaded_ = 0;
    successors_loaded_ = false;
    grow(refs_, rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) refs_[i] = source.ref(rows_[i]);
}

Result<> ChunkWorker::load(std::size_t count) {
    const Stopwatch watch(seconds.gather);
    if (loaded_ >= count) return {};
    SEEDBED_TRY(gather(refs_, count, obs_));
    if (recurrent_ || previous_) loadRecurrent(count);
    loaded_ = count;
    return {};
}

// The loaded rows [begin, begin + count) as inputs of a network.
Rows ChunkWorker::panelOf(std::size_t net, std::size_t begin, std::size_t count) {
    const NetPlan& plan = nets_[net].engine->plan();
    const bool unrolled = plan.state_words > 0;
    Rows panel = std::move(panel_[net]);
    panel.sequences = unrolled ? sequences_ : static_cast<int>(count);
    panel.steps = unrolled ? static_cast<int>(count) / sequences_ : 1;
    panel.obs.resize(plan.spec.spaces.obs.size());  // includes the action if it is an input
    for (std::size_t leaf = 0; leaf < obs_.size(); ++leaf)
        panel.obs[leaf] =
            obs_[leaf].data() + begin * spaces_.obs[leaf].bytes() * size(spaces_.obs[leaf].stack);
    panel.first = recurrent_ ? first_.data() + begin : nullptr;
    panel.previous_action =
        previous_ ? previous_action_.data() + begin * size(batch_->action_words) : nullptr;
    panel.previous_reward = previous_ ? previous_reward_.data() + begin : nullptr;
    if (!unrolled) return panel;
    // Rings store the states of the acting network. A network with a different structure starts with zeros.
    if (burned_[net]) {
        panel.state = burned_state_[net].data();
    } else if (stored_[net]) {
        panel.state = state_.data();
    } else {
        zero_state_.assign(std::max(zero_state_.size(), size(sequences_) * size(plan.state_words)), 0.0f);
        panel.state = zero_state_.data();
    }
    return panel;
}

Result<> ChunkWorker::gather(const std::vector<RowRef>& refs, std::size_t rows,
                             std::vector<std::vector<std::uint8_t>>& obs) const {
    for (std::size_t index = 0; index < obs.size(); ++index) {
        const ObsLeaf& leaf = spaces_.obs[index];
        const std::size_t bytes = leaf.bytes() * size(leaf.stack);
        grow(obs[index], rows * bytes);
        source_->gatherLeaf(static_cast<int>(index), refs, rows_, rows, obs[index].data());
        if (leaf.dtype != DType::f32) continue;
        const std::size_t words = bytes / sizeof(float), count = rows * words;
        const std::size_t bad = firstNonFinite(reinterpret_cast<const float*>(obs[index].data()), count);
        if (bad == count) continue;
        return failNonFinite("element " + std::to_string(bad % leaf.elements()) + " of observation '" +
                             leaf.name + "' is not a finite number in " + describe(refs[bad / words]));
    }
    return {};
}

void ChunkWorker::loadRecurrent(std::size_t count) {
    if (previous_) {
        grow(previous_action_, count * size(batch_->action_words));
        grow(previous_reward_, count);
        gatherPrevious(source_->rings(), refs_.data(), count, previous_action_.data(),
                       previous_reward_.data());
    }
    if (!recurrent_) return;
    loadFirst();
    const std::size_t words = size(state_words_);
    grow(state_, size(sequences_) * words);
    for (std::size_t s = 0; s < size(sequences_) && words > 0; ++s) {
        Ring& ring = source_->ring(rows_[s] % static_cast<std::uint32_t>(batch_->columns));
        std::memcpy(state_.data() + s * words, ring.state(refs_[s].t) + size(refs_[s].column) * words,
                    words * sizeof(float));
    }
}

void ChunkWorker::loadFirst() {
    grow(first_, rows_.size());
    const auto stored = static_cast<std::uint32_t>(batch_->rows());
    for (std::size_t i = 0; i < rows_.size(); ++i)
        first_[i] = rows_[i] < stored ? batch_->first[rows_[i]] : batch_->last_first[rows_[i] - stored];
}

// Finds the successors of the first `count` rows and their masks.
void ChunkWorker::findSuccessors(std::size_t count, int rows_ahead) {
    grow(successors_, count);
    const std::size_t columns = size(batch_->columns), mask_bytes = size(batch_->mask_bytes);
    grow(successor_mask_, count * mask_bytes);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = rows_[burn_in_ + i];
        const NStepReturn step = nStepReturn(batch_->reward.data() + row, batch_->discount.data() + row,
                                             batch_->valid.data() + row, columns, rows_ahead, 1);
        RowRef& ref = successors_[i] = refs_[burn_in_ + i];
        ref.t += static_cast<std::uint64_t>(step.rows);
        if (mask_bytes == 0) continue;
        Ring& ring = source_->ring(row % columns);
        std::memcpy(successor_mask_.data() + i * mask_bytes, ring.mask(ref.t) + size(ref.column) * mask_bytes,
                    mask_bytes);
    }
}

// Also loads the rows of the chunk that follow the burn-in.
Result<> ChunkWorker::burnIn(std::size_t net, const Params& params) {
    const NetPlan& plan = nets_[net].engine->plan();
    SEEDBED_CHECK(plan.state_words > 0, "only recurrent networks have a burn-in");
    SEEDBED_TRY(load(rows_.size()));
    burned_[net] = false;
    head_rows_[net] = burn_in_;
    panel_[net] = panelOf(net, 0, burn_in_);
    // An action has no effect on the state (buildPlan()).
    const bool has_action = plan.spec.action_input;
    if (has_action) no_action_.assign(std::max(no_action_.size(), burn_in_ * actionWords()), 0.0f);
    grow(burned_state_[net], size(sequences_) * size(plan.state_words));
    SEEDBED_TRY(run(net, params, panel_[net],
                    {.refs = refs_.data(),
                     .action = has_action ? no_action_.data() : nullptr,
                     .state = burned_state_[net].data()},
                    Keep::nothing));
    burned_[net] = true;
    return {};
}

Result<> ChunkWorker::forward(std::size_t net, const Params& params, std::size_t rows, Keep keep,
                              const float* action) {
    SEEDBED_CHECK(burn_in_ == 0 || burned_[net] || nets_[net].engine->plan().state_words == 0,
                  "a recurrent network skips its burn-in");
    SEEDBED_TRY(load(burn_in_ + rows));
    head_rows_[net] = rows;
    panel_[net] = panelOf(net, burn_in_, rows);
    return run(net, params, panel_[net], {.refs = refs_.data() + burn_in_, .action = action}, keep);
}

Result<> ChunkWorker::forwardSuccessors(std::size_t net, const Params& params, std::size_t rows,
                                        const float* action) {
    const NetPlan& plan = nets_[net].engine->plan();
    SEEDBED_CHECK(plan.state_words == 0 && !previous_, "successors are for networks without memory");
    Rows& panel = successor_panel_[net];
    panel.sequences = static_cast<int>(rows);
    if (!successors_loaded_) {
        const Stopwatch watch(seconds.gather);
        SEEDBED_TRY(gather(successors_, rows, successor_obs_));
        successors_loaded_ = true;
    }
    for (std::size_t leaf = 0; leaf < successor_obs_.size(); ++leaf)
        panel.obs[leaf] = successor_obs_[leaf].data();
    head_rows_[net] = rows;
    return run(net, params, panel, {.refs = successors_.data(), .action = action}, Keep::nothing);
}

Result<> ChunkWorker::run(std::size_t net, const Params& params, Rows& panel, const Pass& pass, Keep keep) {
    const Stopwatch watch(seconds.forward);
    const NetPlan& plan = nets_[net].engine->plan();
    SEEDBED_CHECK(plan.spec.action_input == (pass.action != nullptr),
                  "an action is given if and only if it is an input");
    passes[net].forward += head_rows_[net];
    if (pass.action != nullptr) panel.obs.back() = reinterpret_cast<const std::uint8_t*>(pass.action);
    const std::size_t words = size(plan.head_words), count = head_rows_[net] * words;
    grow(heads_[net], count);
    SEEDBED_TRY(contexts_[net]->run(params, panel, {.heads = heads_[net].data(), .state = pass.state}, keep));
    const std::size_t bad = firstNonFinite(heads_[net].data(), count);
    if (bad == count) return {};
    std::string head = "?";
    const int column = static_cast<int>(bad % words);
    for (const PlanHead& candidate : plan.heads)
        if (column >= candidate.begin && column < candidate.begin + candidate.width) head = candidate.name;
    return failNonFinite("head '" + head + "' of network '" + nets_[net].decl.name +
                         "' is not a finite number for " + describe(pass.refs[bad / words]));
}

Result<> ChunkWorker::backward(std::size_t net, const float* gradients, const LaneRef& lane,
                               float* d_action) {
    const Stopwatch watch(seconds.backward);
    SEEDBED_CHECK(d_action == nullptr || nets_[net].engine->plan().spec.action_input);
    input_gradient_[net].back() = d_action;
    const std::vector<float*>* inputs = d_action == nullptr ? nullptr : &input_gradient_[net];
    const bool is_graded = lane.host != nullptr || lane.device != nullptr;
    (is_graded ? passes[net].backward : passes[net].action_only) += head_rows_[net];
    NetContext& context = *contexts_[net];
    if (lane.device != nullptr) return lane.device->backward(context, gradients, lane.index, inputs);
    return context.backward(gradients, lane.host, inputs);
}

const float* ChunkWorker::zeroHeads(std::size_t net, std::size_t rows) {
    const std::size_t count = rows * size(nets_[net].engine->plan().head_words);
    grow(heads_[net], count);
    std::fill_n(heads_[net].begin(), count, 0.0f);
    head_rows_[net] = rows;
    return heads_[net].data();
}

float* ChunkWorker::clearedGradients(std::size_t net) {
    const std::size_t count = head_rows_[net] * size(nets_[net].engine->plan().head_words);
    grow(gradients_[net], count);
    std::fill_n(gradients_[net].begin(), count, 0.0f);
    return gradients_[net].data();
}

Chunk ChunkWorker::chunk(int rows_ahead, bool successors) {
    const Stopwatch watch(seconds.gather);
    const Batch& batch = *batch_;
    const auto rows = std::span<const std::uint32_t>(rows_).subspan(burn_in_);
    gatherField(action_, batch.action, rows, batch.action_words, 0.0f);
    gatherField(policy_, batch.policy, rows, batch.policy_words, 0.0f);
    gatherField(mask_, batch.mask, rows, batch.mask_bytes, std::uint8_t{1});
    gatherField(log_prob_, batch.log_prob, rows, 1, 0.0f);
    gatherField(value_, batch.value, rows, 1, 0.0f);
    gatherField(reward_, batch.reward, rows, 1, 0.0f);
    gatherField(discount_, batch.discount, rows, 1, 0.0f);
    gatherField(valid_, batch.valid, rows, 1, std::uint8_t{0});
    loadFirst();
    if (!batch.advantage.empty()) gatherField(advantage_, batch.advantage, rows, 1, 0.0f);
    if (!batch.weight.empty()) {
        grow(weight_, size(sequences_));
        for (std::size_t s = 0; s < size(sequences_); ++s)
            weight_[s] = batch.weight[rows_[s] % size(batch.columns)];
    }
    if (!batch.target.empty()) gatherField(target_, batch.target, rows, 1, 0.0f);
    if (!batch.second_target.empty()) gatherField(second_target_, batch.second_target, rows, 1, 0.0f);

    Chunk chunk;
    chunk.sequences = sequences_;
    chunk.steps = static_cast<int>(rows.size()) / sequences_;
    chunk.burn_in = static_cast<int>(burn_in_) / sequences_;
    chunk.learned = chunk.steps - rows_ahead;
    if (successors) {
        findSuccessors(size(chunk.learned) * size(sequences_), rows_ahead);
        chunk.successor_mask = batch.mask_bytes > 0 ? successor_mask_.data() : nullptr;
    }
    chunk.value_scale = batch.value_scale;
    chunk.weight = batch.weight.empty() ? nullptr : weight_.data();
    chunk.refs = refs_.data();
    chunk.action = action_.data();
    chunk.policy = policy_.data();
    chunk.mask = batch.mask_bytes > 0 ? mask_.data() : nullptr;
    chunk.log_prob = log_prob_.data();
    chunk.value = value_.data();
    chunk.reward = reward_.data();
    chunk.discount = discount_.data();
    chunk.valid = valid_.data();
    chunk.first = first_.data() + burn_in_;
    chunk.advantage = batch.advantage.empty() ? nullptr : advantage_.data();
    chunk.target = batch.target.empty() ? nullptr : target_.data();
    chunk.second_target = batch.second_target.empty() ? nullptr : second_target_.data();
    return chunk;
}

std::size_t ChunkWorker::bytes(const std::vector<NetPlan>& nets, const std::vector<NetworkDecl>& decls,
                               const std::string& engine, std::size_t rows, int steps) {
    const NetPlan& acting = nets[0];
    const Spaces& spaces = acting.spec.spaces;
    const PlanHead* policy = acting.head("policy");
    std::size_t row = sizeof(RowRef) + sizeof(std::uint32_t);
    for (const ObsLeaf& leaf : spaces.obs) row += leaf.bytes() * size(leaf.stack);
    row += sizeof(float) * (2 * size(spaces.actionWords()) + size(acting.state_words) + 8 +
                            (policy == nullptr ? 0 : size(policy->width))) +
           size(spaces.maskBytes()) + 2;
    std::size_t contexts = 0;
    for (std::size_t net = 0; net < nets.size(); ++net) {
        row += sizeof(float) * 2 * size(nets[net].head_words);
        contexts +=
            contextBytes(engine, nets[net], rows, steps, decls[net].trained ? Keep::tape : Keep::nothing);
    }
    return row * rows + contexts;
}

}  // namespace seedbed
