// SPDX-License-Identifier: Apache-2.0
// One update from windows to new parameters: gather, prepare, then epochs of minibatches whose chunks run on all threads.
#include "core/learn/learner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "core/base/rng.hpp"
#include "core/learn/batch_gather.hpp"
#include "core/learn/chunk_worker.hpp"
#include "core/learn/lanes.hpp"

namespace seedbed {
namespace {

std::size_t size(int count) { return static_cast<std::size_t>(count); }

using Clock = std::chrono::steady_clock;
double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// [begin, end) of part `index` when `count` things are cut into `parts` nearly equal ones.
struct Part {
    std::size_t begin, end;
    std::size_t size() const { return end - begin; }
};
Part part(std::size_t count, std::size_t parts, std::size_t index) { return {count * index / parts, count * (index + 1) / parts}; }

// Rows of one normaliser merge.
constexpr std::size_t kNormaliserRows = 4096;

// Parameters of one network while learning.
struct NetState {
    std::shared_ptr<std::vector<float>> working;
    Params current;  // shares `working`, with a version for each content
    Params published;
    std::vector<std::shared_ptr<std::vector<float>>> spare;  // blobs published before; reused once nobody holds them
    std::unique_ptr<Optimiser> optimiser;
    Lanes lanes;
};

class LearnerImpl final : public Learner {
public:
    LearnerImpl(std::unique_ptr<Algorithm> algorithm, std::vector<LearnerNet> nets, LearnerOptions options);

    Result<UpdateStats> update(const std::vector<Ring*>& rings, const std::vector<Window>& windows, const Progress& progress,
                               WorkerPool& pool) override;
    Params params(std::size_t index) const override { return states_[index].published; }
    const Algorithm& algorithm() const override { return *algorithm_; }
    std::size_t networkCount() const override { return nets_.size(); }
    const NetworkDecl& network(std::size_t index) const override { return nets_[index].decl; }
    const NetPlan& networkPlan(std::size_t index) const override { return nets_[index].engine->plan(); }
    std::size_t bytesNeeded(int rows, int threads) const override;
    void archive(Archive& archive) override;
    void setParams(std::size_t index, Params params) override;

private:
    // What the tasks of one minibatch share.
    struct Minibatch {
        const std::uint32_t* units = nullptr;  // batch rows, or columns
        std::size_t count = 0;
        std::size_t chunks = 0, lanes = 0;
        double valid_rows = 0, advantage_mean = 0, advantage_std = 1;
    };

    bool learnsColumns() const { return plan_.unit == LearnPlan::Unit::columns || plan_.bootstrap_row || recurrent_; }
    std::size_t columnsPerChunk(int steps) const;
    std::size_t chunksIn(std::size_t units) const;
    void begin(WorkerPool& pool);
    Result<> prepare(const Progress& progress, UpdateStats& stats);
    Result<> evaluate(std::size_t net, bool last_row_only, float* heads);
    Result<> evaluateRows(std::size_t net, std::uint32_t first_row, float* heads);
    Result<> evaluateColumns(std::size_t net, std::uint32_t first_row, float* heads);
    bool collectUnits();
    Result<> permute();
    Result<bool> epoch(int index, const Progress& progress, UpdateStats& stats);
    void describeMinibatch(const std::uint32_t* units, std::size_t count);
    Result<> learnLane(std::size_t lane, ChunkWorker& worker);
    Result<> learnChunk(std::size_t chunk, std::size_t lane, ChunkWorker& worker);
    Result<> step();
    void changed(std::size_t net);
    Result<> updateNormalisers();
    void finish(UpdateStats& stats);
    void publish(std::size_t net);
    double explainedVariance() const;

    std::unique_ptr<Algorithm> algorithm_;
    std::vector<LearnerNet> nets_;
    LearnerOptions options_;
    LearnPlan plan_;
    std::vector<std::string> metrics_;
    std::size_t sums_stride_;  // doubles of one lane's sums, whole cache lines
    bool recurrent_ = false;
    EvaluateNetwork evaluate_network_;

    std::vector<NetState> states_;
    std::uint64_t version_ = 0;  // newest given to any content
    std::uint64_t updates_ = 0;
    bool lanes_dirty_ = false;

    // Of the current update.
    WorkerPool* pool_ = nullptr;
    BatchSource source_;
    Batch batch_;
    std::vector<std::unique_ptr<ChunkWorker>> workers_;
    std::vector<std::uint32_t> units_;               // rows or columns that take part
    std::vector<std::vector<std::uint32_t>> order_;  // per epoch
    Minibatch minibatch_;
    std::vector<double> lane_sums_, minibatch_sums_, total_sums_;
    double total_valid_ = 0, grad_norm_ = 0, learning_rate_ = 0, evaluate_s_ = 0;
    std::vector<float> last_heads_, normaliser_values_;
    std::vector<NetworkState> network_states_;
};

LearnerImpl::LearnerImpl(std::unique_ptr<Algorithm> algorithm, std::vector<LearnerNet> nets, LearnerOptions options)
    : algorithm_(std::move(algorithm)),
      nets_(std::move(nets)),
      options_(std::move(options)),
      plan_(algorithm_->plan()),
      metrics_(algorithm_->metrics()),
      sums_stride_((metrics_.size() + 7) / 8 * 8) {
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        const NetPlan& plan = nets_[net].engine->plan();
        recurrent_ |= plan.state_words > 0;
        NetState& state = states_.emplace_back();
        state.working = std::make_shared<std::vector<float>>(plan.param_floats);
        if (nets_[net].decl.trained) state.optimiser = std::make_unique<Optimiser>(plan, options_.optimiser);
        state.lanes = Lanes(plan.param_floats);
        setParams(net, std::move(nets_[net].params));
        network_states_.push_back({&plan, *state.working});
    }
    minibatch_sums_.resize(metrics_.size()), total_sums_.resize(metrics_.size());
    order_.resize(size(plan_.epochs));
    evaluate_network_ = [this](std::size_t net, std::vector<float>& heads) -> Result<> {
        SEEDBED_CHECK(net < nets_.size(), "no such network");
        heads.resize(size(batch_.steps + 1) * size(batch_.columns) * size(networkPlan(net).head_words));
        const auto begin = Clock::now();
        Result<> result = evaluate(net, false, heads.data());
        evaluate_s_ += since(begin);
        return result;
    };
}

void LearnerImpl::setParams(std::size_t index, Params params) {
    NetState& state = states_[index];
    const auto blob = params.blob();
    SEEDBED_CHECK(blob.size() == networkPlan(index).param_floats, "parameters of another network");
    // In place: finish() holds spans on the working copy.
    std::copy(blob.begin(), blob.end(), state.working->begin());
    // A version stands for one content: one that may have been used gets a new number.
    const bool fresh = state.current.empty() || params.version() > version_;
    version_ = fresh ? std::max(version_, params.version()) : version_ + 1;
    state.current = Params(std::shared_ptr<const std::vector<float>>(state.working), fresh ? params.version() : version_);
    state.published = std::move(params);
    state.spare.clear();
}

std::size_t LearnerImpl::columnsPerChunk(int steps) const {
    return static_cast<std::size_t>(std::max(1L, std::lround(static_cast<double>(options_.chunk_rows) / steps)));
}

std::size_t LearnerImpl::chunksIn(std::size_t units) const {
    const std::size_t per_chunk =
        learnsColumns() ? columnsPerChunk(batch_.steps + (plan_.bootstrap_row ? 1 : 0)) : size(options_.chunk_rows);
    return (units + per_chunk - 1) / per_chunk;
}

void LearnerImpl::begin(WorkerPool& pool) {
    pool_ = &pool;
    while (workers_.size() < size(pool.threads())) workers_.push_back(std::make_unique<ChunkWorker>(nets_));
    for (auto& worker : workers_) worker->seconds = {};
    // An error in the update before left partial sums.
    if (lanes_dirty_)
        for (NetState& state : states_) state.lanes.clear();
    lanes_dirty_ = true;
    std::fill(total_sums_.begin(), total_sums_.end(), 0.0);
    total_valid_ = grad_norm_ = evaluate_s_ = 0;
}

Result<UpdateStats> LearnerImpl::update(const std::vector<Ring*>& rings, const std::vector<Window>& windows, const Progress& progress,
                                        WorkerPool& pool) {
    UpdateStats stats;
    begin(pool);
    auto clock = Clock::now();
    source_.assign(rings, windows);
    SEEDBED_TRY(source_.fill(batch_, pool));
    stats.gather_s += since(clock);
    if (!collectUnits()) {
        lanes_dirty_ = false;
        return stats;
    }
    SEEDBED_TRY(prepare(progress, stats));
    SEEDBED_TRY(permute());

    bool go_on = true;
    for (int index = 0; index < plan_.epochs && go_on; ++index) {
        SEEDBED_ASSIGN(go_on, epoch(index, progress, stats));
    }
    stats.stepped = stats.minibatches > 0;
    clock = Clock::now();
    SEEDBED_TRY(updateNormalisers());
    stats.optimiser_s += since(clock);
    finish(stats);
    lanes_dirty_ = false;
    return stats;
}

Result<> LearnerImpl::prepare(const Progress& progress, UpdateStats& stats) {
    // Row T: evaluated without sampling, and without touching any state.
    const PlanHead* value = nullptr;
    for (const PlanHead& head : networkPlan(0).heads)
        if (head.kind == "value" && value == nullptr) value = &head;
    if (value != nullptr && !plan_.bootstrap_row) {
        const std::size_t words = size(networkPlan(0).head_words), columns = size(batch_.columns);
        if (last_heads_.size() < columns * words) last_heads_.resize(columns * words);
        SEEDBED_TRY(evaluate(0, true, last_heads_.data()));
        for (std::size_t n = 0; n < columns; ++n) batch_.last_value[n] = last_heads_[n * words + size(value->begin)];
    }
    const auto clock = Clock::now();
    SEEDBED_TRY(algorithm_->prepare(batch_, progress, evaluate_network_));
    stats.targets_s += since(clock) - evaluate_s_;

    const std::size_t rows = size(batch_.rows());
    for (const auto* computed : {&batch_.advantage, &batch_.target}) {
        SEEDBED_CHECK(computed->empty() || computed->size() == rows);
        if (firstNonFinite(computed->data(), computed->size()) != computed->size())
            return fail(std::string(computed == &batch_.advantage ? "an advantage" : "a value target") + " is not a finite number");
    }
    return {};
}

Result<> LearnerImpl::evaluate(std::size_t net, bool last_row_only, float* heads) {
    const auto first_row = last_row_only ? static_cast<std::uint32_t>(batch_.rows()) : 0u;
    return networkPlan(net).state_words > 0 ? evaluateColumns(net, first_row, heads) : evaluateRows(net, first_row, heads);
}

Result<> LearnerImpl::evaluateRows(std::size_t net, std::uint32_t first_row, float* heads) {
    const struct {
        LearnerImpl* self;
        std::size_t net, rows, chunk;
        std::uint32_t first_row;
        float* heads;
    } work{this, net, size((batch_.steps + 1) * batch_.columns) - first_row, size(options_.chunk_rows), first_row, heads};
    return pool_->run((work.rows + work.chunk - 1) / work.chunk, [&work](std::size_t task, int thread) -> Result<> {
        LearnerImpl& self = *work.self;
        ChunkWorker& worker = *self.workers_[size(thread)];
        const std::size_t begin = task * work.chunk, count = std::min(work.chunk, work.rows - begin);
        worker.rows().resize(count);
        std::iota(worker.rows().begin(), worker.rows().end(), work.first_row + static_cast<std::uint32_t>(begin));
        SEEDBED_TRY(worker.load(self.source_, self.batch_, static_cast<int>(count)));
        SEEDBED_TRY(worker.forward(work.net, self.states_[work.net].current, Keep::nothing));
        const std::size_t words = size(self.networkPlan(work.net).head_words);
        std::copy_n(worker.heads(work.net), count * words, work.heads + begin * words);
        return {};
    });
}

Result<> LearnerImpl::evaluateColumns(std::size_t net, std::uint32_t first_row, float* heads) {
    const struct {
        LearnerImpl* self;
        std::size_t net, columns, chunk, steps;
        std::uint32_t first_row;
        float* heads;
    } work{this, net, size(batch_.columns), columnsPerChunk(batch_.steps + 1), size(batch_.steps + 1), first_row, heads};
    return pool_->run((work.columns + work.chunk - 1) / work.chunk, [&work](std::size_t task, int thread) -> Result<> {
        LearnerImpl& self = *work.self;
        ChunkWorker& worker = *self.workers_[size(thread)];
        const std::size_t begin = task * work.chunk, count = std::min(work.chunk, work.columns - begin);
        worker.rows().clear();
        for (std::size_t t = 0; t < work.steps; ++t)
            for (std::size_t s = 0; s < count; ++s) worker.rows().push_back(static_cast<std::uint32_t>(t * work.columns + begin + s));
        SEEDBED_TRY(worker.load(self.source_, self.batch_, static_cast<int>(count)));
        SEEDBED_TRY(worker.forward(work.net, self.states_[work.net].current, Keep::nothing));
        const std::size_t words = size(self.networkPlan(work.net).head_words);
        for (std::size_t i = 0; i < worker.rows().size(); ++i)
            if (worker.rows()[i] >= work.first_row)
                std::copy_n(worker.heads(work.net) + i * words, words, work.heads + (worker.rows()[i] - work.first_row) * words);
        return {};
    });
}

// Rows that count, or all columns when any of their rows does; false when there is nothing to learn from.
bool LearnerImpl::collectUnits() {
    units_.clear();
    const auto rows = static_cast<std::uint32_t>(batch_.rows());
    if (learnsColumns()) {
        if (std::none_of(batch_.valid.begin(), batch_.valid.end(), [](std::uint8_t v) { return v != 0; })) return false;
        units_.resize(size(batch_.columns));
        std::iota(units_.begin(), units_.end(), 0u);
        return true;
    }
    units_.reserve(rows);
    for (std::uint32_t row = 0; row < rows; ++row)
        if (batch_.valid[row] != 0) units_.push_back(row);
    return !units_.empty();
}

// Fisher-Yates shuffles of all epochs, each from its own stream.
Result<> LearnerImpl::permute() {
    return pool_->run(order_.size(), [this](std::size_t index, int) -> Result<> {
        std::vector<std::uint32_t>& order = order_[index];
        order.assign(units_.begin(), units_.end());
        // An update's numbers begin at its own multiple of 2^32.
        Rng rng(options_.seed, RngPurpose::minibatch, static_cast<std::uint32_t>(index), updates_ << 32);
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
        return {};
    });
}

Result<bool> LearnerImpl::epoch(int index, const Progress& progress, UpdateStats& stats) {
    const std::vector<std::uint32_t>& order = order_[size(index)];
    for (std::size_t m = 0; m < size(plan_.minibatches); ++m) {
        const Part range = part(order.size(), size(plan_.minibatches), m);
        describeMinibatch(order.data() + range.begin, range.size());
        if (minibatch_.valid_rows == 0) continue;
        SEEDBED_TRY(
            pool_->run(minibatch_.lanes, [this](std::size_t lane, int thread) { return learnLane(lane, *workers_[size(thread)]); }));

        std::fill(minibatch_sums_.begin(), minibatch_sums_.end(), 0.0);
        for (std::size_t lane = 0; lane < minibatch_.lanes; ++lane)
            for (std::size_t i = 0; i < metrics_.size(); ++i) minibatch_sums_[i] += lane_sums_[lane * sums_stride_ + i];
        const auto clock = Clock::now();
        learning_rate_ = algorithm_->learningRate(progress);
        SEEDBED_TRY(step());
        stats.optimiser_s += since(clock);

        for (std::size_t i = 0; i < metrics_.size(); ++i) total_sums_[i] += minibatch_sums_[i];
        total_valid_ += minibatch_.valid_rows;
        ++stats.minibatches;
        if (!algorithm_->minibatchDone(minibatch_sums_, minibatch_.valid_rows)) return false;
    }
    return true;
}

void LearnerImpl::describeMinibatch(const std::uint32_t* units, std::size_t count) {
    minibatch_ = {.units = units, .count = count, .chunks = chunksIn(count)};
    minibatch_.lanes = std::min(minibatch_.chunks, size(options_.lanes));
    const std::size_t stride = size(batch_.columns), steps = learnsColumns() ? size(batch_.steps) : 1;
    const bool advantages = !batch_.advantage.empty();
    double sum = 0, squares = 0;
    std::size_t valid = 0;
    // Shifted by one of the values, so that the squares do not cancel.
    const double shift = advantages && count > 0 ? batch_.advantage[units[0]] : 0.0;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t t = 0; t < steps; ++t) {
            const std::size_t row = t * stride + units[i];
            if (batch_.valid[row] == 0) continue;
            ++valid;
            if (!advantages) continue;
            const double value = batch_.advantage[row] - shift;
            sum += value, squares += value * value;
        }
    minibatch_.valid_rows = static_cast<double>(valid);
    if (advantages && valid > 0) {
        const double mean = sum / minibatch_.valid_rows;
        minibatch_.advantage_mean = mean + shift;
        minibatch_.advantage_std = std::sqrt(std::max(0.0, squares / minibatch_.valid_rows - mean * mean));
    }
    if (lane_sums_.size() < minibatch_.lanes * sums_stride_) lane_sums_.resize(minibatch_.lanes * sums_stride_);
    for (std::size_t net = 0; net < nets_.size(); ++net)
        if (nets_[net].decl.trained) states_[net].lanes.require(minibatch_.lanes);
}

Result<> LearnerImpl::learnLane(std::size_t lane, ChunkWorker& worker) {
    std::fill_n(lane_sums_.begin() + static_cast<std::ptrdiff_t>(lane * sums_stride_), sums_stride_, 0.0);
    const Part chunks = part(minibatch_.chunks, minibatch_.lanes, lane);
    for (std::size_t chunk = chunks.begin; chunk < chunks.end; ++chunk) SEEDBED_TRY(learnChunk(chunk, lane, worker));
    return {};
}

Result<> LearnerImpl::learnChunk(std::size_t index, std::size_t lane, ChunkWorker& worker) {
    const Part range = part(minibatch_.count, minibatch_.chunks, index);
    const std::uint32_t* units = minibatch_.units + range.begin;
    if (learnsColumns()) {
        const auto steps = static_cast<std::uint32_t>(batch_.steps + (plan_.bootstrap_row ? 1 : 0)),
                   columns = static_cast<std::uint32_t>(batch_.columns);
        worker.rows().clear();
        for (std::uint32_t t = 0; t < steps; ++t)
            for (std::size_t s = 0; s < range.size(); ++s) worker.rows().push_back(t * columns + units[s]);
    } else {
        worker.rows().assign(units, units + range.size());
    }
    SEEDBED_TRY(worker.load(source_, batch_, static_cast<int>(range.size())));
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        const NetworkDecl& decl = nets_[net].decl;
        NetIo& io = worker.io()[net];
        io = {.plan = &networkPlan(net), .heads = nullptr, .gradients = nullptr};
        if (!decl.in_loss) continue;
        SEEDBED_TRY(worker.forward(net, states_[net].current, decl.trained ? Keep::tape : Keep::nothing));
        io.heads = worker.heads(net);
        if (decl.trained) io.gradients = worker.clearedGradients(net);
    }

    Chunk chunk = worker.chunk(batch_);
    chunk.valid_rows = minibatch_.valid_rows;
    chunk.advantage_mean = minibatch_.advantage_mean, chunk.advantage_std = minibatch_.advantage_std;
    const auto clock = Clock::now();
    double* sums = lane_sums_.data() + lane * sums_stride_;
    algorithm_->loss(chunk, worker.io(), sums);
    worker.seconds.loss += since(clock);
    for (std::size_t i = 0; i < metrics_.size(); ++i)
        if (!std::isfinite(sums[i])) return fail("the metric '" + metrics_[i] + "' of the loss is not a finite number");

    for (std::size_t net = 0; net < nets_.size(); ++net)
        if (nets_[net].decl.trained) SEEDBED_TRY(worker.backward(net, states_[net].lanes.lane(lane)));
    return {};
}

// All gradients are known to be finite before the first network changes.
Result<> LearnerImpl::step() {
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        if (!nets_[net].decl.trained || states_[net].lanes.sum(minibatch_.lanes, *pool_)) continue;
        const std::vector<float>& gradient = states_[net].lanes.total();
        std::string culprit = "?";
        for (const ParamEntry& entry : networkPlan(net).params)
            if (firstNonFinite(gradient.data() + entry.offset, entry.count) != entry.count) {
                culprit = entry.name;
                break;
            }
        return fail("the gradient of parameter '" + culprit + "' of network '" + nets_[net].decl.name + "' is not a finite number");
    }
    double squares = 0;
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        if (!nets_[net].decl.trained) continue;
        NetState& state = states_[net];
        const Optimiser::StepInfo info = state.optimiser->step(*state.working, state.lanes.total(), learning_rate_);
        if (!info.finite)
            return fail("the gradient of parameter '" + info.culprit + "' of network '" + nets_[net].decl.name + "' is too large");
        state.lanes.clearSum();
        squares += info.grad_norm * info.grad_norm;
        changed(net);
    }
    grad_norm_ += std::sqrt(squares);
    return {};
}

void LearnerImpl::changed(std::size_t net) {
    states_[net].current = Params(std::shared_ptr<const std::vector<float>>(states_[net].working), ++version_);
}

// After the update, so that its ratios began at exactly 1 with the statistics that acted. Single frames of valid rows.
Result<> LearnerImpl::updateNormalisers() {
    for (std::size_t leaf = 0; leaf < networkPlan(0).spec.spaces.obs.size(); ++leaf) {
        const ObsLeaf& spec = networkPlan(0).spec.spaces.obs[leaf];
        if (spec.kind != ObsLeaf::Kind::vector) continue;
        const std::size_t words = spec.elements();
        std::size_t filled = 0;
        const auto merge = [&] {
            for (std::size_t net = 0; net < nets_.size(); ++net)
                if (nets_[net].decl.trained && networkPlan(net).spec.normalise_obs) {
                    updateNormaliser(networkPlan(net), *states_[net].working, static_cast<int>(leaf), normaliser_values_.data(), filled);
                    changed(net);
                }
            filled = 0;
        };
        const bool any = std::any_of(nets_.begin(), nets_.end(),
                                     [](const LearnerNet& net) { return net.decl.trained && net.engine->plan().spec.normalise_obs; });
        if (!any) return {};
        normaliser_values_.resize(std::max(normaliser_values_.size(), std::min(kNormaliserRows, size(batch_.rows())) * words));
        for (std::uint32_t row = 0; row < static_cast<std::uint32_t>(batch_.rows()); ++row) {
            if (batch_.valid[row] == 0) continue;
            const RowRef element = source_.ref(row);
            const auto* frame =
                reinterpret_cast<const float*>(source_.rings()[size(element.group)]->obs(static_cast<int>(leaf), element.t));
            std::copy_n(frame + size(element.column) * words, words,
                        normaliser_values_.begin() + static_cast<std::ptrdiff_t>(filled * words));
            if (++filled == kNormaliserRows) merge();
        }
        if (filled > 0) merge();
    }
    return {};
}

void LearnerImpl::finish(UpdateStats& stats) {
    algorithm_->updateDone(total_sums_, total_valid_);
    algorithm_->finish(network_states_);
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        // finish() may have changed any network; target networks mostly stay as they are.
        const auto before = states_[net].published.blob();
        if (!nets_[net].decl.trained && std::equal(before.begin(), before.end(), states_[net].working->begin())) continue;
        changed(net);
        publish(net);
    }
    ++updates_;

    stats.metrics.reserve(metrics_.size() + 3);
    for (std::size_t i = 0; i < metrics_.size(); ++i)
        stats.metrics.emplace_back(metrics_[i], total_valid_ > 0 ? total_sums_[i] / total_valid_ : 0.0);
    stats.metrics.emplace_back("grad/norm", stats.minibatches > 0 ? grad_norm_ / static_cast<double>(stats.minibatches) : 0.0);
    stats.metrics.emplace_back("optimiser/learning_rate", learning_rate_);
    if (!batch_.target.empty()) stats.metrics.emplace_back("value/explained_variance", explainedVariance());
    for (const auto& worker : workers_) {
        stats.gather_s += worker->seconds.gather, stats.forward_s += worker->seconds.forward;
        stats.loss_s += worker->seconds.loss, stats.backward_s += worker->seconds.backward;
    }
}

// Copies the working parameters into a blob that nobody reads any more.
void LearnerImpl::publish(std::size_t net) {
    NetState& state = states_[net];
    state.published = Params();
    std::shared_ptr<std::vector<float>> blob;
    for (auto& candidate : state.spare) {
        if (candidate.use_count() != 1) continue;
        // Taking and dropping a reference orders what follows after the last reader's release.
        const std::shared_ptr<std::vector<float>> acquire = candidate;
        blob = candidate;
        break;
    }
    if (blob == nullptr) blob = state.spare.emplace_back(std::make_shared<std::vector<float>>(state.working->size()));
    std::copy(state.working->begin(), state.working->end(), blob->begin());
    state.published = Params(std::shared_ptr<const std::vector<float>>(blob), state.current.version());
}

// 1 - Var(target - value) / Var(target) over valid rows; 0 when targets do not vary.
double LearnerImpl::explainedVariance() const {
    double count = 0, target_mean = 0, target_squares = 0, error_mean = 0, error_squares = 0;
    for (std::size_t row = 0; row < batch_.target.size(); ++row) {
        if (batch_.valid[row] == 0) continue;
        // Welford's update for both.
        ++count;
        const double target = batch_.target[row], error = target - batch_.value[row];
        const double target_step = target - target_mean, error_step = error - error_mean;
        target_mean += target_step / count, error_mean += error_step / count;
        target_squares += target_step * (target - target_mean), error_squares += error_step * (error - error_mean);
    }
    return target_squares > 0 ? 1 - error_squares / target_squares : 0;
}

std::size_t LearnerImpl::bytesNeeded(int rows, int threads) const {
    const std::size_t count = size(rows), units_per_minibatch = (count + size(plan_.minibatches) - 1) / size(plan_.minibatches);
    const NetPlan& acting = networkPlan(0);
    const Spaces& spaces = acting.spec.spaces;
    const PlanHead* policy = acting.head("policy");
    // Batch, and the order of every epoch.
    std::size_t bytes = count * (sizeof(float) * (size(spaces.actionWords()) + (policy == nullptr ? 0 : size(policy->width)) + 6) +
                                 size(spaces.maskBytes()) + 6);
    bytes += count * sizeof(std::uint32_t) * (order_.size() + 1);
    const std::size_t chunk_rows =
        learnsColumns() ? columnsPerChunk(plan_.rollout_length) * size(plan_.rollout_length + 1) : size(options_.chunk_rows);
    bytes += size(threads) * ChunkWorker::bytes(nets_, chunk_rows);
    const std::size_t lanes = std::min(size(options_.lanes), std::max<std::size_t>(1, (units_per_minibatch + chunk_rows - 1) / chunk_rows));
    for (std::size_t net = 0; net < nets_.size(); ++net) {
        const std::size_t blob = networkPlan(net).param_floats * sizeof(float);
        // Working copy, two published ones; gradient lanes and two moments.
        bytes += 3 * blob;
        if (nets_[net].decl.trained) bytes += states_[net].lanes.bytes(lanes) + 2 * blob;
    }
    return bytes;
}

void LearnerImpl::archive(Archive& archive) {
    archive(updates_)(version_);
    algorithm_->archive(archive);
    for (NetState& state : states_) {
        if (state.optimiser) state.optimiser->archive(archive);
        version_ = std::max({version_, state.current.version(), state.published.version()});
    }
}

}  // namespace

Result<std::unique_ptr<Learner>> Learner::create(std::unique_ptr<Algorithm> algorithm, std::vector<LearnerNet> nets,
                                                 LearnerOptions options) {
    SEEDBED_CHECK(algorithm != nullptr && !nets.empty());
    const std::vector<NetworkDecl> decls = algorithm->networks();
    SEEDBED_CHECK(decls.size() == nets.size(), "one network for each declaration of the algorithm");
    if (options.chunk_rows < 1 || options.lanes < 1) return fail(ErrorCode::config, "chunk_rows and lanes must be at least 1");
    const LearnPlan plan = algorithm->plan();
    if (plan.rollout_length < 1 || plan.epochs < 1 || plan.minibatches < 1)
        return fail(ErrorCode::config, "rollout_length, epochs and minibatches must be at least 1");
    for (std::size_t i = 0; i < nets.size(); ++i) {
        SEEDBED_CHECK(nets[i].engine != nullptr && nets[i].decl.name == decls[i].name, decls[i].name);
        SEEDBED_CHECK(decls[i].in_loss || !decls[i].trained, "a trained network takes part in the loss");
        nets[i].decl = decls[i];
        const NetPlan& net = nets[i].engine->plan();
        for (const HeadSpec& head : decls[i].heads)
            if (net.head(head.name) == nullptr)
                return fail(ErrorCode::config, "network '" + decls[i].name + "' has no head '" + head.name + "'");
        if (nets[i].params.empty() || nets[i].params.blob().size() != net.param_floats)
            return fail(ErrorCode::config, "the parameters given for network '" + decls[i].name + "' do not fit it: it has " +
                                               std::to_string(net.param_floats) + " floats");
    }
    return std::make_unique<LearnerImpl>(std::move(algorithm), std::move(nets), std::move(options));
}

}  // namespace seedbed
